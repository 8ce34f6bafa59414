import type { Int64 } from "exact-json/int64";
import type { Topic } from "../events/live.ts";
import type { Page, PageNews } from "../request.ts";

export interface Identified {
  readonly id: Int64;
}

const NOUNS: Readonly<Record<Topic, readonly [one: string, several: string]>> = {
  pet: ["animal", "animals"],
  order: ["order", "orders"],
  category: ["category", "categories"],
};

/**
 * A page with its items as they are now, and those that are gone still among them: a row that moves is another one under
 * the pointer.
 *
 * @param fresh the list from the same place on; it may be longer
 */
export function refreshed<Value extends Page<Identified>>(shown: Value, fresh: Value, topic: Topic): Value {
  const byId = new Map(fresh.items.map((item) => [item.id, item]));
  const [newest] = shown.items;
  const end = fresh.next === undefined ? undefined : fresh.items.at(-1)?.id;
  const missing = shown.items.filter(({ id }) => !byId.has(id) && (end === undefined || id > end));
  const added = fresh.items.filter(({ id }) => newest !== undefined && id > newest.id).length;
  const news: PageNews = {
    gone: new Set(missing.map(({ id }) => id)),
    added: added === 0 ? "" : `${added} new ${NOUNS[topic][added === 1 ? 0 : 1]}`,
  };
  const items = shown.items.map((item) => byId.get(item.id) ?? item);
  return { ...fresh, next: shown.next, items, news };
}
