import { useSignal } from "@preact/signals";
import type { Int64 } from "../../../../client/src/int64.ts";
import type { Order } from "../../../orders/contract.ts";
import type { Pet } from "../../../pets/contract.ts";
import { Empty } from "../components/empty.tsx";
import { Cell, ListTable, RowHeader } from "../components/list-table.tsx";
import { Loading } from "../components/loading.tsx";
import { shortName } from "../components/long-text.tsx";
import { Paging } from "../components/paging.tsx";
import { Screen } from "../components/screen.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { callPage, type Page } from "../request.ts";
import { route } from "../router.ts";
import { type Loaded, useLoad } from "../use-load.ts";
import { CancelOrder } from "./cancel-order.tsx";
import { CompleteOrder } from "./complete-order.tsx";
import { PlaceOrder } from "./place-order.tsx";

interface OrdersPage extends Page<Order> {
  readonly petNames: ReadonlyMap<Int64, string>;
}

export function Orders() {
  const cursor = route.value.query.get("cursor") ?? undefined;
  const orders = useLoad((signal) => readOrders(cursor, signal), [cursor ?? ""]);
  return (
    <Screen title="Orders">
      <div class="stack">
        <PlaceOrder onPlaced={orders.reload} />
        <Loading loaded={orders} what="the orders">
          {(page) => (
            <>
              {page.items.length === 0 ? <NoOrders /> : <OrderTable page={page} reload={orders.reload} />}
              <Paging next={page.next} what="orders" />
            </>
          )}
        </Loading>
      </div>
    </Screen>
  );
}

async function readOrders(cursor: string | undefined, signal: AbortSignal): Promise<OrdersPage> {
  const page = await callPage<Order>("/store/orders", { query: { cursor }, signal });
  const ids = [...new Set(page.items.map(({ petId }) => petId))];
  const pets =
    ids.length === 0
      ? []
      : (await callPage<Pet>("/pets", { query: { id: ids.join(","), limit: "100" }, signal })).items;
  return { ...page, petNames: new Map(pets.map(({ id, name }) => [id, name])) };
}

function NoOrders() {
  return (
    <Empty title="No orders yet.">
      <p>Place one for an animal that is available.</p>
    </Empty>
  );
}

interface OrderTableProps {
  readonly page: OrdersPage;
  readonly reload: Loaded<unknown>["reload"];
}

function OrderTable({ page, reload }: OrderTableProps) {
  const cancelling = useSignal<Order | undefined>(undefined);
  return (
    <>
      <ListTable label="Orders" columns={["Order", "Animal", "Quantity", "Ship date", "State", "Actions"]}>
        {page.items.map((order) => (
          <tr key={String(order.id)}>
            <RowHeader label="Order">{String(order.id)}</RowHeader>
            <Cell label="Animal">
              <a href={`/animals/${order.petId}`} dir="auto">
                {petName(order, page)}
              </a>
            </Cell>
            <Cell label="Quantity">{String(order.quantity)}</Cell>
            <Cell label="Ship date">
              {order.shipDate === null ? "Not set" : <Timestamp at={order.shipDate} precision="day" />}
            </Cell>
            <Cell label="State">
              <span class={`badge ${order.complete ? "sold" : "pending"}`}>
                {order.complete ? "Complete" : "Open"}
              </span>
            </Cell>
            <Cell label="Actions">
              {order.complete ? (
                <span class="muted">None</span>
              ) : (
                <div class="row-actions">
                  <CompleteOrder order={order} onCompleted={reload} />
                  <button
                    type="button"
                    class="link"
                    aria-label={`Cancel order ${order.id}`}
                    onClick={() => {
                      cancelling.value = order;
                    }}
                  >
                    Cancel
                  </button>
                </div>
              )}
            </Cell>
          </tr>
        ))}
      </ListTable>
      {cancelling.value && (
        <CancelOrder
          order={cancelling.value}
          pet={petName(cancelling.value, page)}
          onCancelled={reload}
          onClose={() => {
            cancelling.value = undefined;
          }}
        />
      )}
    </>
  );
}

function petName({ petId }: Order, { petNames }: OrdersPage): string {
  return shortName(petNames.get(petId) ?? "", `Animal ${petId}`);
}
