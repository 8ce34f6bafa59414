import type { Order } from "../../../orders/contract.ts";
import type { Pet } from "../../../pets/contract.ts";
import { mayChange } from "../account/session.ts";
import { timeColumn, wideOnly, wordColumn } from "../components/columns.tsx";
import { ListScreen } from "../components/list-screen.tsx";
import { shortName } from "../components/long-text.tsx";
import { useLivePage } from "../components/paged-list.tsx";
import { FilterTabs } from "../components/status-filter.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { ExportButton } from "../files/export-button.tsx";
import { callPage, type Page, type Query } from "../request.ts";
import { route } from "../router.ts";
import { NewOrder } from "./new-order.tsx";
import { type ListedOrder, OrderActions } from "./order-actions.tsx";
import { ShipDate } from "./ship-date.tsx";

export function Orders() {
  const { query } = route.value;
  const petId = query.get("for") ?? undefined;
  const animal = query.get("animal") ?? petId ?? "";
  const status = query.get("status") ?? (petId === undefined ? "open" : "all");
  const complete = status === "all" ? undefined : String(status === "complete");
  const orders = useLivePage("order", readOrders, { petId, complete });
  return (
    <ListScreen<ListedOrder>
      title={petId === undefined ? "Orders" : `Orders for animal ${petId}`}
      also={
        <>
          {petId !== undefined && <a href="/orders">All orders</a>}
          <ExportButton kind="orders" filter={{ petId, complete }} />
        </>
      }
      create={
        mayChange.value && { label: "New order", dialog: <NewOrder animal={animal} />, parameter: "animal" }
      }
      what="orders"
      loaded={orders}
      empty={status === "open" ? "No open orders." : "No orders yet."}
      columns={status === "open" ? COLUMNS : { ...COLUMNS, Completed: COMPLETED }}
      actions={mayChange.value && ((order) => <OrderActions order={order} />)}
    >
      {petId === undefined && <FilterTabs label="Orders by status" choices={["open", "complete", "all"]} />}
    </ListScreen>
  );
}

/** Reads a page of orders with the names of their animals. */
async function readOrders(query: Query, signal?: AbortSignal): Promise<Page<ListedOrder>> {
  const page = await callPage<Order>("/store/orders", { query, signal });
  const id = [...new Set(page.items.map(({ petId }) => petId))].join(",");
  const pets = id === "" ? [] : (await callPage<Pet>("/pets", { query: { id, limit: "100" }, signal })).items;
  const names = new Map(pets.map((pet) => [pet.id, pet.name]));
  return { ...page, items: page.items.map((one) => ({ ...one, petName: names.get(one.petId) ?? "" })) };
}

const COLUMNS = {
  Animal: ({ petId, petName }: ListedOrder) => (
    <a href={`/animals/${petId}`} dir="auto">
      {shortName(petName, `Animal ${petId}`)}
    </a>
  ),
  Order: wideOnly(({ id }: ListedOrder) => String(id)),
  Placed: timeColumn(({ createdAt }: ListedOrder) => createdAt),
  "Ship date": {
    cell: ({ shipDate }: ListedOrder) => <ShipDate shipDate={shipDate} />,
    isLabelled: true,
  },
};

const COMPLETED = wordColumn(({ completedAt }: ListedOrder) =>
  completedAt ? <Timestamp at={completedAt} precision="ago" /> : <span class="badge pending">Open</span>,
);
