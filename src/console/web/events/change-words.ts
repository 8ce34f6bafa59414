import type { Event } from "../../../event-kinds/event-kinds.ts";
import { categoryName } from "../categories/category-names.ts";
import { shortName } from "../components/long-text.tsx";
import { capitalized } from "../format.ts";
import { TYPE_WORDS } from "./event-words.ts";

type Members = Readonly<Record<string, unknown>>;

/** Describes a change in words, such as `Sold`, `Moved to Dogs` or `Renamed Rex → Max`. */
export function changeWords({ type, data, previous }: Event): string {
  if (type === "order.placed") return "Ordered";
  if (type === "order.completed") return "Sold";
  const changes = Object.entries(previous ?? {});
  const told = changes.flatMap(
    ([member, before]) => WORDS[member]?.(before, (data as Members)[member]) ?? [],
  );
  const words = told.join(", ") || TYPE_WORDS[type].replace(/^Animal /, "");
  const text = type === "category.updated" ? `Category ${words}` : words;
  return capitalized(text);
}

/** For each member of a resource, a function that describes a change to that member. */
const WORDS: Readonly<Record<string, (before: unknown, after: unknown) => string>> = {
  status: (_, after) => STATUS_WORDS[String(after)] ?? "status removed",
  name: (before, after) => `renamed ${nameText(before)} → ${nameText(after)}`,
  externalId: (_, after) =>
    after === undefined ? "your own number removed" : `your own number set to ${isolated(String(after))}`,
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

/** Isolates text with FIRST STRONG ISOLATE (UAX #9), so that its writing direction does not affect the words around it. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}
