import type { Attention, Overview as OverviewAnswer } from "../../contract.ts";
import { Loading } from "../components/loading.tsx";
import { shortName } from "../components/long-text.tsx";
import { Screen } from "../components/screen.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { countNotices, ProgramNoticeItems } from "../developers/program-notices.tsx";
import { History } from "../events/history.tsx";
import { useLive } from "../events/live.ts";
import { FirstAnimals } from "../pets/first-animals.tsx";
import { call } from "../request.ts";
import { useLoad } from "../use-load.ts";
import { Figures } from "./figures.tsx";
import { daysOfMonth, Month } from "./month.tsx";

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
        {({ pets, openOrders, days, attention }) => (
          <div class="tiles">
            <NeedsAttention attention={attention} />
            {pets.every(({ count }) => count === 0) && <FirstAnimals />}
            <Figures days={days} openOrders={openOrders} pets={pets} />
            <Month days={days} />
            <History heading="Latest changes" limit={LATEST} topics={TOPICS} />
          </div>
        )}
      </Loading>
    </Screen>
  );
}

function NeedsAttention({ attention }: { readonly attention: Attention }) {
  const { orders, pets, damaged, resetLinks } = attention;
  if ([orders, pets, damaged, resetLinks].flat().length + countNotices(attention) === 0) return null;
  return (
    <section class="card wide" aria-labelledby="attention-heading">
      <h2 id="attention-heading">Needs attention</h2>
      <ul class="events" translate={false}>
        {resetLinks.map(({ at, actor }) => (
          <li key={at} dir="auto">
            {actor.name || "The operator"} made a link to set your password, on <Timestamp at={at} />. If you
            did not ask for it, <a href="/account">change your password</a>: that ends the link and other
            sessions.
          </li>
        ))}
        {damaged.map((database) => (
          <li key={database}>
            Damage was found in the database {database}. To see what to do, run{" "}
            <code>petstore doctor --deep</code> on the service's machine.
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
