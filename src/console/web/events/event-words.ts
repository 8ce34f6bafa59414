import type { Event } from "../../../api/event-contract.ts";
import type { EventType } from "../../../events/event.ts";
import { categoryName } from "../categories/category-names.ts";
import { shortName } from "../components/long-text.tsx";
import { statusWord } from "../pets/pet-status.tsx";

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

/** Text of an event's change, such as `Available → Sold`, or `added`. */
export function changeWords({ type, data, previous }: Event): string {
  const changes = Object.entries(previous ?? {}).filter(([member]) => member in WORDS);
  if (!type.endsWith(".updated") || changes.length === 0) return TYPE_WORDS[type].replace(/.* /, "");
  return changes.map(([member, before]) => WORDS[member]?.(before, (data as Changed)[member])).join(", ");
}

/** Functions that describe a member's change, by member; a status is clear without its name. */
const WORDS: Readonly<Record<string, (before: unknown, after: unknown) => string>> = {
  status: (before, after) => `${statusText(before)} → ${statusText(after)}`,
  name: (before, after) => `name ${quoted(before)} → ${quoted(after)}`,
  categoryId: (before, after) => `category ${categoryText(before)} → ${categoryText(after)}`,
  description: (before, after) => `description ${quoted(before)} → ${quoted(after)}`,
};

function statusText(status: unknown): string {
  return statusWord(status as Parameters<typeof statusWord>[0]);
}

function categoryText(id: unknown): string {
  return isolated(categoryName(String(id), String(id)));
}

function quoted(text: unknown): string {
  return typeof text === "string" ? `“${isolated(shortName(text, ""))}”` : "none";
}

/** Isolates text from the direction of the surrounding words (UAX #9: FIRST STRONG ISOLATE). */
function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}

export function actorWords({ actor: { kind, name } }: Pick<Event, "actor">): string {
  if (kind === "operator") return "operator";
  return kind === "key" ? `key ${shortName(name, "without a name")}` : name;
}
