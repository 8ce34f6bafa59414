import { type Int64, parseInt64 } from "exact-json/int64";
import type { Order } from "../../../orders/contract.ts";
import type { Pet } from "../../../pets/contract.ts";
import { mayChange } from "../account/session.ts";
import { announce } from "../components/announce.tsx";
import { Empty } from "../components/empty.tsx";
import { TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { useKeepFocus } from "../components/keep-focus.ts";
import { ListTable } from "../components/list-table.tsx";
import { shortName } from "../components/long-text.tsx";
import { PagedList, useLivePage } from "../components/paged-list.tsx";
import { Screen } from "../components/screen.tsx";
import { StatusFilter } from "../components/status-filter.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { PetCombobox } from "../pets/pet-combobox.tsx";
import { callPage, type Page, type Query } from "../request.ts";
import { navigate, route, withQuery } from "../router.ts";
import { OrderActions } from "./order-actions.tsx";
import { ShipDate, shipDateFrom } from "./ship-date.tsx";

const STATES = [
  { value: "open", label: "Open" },
  { value: "complete", label: "Complete" },
];

interface OrdersPage extends Page<Order> {
  readonly petNames: ReadonlyMap<Int64, string>;
}

export function Orders() {
  const { query } = route.value;
  const petId = query.get("for") ?? undefined;
  const animal = query.get("animal") ?? "";
  const status = query.get("status");
  const complete = status === null ? undefined : String(status === "complete");
  const orders = useLivePage("order", readOrders, { petId, complete });
  const all = petId === undefined ? undefined : <a href="/orders">All orders</a>;
  return (
    <Screen title={petId === undefined ? "Orders" : `Orders for animal ${petId}`} actions={all}>
      <div class="stack">
        {petId === undefined && mayChange.value && (
          <PlaceOrder key={animal} animal={animal} onPlaced={orders.reload} />
        )}
        <search class="filter">
          <StatusFilter choices={STATES} />
        </search>
        <PagedList
          loaded={orders}
          what="orders"
          empty={<NoOrders petId={petId} isFiltered={status !== null} />}
        >
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

interface NoOrdersProps {
  readonly petId: string | undefined;
  readonly isFiltered: boolean;
}

function NoOrders({ petId, isFiltered }: NoOrdersProps) {
  if (isFiltered) {
    return (
      <Empty title="No order has this status.">
        <p>
          <a href={withQuery({ status: "" })}>Show orders of any status</a>
        </p>
      </Empty>
    );
  }
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

function OrderTable({ page, reload }: { readonly page: OrdersPage; readonly reload: () => Promise<void> }) {
  const list = useKeepFocus<HTMLDivElement>("h1");
  return (
    <div {...list}>
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
          "Ship date": ({ shipDate }) => <ShipDate shipDate={shipDate} />,
          Placed: ({ createdAt }) => <Timestamp at={createdAt} />,
          State: ({ complete, completedAt }) => (
            <>
              <span class={`badge ${complete ? "sold" : "pending"}`}>{complete ? "Complete" : "Open"}</span>{" "}
              {completedAt && <Timestamp at={completedAt} />}
            </>
          ),
          Actions: (order) => <RowActions order={order} page={page} onChanged={reload} />,
        }}
      />
    </div>
  );
}

interface RowActionsProps {
  readonly order: Order;
  readonly page: OrdersPage;
  readonly onChanged: () => Promise<void>;
}

function RowActions({ order, page, onChanged }: RowActionsProps) {
  const place = useKeepFocus<HTMLDivElement>();
  const pet = { id: order.petId, name: page.petNames.get(order.petId) ?? "" };
  return (
    <div class="row-actions" {...place}>
      <OrderActions order={order} pet={pet} onChanged={onChanged} />
      <a href={`/animals/${order.petId}`} aria-label={`History of ${petName(order, page)}`}>
        History
      </a>
    </div>
  );
}

function petName({ petId }: Order, { petNames }: OrdersPage): string {
  return shortName(petNames.get(petId) ?? "", `Animal ${petId}`);
}

interface PlaceOrderProps {
  /** Number of the animal to order; empty if it is not chosen yet. */
  readonly animal: string;
  readonly onPlaced: () => Promise<void>;
}

function PlaceOrder({ animal, onPlaced }: PlaceOrderProps) {
  const form = useForm<"petId" | "shipDate">({
    // A draft belongs to one animal.
    id: animal === "" ? "new-order" : `new-order-${animal}`,
    initial: { petId: animal, shipDate: "" },
    check: ({ petId }) => (parseInt64(petId) === undefined ? { petId: "is required" } : {}),
    async send({ petId, shipDate }, create) {
      const body = { petId: parseInt64(petId), shipDate: shipDateFrom(shipDate) };
      const order = await create<Order>("/store/orders", body);
      announce(`Order ${order.id} placed`);
      if (animal !== "") navigate("/orders", { replace: true });
      else document.getElementById("new-order-petId")?.focus();
      void onPlaced();
    },
  });
  const problem = form.problems["petId"];
  return (
    <section class="card">
      <h2>New order</h2>
      <Form form={form} label="Place an order" submitLabel="Place order" busyLabel="Placing…">
        <PetCombobox
          id={`${form.id}-petId`}
          value={form.values.petId}
          onSelect={(value) => form.set("petId", value)}
          problem={problem && `Animal ${problem}`}
        />
        <TextField form={form} name="shipDate" label="Ship date" type="date" isOptional />
      </Form>
    </section>
  );
}
