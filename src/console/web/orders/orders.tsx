import type { Int64 } from "../../../../client/src/int64.ts";
import type { Order } from "../../../orders/contract.ts";
import type { Pet } from "../../../pets/contract.ts";
import { mayChange } from "../account/session.ts";
import { ActionButton } from "../components/action-button.tsx";
import { announce } from "../components/announce.tsx";
import { DeleteDialog, type DeleteListeners } from "../components/delete-dialog.tsx";
import { useDialog } from "../components/dialog.tsx";
import { Empty } from "../components/empty.tsx";
import { ListTable } from "../components/list-table.tsx";
import { shortName } from "../components/long-text.tsx";
import { PagedList, useLivePage } from "../components/paged-list.tsx";
import { Screen } from "../components/screen.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { call, callPage, type Page, type Query } from "../request.ts";
import { route } from "../router.ts";
import { PlaceOrder } from "./place-order.tsx";

interface OrdersPage extends Page<Order> {
  readonly petNames: ReadonlyMap<Int64, string>;
}

export function Orders() {
  const petId = route.value.query.get("for") ?? undefined;
  const orders = useLivePage("order", readOrders, { petId });
  const all = petId === undefined ? undefined : <a href="/orders">All orders</a>;
  return (
    <Screen title={petId === undefined ? "Orders" : `Orders for animal ${petId}`} actions={all}>
      <div class="stack">
        {petId === undefined && mayChange.value && <PlaceOrder onPlaced={orders.reload} />}
        <PagedList loaded={orders} what="orders" empty={<NoOrders petId={petId} />}>
          {(page) => <OrderTable page={page} reload={orders.reload} />}
        </PagedList>
      </div>
    </Screen>
  );
}

async function readOrders(query: Query, signal?: AbortSignal): Promise<OrdersPage> {
  const page = await callPage<Order>("/store/orders", { query, signal });
  const ids = [...new Set(page.items.map(({ petId }) => petId))];
  const pets =
    ids.length === 0
      ? []
      : (await callPage<Pet>("/pets", { query: { id: ids.join(","), limit: "100" }, signal })).items;
  return { ...page, petNames: new Map(pets.map(({ id, name }) => [id, name])) };
}

function NoOrders({ petId }: { readonly petId: string | undefined }) {
  if (petId !== undefined) {
    return (
      <Empty title="This animal has no orders.">
        <p>
          <a href={`/orders?animal=${petId}`}>Place one</a>, or <a href="/orders">show all orders</a>.
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No orders yet.">
      {mayChange.value && <p>Place one for an animal that is available.</p>}
    </Empty>
  );
}

interface OrderTableProps {
  readonly page: OrdersPage;
  readonly reload: () => Promise<void>;
}

function OrderTable({ page, reload }: OrderTableProps) {
  const cancelling = useDialog<Order>();
  return (
    <>
      <ListTable
        label="Orders"
        rows={page.items}
        gone={page.news?.gone}
        columns={{
          Order: ({ id }) => String(id),
          Animal: (order) => (
            <a href={`/animals/${order.petId}`} dir="auto">
              {petName(order, page)}
            </a>
          ),
          Quantity: ({ quantity }) => String(quantity),
          "Ship date": ({ shipDate }) => (shipDate ? <Timestamp at={shipDate} precision="day" /> : "Not set"),
          State: ({ complete }) => (
            <span class={`badge ${complete ? "sold" : "pending"}`}>{complete ? "Complete" : "Open"}</span>
          ),
          Actions: (order) => (
            <OrderActions order={order} reload={reload} onCancel={() => cancelling.open(order)} />
          ),
        }}
      />
      {cancelling.subject && (
        <CancelOrder
          id={cancelling.subject.id}
          pet={petName(cancelling.subject, page)}
          onDeleted={reload}
          onRefused={reload}
          onClose={cancelling.close}
        />
      )}
    </>
  );
}

interface OrderActionsProps {
  readonly order: Order;
  readonly reload: () => Promise<void>;
  readonly onCancel: () => void;
}

function OrderActions({ order: { id, complete }, reload, onCancel }: OrderActionsProps) {
  if (complete || !mayChange.value) return <span class="muted">None</span>;
  async function completeOrder(): Promise<void> {
    await call("POST", `/store/orders/${id}/complete`);
    announce(`Order ${id} is complete. Its animal is sold.`);
    // The reload removes the button: without the focus on the heading it would fall to the body.
    document.querySelector("h1")?.focus();
    await reload();
  }
  return (
    <div class="row-actions">
      <ActionButton
        class="link"
        label={`Complete order ${id}`}
        failure={`Order ${id} was not completed.`}
        action={completeOrder}
      >
        Complete
      </ActionButton>
      <button type="button" class="link" aria-label={`Cancel order ${id}`} onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
}

interface CancelOrderProps extends DeleteListeners {
  readonly id: Int64;
  readonly pet: string;
}

function CancelOrder({ id, pet, ...listeners }: CancelOrderProps) {
  return (
    <DeleteDialog
      title={`Cancel order ${id}?`}
      send={() => call("DELETE", `/store/orders/${id}`)}
      outcome={`Order ${id} cancelled`}
      confirmLabel="Cancel order"
      cancelLabel="Keep order"
      {...listeners}
    >
      <p dir="auto">{pet} becomes available again, and the order is deleted.</p>
    </DeleteDialog>
  );
}

function petName({ petId }: Order, { petNames }: OrdersPage): string {
  return shortName(petNames.get(petId) ?? "", `Animal ${petId}`);
}
