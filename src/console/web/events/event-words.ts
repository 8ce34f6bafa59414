import type { Event } from "../../../api/event-contract.ts";
import type { EventType } from "../../../events/event.ts";
import { categoryName } from "../categories/category-names.ts";
import { shortName } from "../components/long-text.tsx";

type Changed = Readonly<Record<string, unknown>>;

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

/** Words of a change, such as `Sold`, `Moved to Dogs` or `Renamed Rex → Max`. */
export function changeWords({ type, data, previous }: Event): string {
  if (type === "order.placed") return "Ordered";
  if (type === "order.completed") return "Sold";
  const changes = Object.entries(previous ?? {});
  const told = changes.flatMap(
    ([member, before]) => WORDS[member]?.(before, (data as Changed)[member]) ?? [],
  );
  const words = told.join(", ") || TYPE_WORDS[type].replace(/^Animal /, "");
  const text = type === "category.updated" ? `Category ${words}` : words;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Functions that describe a member's change, by member. */
const WORDS: Readonly<Record<string, (before: unknown, after: unknown) => string>> = {
  status: (_, after) => STATUS_WORDS[String(after)] ?? "status removed",
  name: (before, after) => `renamed ${nameText(before)} → ${nameText(after)}`,
  categoryId: (_, after) => `moved to ${isolated(categoryName(String(after)))}`,
  description: () => "described",
};

const STATUS_WORDS: Readonly<Record<string, string>> = {
  available: "set to Available",
  pending: "set to Pending",
  sold: "sold",
};

function nameText(name: unknown): string {
  return isolated(shortName(String(name), "no name"));
}

/** Isolates text from the direction of the surrounding words (UAX #9: FIRST STRONG ISOLATE). */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}

export function actorWords({ actor: { kind, name } }: Pick<Event, "actor">): string {
  if (kind === "operator") return "operator";
  return kind === "key" ? `key ${shortName(name, "without a name")}` : name;
}
