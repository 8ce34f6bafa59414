import type { Event } from "../../../api/event-contract.ts";
import type { EventType } from "../../../events/event.ts";
import { shortName } from "../components/long-text.tsx";

export const TYPE_WORDS: Readonly<Record<EventType, string>> = {
  "pet.created": "Animal added",
  "pet.updated": "Animal changed",
  "pet.deleted": "Animal removed",
  "order.placed": "Order placed",
  "order.completed": "Order completed",
  "order.cancelled": "Order cancelled",
  "category.created": "Category added",
  "category.updated": "Category changed",
  "category.deleted": "Category removed",
};

export function actorWords({ actor: { kind, name } }: Pick<Event, "actor">): string {
  if (kind === "operator") return "operator";
  return kind === "key" ? `key ${shortName(name, "without a name")}` : name;
}
