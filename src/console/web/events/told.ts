import type { Event } from "../../../event-kinds/event-kinds.ts";
import { categoryName } from "../categories/category-names.ts";
import { shortName } from "../components/long-text.tsx";
import { capitalized } from "../format.ts";
import { TYPE_WORDS } from "./event-words.ts";

type Changed = Readonly<Record<string, unknown>>;

/** Duration in which the end of an order also tells that the same person placed it: a sale, or its undo. */
const SALE_MS = 60_000;

/** The events that have a line each: without an order's animal, and without the order of a sale. */
export function toldEvents(events: readonly Event[]): readonly Event[] {
  return events.filter((event) => !events.some((other) => isToldBy(event, other)));
}

function isToldBy(event: Event, order: Event): boolean {
  if (!("petId" in order.data) || order.actor.id !== event.actor.id) return false;
  const age = Date.parse(order.createdAt) - Date.parse(event.createdAt);
  if (event.type === "pet.updated")
    // Of one request: a client may reuse an `X-Request-Id`.
    return event.data.id === order.data.petId && event.requestId === order.requestId && age === 0;
  const isEnd = order.type !== "order.placed" && order.data.id === event.data.id;
  return event.type === "order.placed" && isEnd && age < SALE_MS;
}

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
  return capitalized(text);
}

/** Functions that describe a member's change, by member. */
const WORDS: Readonly<Record<string, (before: unknown, after: unknown) => string>> = {
  status: (_, after) => STATUS_WORDS[String(after)] ?? "status removed",
  name: (before, after) => `renamed ${nameText(before)} → ${nameText(after)}`,
  externalId: (_, after) =>
    after === undefined ? "own number removed" : `own number set to ${isolated(String(after))}`,
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
