import type { KeyView } from "../../../keys/contract.ts";
import { mayChange } from "../account/session.ts";
import { Loading } from "../components/loading.tsx";
import { LongText } from "../components/long-text.tsx";
import { Screen } from "../components/screen.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { DeprecatedCalls } from "../developers/deprecated-calls.tsx";
import type { DeprecatedOperation } from "../developers/notices.ts";
import { History } from "../events/history.tsx";
import { useLive } from "../events/live.ts";
import { call } from "../request.ts";
import { useLoad } from "../use-load.ts";
import { FirstSteps } from "./first-steps.tsx";
import { type Count, countText, StatusChart, type StatusCount } from "./status-chart.tsx";

/** Changes. */
const LATEST = 8;
const TOPICS = ["pet", "order", "category"] as const;

interface OverviewResponse {
  readonly pets: readonly StatusCount[];
  readonly openOrders: Count;
  readonly expiringKeys: readonly KeyView[];
  readonly deprecated: readonly DeprecatedOperation[];
}

export function Overview() {
  const read = (signal?: AbortSignal) => call<OverviewResponse>("GET", "/overview", { signal });
  const overview = useLoad(read);
  useLive(["pet", "order"], async () => {
    const fresh = await read();
    overview.update(() => fresh);
  });
  const keys = useLoad((signal) => call<readonly KeyView[]>("GET", "/keys", { signal }));
  return (
    <Screen title="Overview">
      <Loading loaded={overview} what="the store">
        {({ pets, openOrders, expiringKeys, deprecated }) => {
          const hasPets = pets.some(({ count }) => count > 0);
          return (
            <>
              {keys.value && <FirstSteps hasPets={hasPets} hasKeys={keys.value.length > 0} />}
              <div class="tiles">
                <section class="card wide" aria-labelledby="pets-heading">
                  <h2 id="pets-heading">Animals</h2>
                  <StatusChart pets={pets} />
                </section>
                <History
                  heading="Latest changes"
                  empty="Nothing has been changed yet."
                  limit={LATEST}
                  topics={TOPICS}
                />
                <OpenOrders count={openOrders} />
                <ExpiringKeys keys={expiringKeys} />
                {deprecated.map((operation) => (
                  <DeprecatedCalls key={operation.operation} operation={operation} />
                ))}
              </div>
            </>
          );
        }}
      </Loading>
    </Screen>
  );
}

function OpenOrders({ count }: { readonly count: Count }) {
  return (
    <section class="card" aria-labelledby="orders-heading">
      <h2 id="orders-heading">Open orders</h2>
      <p class="figure">{countText(count)}</p>
      <p>
        <a href="/orders">{count.count === 0 && mayChange.value ? "Place an order" : "See the orders"}</a>
      </p>
    </section>
  );
}

function ExpiringKeys({ keys }: { readonly keys: readonly KeyView[] }) {
  return (
    <section class="card" aria-labelledby="expiring-heading">
      <h2 id="expiring-heading">Keys about to expire</h2>
      {keys.length === 0 ? (
        <p class="muted">None within 30 days.</p>
      ) : (
        <>
          <ul class="plain">
            {keys.map(({ id, name, expiresAt }) => (
              <li key={id}>
                <LongText text={name} />{" "}
                {expiresAt && (
                  <span class="muted">
                    on <Timestamp at={expiresAt} precision="day" />
                  </span>
                )}
              </li>
            ))}
          </ul>
          <p>
            <a href="/keys">Generate replacements</a>
          </p>
        </>
      )}
    </section>
  );
}
