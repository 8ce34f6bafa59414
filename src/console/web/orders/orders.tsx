import type { Order } from "../../../orders/contract.ts";
import type { Pet } from "../../../pets/contract.ts";
import type { LastChange } from "../../contract.ts";
import { mayChange } from "../account/session.ts";
import { wideOnly, wordColumn } from "../components/columns.tsx";
import { lazyDialog } from "../components/lazy-dialog.tsx";
import { ListScreen } from "../components/list-screen.tsx";
import { shortName } from "../components/long-text.tsx";
import { Menu } from "../components/menu.tsx";
import { useLivePage } from "../components/paged-list.tsx";
import { FilterTabs } from "../components/status-filter.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { actorWords } from "../events/actor-words.ts";
import { ExportButton } from "../files/export-button.tsx";
import { call, callPage, type Page, type Query } from "../request.ts";
import { route } from "../router.ts";
import { type ListedOrder, OrderActions } from "./order-actions.tsx";
import { DueDate } from "./ship-date.tsx";

const NewOrder = lazyDialog(async () => (await import("./new-order.tsx")).NewOrder);

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
          <Menu label="More" isInline>
            <ExportButton kind="orders" filter={{ petId, complete }} />
          </Menu>
        </>
      }
      create={
        mayChange.value && { label: "New order", dialog: <NewOrder animal={animal} />, parameter: "animal" }
      }
      what="orders"
      loaded={orders}
      empty={status === "open" ? "No open orders." : "No orders yet."}
      hint="An order reserves an animal for a customer, until the order is completed or cancelled."
      columns={status === "open" ? COLUMNS : { ...COLUMNS, Completed: COMPLETED }}
      actions={mayChange.value && ((order) => <OrderActions order={order} />)}
    >
      {petId === undefined && <FilterTabs label="Orders by status" choices={["open", "complete", "all"]} />}
    </ListScreen>
  );
}

async function readOrders(query: Query, signal?: AbortSignal): Promise<Page<ListedOrder>> {
  const page = await callPage<Order>("/store/orders", { query, signal });
  const id = [...new Set(page.items.map(({ petId }) => petId))].join(",");
  if (id === "") return { ...page, items: [] };
  const [pets, placed] = await Promise.all([
    callPage<Pet>("/pets", { query: { id, limit: "100" }, signal }),
    call<readonly LastChange[]>("GET", "/last-changes", { query: { of: "order", id }, signal }),
  ]);
  const names = new Map(pets.items.map((pet) => [pet.id, pet.name]));
  const authors = new Map(placed.map((change) => [change.id, actorWords(change)]));
  return {
    ...page,
    items: page.items.map((one) => ({
      ...one,
      petName: names.get(one.petId) ?? "",
      by: authors.get(one.id) ?? "",
    })),
  };
}

const COLUMNS = {
  Animal: ({ petId, petName }: ListedOrder) => (
    <a href={`/animals/${petId}`} dir="auto">
      {shortName(petName, `Animal ${petId}`)}
    </a>
  ),
  Order: wideOnly(({ id }: ListedOrder) => String(id)),
  By: {
    cell: ({ by }: ListedOrder) => <bdi>{by}</bdi>,
    width: "max(5rem, 40cqi - 27rem)",
    phone: "hidden" as const,
  },
  Placed: {
    cell: ({ createdAt }: ListedOrder) => <Timestamp at={createdAt} precision="recent" />,
    width: "7rem",
    isShort: true,
    isLabelled: true,
  },
  Due: {
    cell: (order: ListedOrder) => <DueDate order={order} />,
    width: "max(9rem, 60cqi - 40rem)",
    isLabelled: true,
  },
};

const COMPLETED = wordColumn(({ completedAt }: ListedOrder) =>
  completedAt ? (
    <span data-label="Completed">
      <Timestamp at={completedAt} precision="recent" />
    </span>
  ) : (
    <span class="badge pending">Open</span>
  ),
);
