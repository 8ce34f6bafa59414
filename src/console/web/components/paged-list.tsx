import type { Int64 } from "exact-json/int64";
import { useEffect } from "preact/hooks";
import { type Topic, useLive } from "../events/live.ts";
import { callPage, type Page, type PageNews, type Query } from "../request.ts";
import { route, withQuery } from "../router.ts";
import { type Loaded, useLoad } from "../use-load.ts";
import { announceSparsely } from "./announce.tsx";

export function usePage<Row>(path: string, filter: Query = {}): Loaded<Page<Row>> {
  const query = pageQuery(filter);
  return useLoad((signal) => callPage<Row>(path, { query, signal }), [path, JSON.stringify(query)]);
}

export function useLivePage<Value extends Page<Identified>>(
  topic: Topic,
  read: (query: Query, signal?: AbortSignal) => Promise<Value>,
  filter: Query = {},
): Loaded<Value> {
  const query = pageQuery(filter);
  const page = useLoad((signal) => read(query, signal), [JSON.stringify(query)]);
  useLive([topic], async () => {
    // The list is loaded again, because the request that is already running may have begun before the change.
    if (page.isLoading) return page.reload();
    // Reads a longer first page, so that it still contains the items on screen if new items have pushed them down.
    const fresh = await read(query.cursor === undefined ? { ...query, limit: "100" } : query);
    page.update((shown) => (shown.items.length === 0 ? fresh : refreshed(shown, fresh, topic)));
  });
  useNewsAnnounced(page.value?.news);
  return page;
}

export function useNewsAnnounced(news: PageNews | undefined): void {
  const summary = [news?.added, news && news.gone.size > 0 && `${news.gone.size} gone`]
    .filter(Boolean)
    .join(", ");
  useEffect(() => {
    if (summary !== "") announceSparsely(summary);
  }, [summary]);
}

function pageQuery(filter: Query) {
  return { ...filter, cursor: route.value.query.get("cursor") ?? undefined };
}

interface NewItemsProps {
  readonly news: PageNews | undefined;
  readonly show: () => Promise<void>;
}

/** A button that adds the new items to the list on screen. The button takes no space, so that no row moves when it appears. */
export function NewItems({ news, show }: NewItemsProps) {
  if (!news?.added) return null;
  async function showThem() {
    // The focus moves to the heading, because the pressed button disappears and the focus would be lost.
    document.querySelector("h1")?.focus();
    await show();
  }
  return (
    <div class="new-items">
      <button type="button" translate={false} onClick={() => void showThem()}>
        {news.added}
      </button>
    </div>
  );
}

export function Paging({ next, what }: { readonly next: string | undefined; readonly what: string }) {
  const isFirst = !route.value.query.has("cursor");
  if (isFirst && next === undefined) return null;
  return (
    <nav class="paging" aria-label={`Pages of ${what}`}>
      {!isFirst && <a href={withQuery({ cursor: "" })}>Newest {what}</a>}
      {next !== undefined && (
        <a rel="next" href={withQuery({ cursor: next })}>
          Older {what}
        </a>
      )}
    </nav>
  );
}

interface Identified {
  readonly id: Int64;
}

const NOUNS: Readonly<Record<Topic, readonly [one: string, several: string]>> = {
  pet: ["animal", "animals"],
  order: ["order", "orders"],
  category: ["category", "categories"],
};

/**
 * Updates the items on screen to their current values. Items that have left the list stay where they are, so that no row moves
 * under the pointer.
 *
 * @param fresh the list, read again from the same position; it may be longer than the list on screen
 * @param changed current values of items that still exist but are no longer in the list
 */
export function refreshed<Item extends Identified, Value extends Page<Item>>(
  shown: Value,
  fresh: Value,
  topic: Topic,
  changed: readonly Item[] = [],
): Value {
  const byId = new Map([...changed, ...fresh.items].map((item) => [item.id, item]));
  const [newest] = shown.items;
  const added = fresh.items.filter(({ id }) => newest !== undefined && id > newest.id).length;
  const news: PageNews = {
    gone: new Set(missing(shown.items, fresh).filter((id) => !byId.has(id))),
    added: added === 0 ? "" : `${added} new ${NOUNS[topic][added === 1 ? 0 : 1]}`,
  };
  const items = shown.items.map((item) => byId.get(item.id) ?? item);
  return { ...fresh, next: shown.next, items, news };
}

/**
 * Returns the identifiers of items on screen that a newer read of the list did not find. Items beyond the part that was read are
 * left out.
 */
export function missing(shown: readonly Identified[], { items, next }: Page<Identified>): readonly Int64[] {
  const found = new Set(items.map(({ id }) => id));
  const end = next === undefined ? undefined : items.at(-1)?.id;
  return shown.map(({ id }) => id).filter((id) => !found.has(id) && (end === undefined || id > end));
}
