import type { ComponentChildren } from "preact";
import type { Event } from "../../../event-kinds/event-kinds.ts";
import type { Order } from "../../../orders/contract.ts";
import type { Pet } from "../../../pets/contract.ts";
import { mayChange } from "../account/session.ts";
import { categoryName } from "../categories/category-names.ts";
import { useCategoryNames } from "../categories/known-categories.ts";
import { visibleText } from "../components/long-text.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { useLive } from "../events/live.ts";
import { DueDate } from "../orders/ship-date.tsx";
import { daysSince } from "../overview/days-since.ts";
import { callPage, type Versioned } from "../request.ts";
import { useLoad } from "../use-load.ts";
import { useOpenOrders } from "./open-orders.ts";
import { PetActions } from "./pet-actions.tsx";
import { StatusBadge } from "./pet-status.tsx";
import { shownStatus } from "./sales.ts";

interface PetFactsProps {
  readonly pet: Versioned<Pet>;
  readonly onEdit: (pet: Versioned<Pet>) => void;
  readonly onRemove: (pet: Versioned<Pet>) => void;
}

export function PetFacts({ pet, onEdit, onRemove }: PetFactsProps) {
  useCategoryNames();
  useOpenOrders([pet]);
  const { id, categoryId, externalId } = pet;
  const status = shownStatus(pet);
  return (
    <section class="card" aria-label="Animal">
      <dl class="facts" translate={false}>
        <Fact name="Status">
          <StatusBadge status={status} />
        </Fact>
        <Fact name="Category">
          <a href={`/animals?category=${categoryId}`} dir="auto">
            {categoryName(String(categoryId))}
          </a>
        </Fact>
        <Fact name="Number">{String(id)}</Fact>
        <Fact name="Own number">{externalId !== undefined && <bdi>{visibleText(externalId)}</bdi>}</Fact>
        {status !== "sold" && <InStock pet={pet} />}
        <LastOrder pet={pet} />
      </dl>
      {mayChange.value && (
        <div class="actions">
          <PetActions pet={pet} onRemove={onRemove}>
            <button type="button" class="secondary" onClick={() => onEdit(pet)}>
              Edit
            </button>
          </PetActions>
        </div>
      )}
    </section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    children && (
      <>
        <dt>{name}</dt>
        <dd>{children}</dd>
      </>
    )
  );
}

function InStock({ pet: { id } }: { readonly pet: Pet }) {
  const added = useLoad((signal) => {
    const query = { petId: String(id), type: "pet.created", limit: "1" };
    return callPage<Event>("/events", { query, signal });
  });
  if (added.value === undefined) return null;
  return <Fact name="In stock">{daysSince(added.value.items[0]?.createdAt ?? null)}</Fact>;
}

function LastOrder({ pet: { id } }: { readonly pet: Pet }) {
  const orders = useLoad((signal) =>
    callPage<Order>("/store/orders", { query: { petId: String(id), limit: "1" }, signal }),
  );
  useLive(["order"], orders.reload);
  const [order] = orders.value?.items ?? [];
  if (order === undefined) return null;
  return (
    <Fact name="Order">
      <a href={`/orders?for=${id}`}>Order {String(order.id)}</a>
      {order.completedAt ? (
        <>
          , completed <Timestamp at={order.completedAt} precision="ago" />
        </>
      ) : (
        order.shipDate !== null && (
          <>
            . Due <DueDate order={order} />
          </>
        )
      )}
    </Fact>
  );
}
