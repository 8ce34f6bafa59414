import type { Attention, Count, DayCounts, Overview as OverviewAnswer } from "../../contract.ts";
import { mayChange } from "../account/session.ts";
import { Loading } from "../components/loading.tsx";
import { shortName } from "../components/long-text.tsx";
import { Screen } from "../components/screen.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { countNotices, ProgramNoticeItems } from "../developers/program-notices.tsx";
import { History } from "../events/history.tsx";
import { useLive } from "../events/live.ts";
import { call } from "../request.ts";
import { useLoad } from "../use-load.ts";
import { countText, sum } from "./counts.ts";
import { daysOfMonth, Month } from "./month.tsx";
import { StatusChart } from "./status-chart.tsx";

const LATEST = 8;
const TOPICS = ["pet", "order", "category"] as const;

export function Overview() {
  const read = (signal?: AbortSignal) =>
    call<OverviewAnswer>("GET", "/overview", { query: { days: daysOfMonth().join() }, signal });
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

function NeedsAttention({ attention }: { readonly attention: Attention }) {
  const { orders, hasMoreOrders, pets, damaged, resetLinks } = attention;
  const urgent = damaged.length + resetLinks.length;
  const count = orders.length + pets.length + urgent + countNotices(attention);
  return (
    <section class="card wide" aria-labelledby="attention-heading">
      <h2 id="attention-heading">Needs attention</h2>
      {count === 0 && <p class="muted">Nothing needs attention.</p>}
      <ul class="events">
        {resetLinks.map(({ at, actor }) => (
          <li key={at} dir="auto">
            {actor.name || "The operator"} made a link to set your password, on <Timestamp at={at} />. If you
            did not ask for it, <a href="/account">change your password</a>: that ends the link and other
            sessions.
          </li>
        ))}
        {damaged.map((database) => (
          <li key={database}>
            Damage was found in the database {database}. On the machine of the service,{" "}
            <code>petstore doctor --deep</code> says what to do.
          </li>
        ))}
        {orders.map(({ id, petId, shipDate, isLate }) => (
          <li key={String(id)}>
            <a href={`/orders?for=${petId}`}>Order {String(id)}</a>{" "}
            {isLate && shipDate ? (
              <>
                should have been shipped on <Timestamp at={shipDate} precision="day" />.
              </>
            ) : (
              "has been open for more than 3 days."
            )}
          </li>
        ))}
        {hasMoreOrders && (
          <li>
            More orders wait: <a href="/orders?status=open">see them all</a>.
          </li>
        )}
        {pets.map(({ id, name }) => (
          <li key={String(id)}>
            <a href={`/animals/${id}`} dir="auto">
              {shortName(name, `Animal ${id}`)}
            </a>{" "}
            has been pending for more than 3 days, without an order.
          </li>
        ))}
        <ProgramNoticeItems notices={attention} />
      </ul>
    </section>
  );
}

/** Instructions, shown until the store has its first animal. */
function FirstSteps() {
  return (
    <section class="card first-steps" aria-labelledby="first-steps-heading">
      <h2 id="first-steps-heading">First steps</h2>
      <p>Your store is empty. Add the first animal: a name and a category are enough.</p>
      <p>
        <a href="/animals/new" class="button">
          Add the first animal
        </a>
      </p>
      <p class="muted">
        A program can add them, too: it needs an <a href="/keys">API key</a>.
      </p>
    </section>
  );
}
