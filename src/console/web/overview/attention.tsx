import type { Order } from "../../../orders/contract.ts";
import type { Pet } from "../../../pets/contract.ts";
import { shortName } from "../components/long-text.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { countNotices, ProgramNoticeItems, type ProgramNotices } from "../developers/program-notices.tsx";

export interface Attention extends ProgramNotices {
  /** Open ones whose ship date has passed, or that were placed more than 3 days ago. */
  readonly orders: readonly (Order & { readonly isLate: boolean })[];
  readonly hasMoreOrders: boolean;
  /** Pending for more than 3 days, without an order. */
  readonly pets: readonly Pet[];
  /** Databases; for owners. */
  readonly damaged: readonly string[];
}

export function NeedsAttention({ attention }: { readonly attention: Attention }) {
  const { orders, hasMoreOrders, pets, damaged } = attention;
  const count = orders.length + pets.length + damaged.length + countNotices(attention);
  return (
    <section class="card wide" aria-labelledby="attention-heading">
      <h2 id="attention-heading">Needs attention</h2>
      {count === 0 && <p class="muted">Nothing needs attention.</p>}
      <ul class="events">
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
