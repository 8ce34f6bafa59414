import { mayChange } from "../account/session.ts";
import { Loading } from "../components/loading.tsx";
import { Screen } from "../components/screen.tsx";
import { History } from "../events/history.tsx";
import { useLive } from "../events/live.ts";
import { call } from "../request.ts";
import { useLoad } from "../use-load.ts";
import { type Attention, NeedsAttention } from "./attention.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { type DayCounts, daysOfMonth, Month } from "./month.tsx";
import { type Count, countText, StatusChart, type StatusCount, sum } from "./status-chart.tsx";

/** Changes. */
const LATEST = 8;
const TOPICS = ["pet", "order", "category"] as const;

interface OverviewResponse {
  readonly pets: readonly StatusCount[];
  readonly openOrders: Count;
  readonly days: readonly DayCounts[];
  /** When the first event that is kept was made; null without one. */
  readonly since: string | null;
  readonly attention: Attention;
}

export function Overview() {
  const read = (signal?: AbortSignal) =>
    call<OverviewResponse>("GET", "/overview", { query: { days: daysOfMonth().join() }, signal });
  const overview = useLoad(read);
  useLive(["pet", "order"], async () => {
    const fresh = await read();
    overview.update(() => fresh);
  });
  return (
    <Screen title="Overview">
      <Loading loaded={overview} what="the store">
        {({ pets, openOrders, days, since, attention }) => (
          <>
            {mayChange.value && pets.every(({ count }) => count === 0) && <FirstSteps />}
            <div class="tiles">
              <SoldToday days={days} />
              <OpenOrders count={openOrders} />
              <NeedsAttention attention={attention} />
              <Month days={days} since={since} />
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
            </div>
          </>
        )}
      </Loading>
    </Screen>
  );
}

function SoldToday({ days }: { readonly days: readonly DayCounts[] }) {
  const sold = days.map((day) => day.sold);
  return (
    <section class="card" aria-labelledby="sold-heading">
      <h2 id="sold-heading">Sold today</h2>
      <p class="figure">{countText(sum(sold.slice(-1)))}</p>
      <p class="muted">{countText(sum(sold.slice(-7)))} in the last 7 days</p>
    </section>
  );
}

function OpenOrders({ count }: { readonly count: Count }) {
  return (
    <section class="card" aria-labelledby="orders-heading">
      <h2 id="orders-heading">Open orders</h2>
      <p class="figure">{countText(count)}</p>
      <p>
        {count.count === 0 ? (
          <a href="/orders">{mayChange.value ? "Place an order" : "See the orders"}</a>
        ) : (
          <a href="/orders?status=open">See the open orders</a>
        )}
      </p>
    </section>
  );
}
