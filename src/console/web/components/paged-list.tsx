import type { ComponentChildren } from "preact";
import type { Page, Query } from "../request.ts";
import { route, withQuery } from "../router.ts";
import { type Loaded, useLoad } from "../use-load.ts";
import { Loading } from "./loading.tsx";

/** Loads the page of a list, as filtered, that the address has the cursor of. */
export function usePage<Value>(
  read: (query: Query, signal: AbortSignal) => Promise<Value>,
  filter: Query = {},
): Loaded<Value> {
  const query = { ...filter, cursor: route.value.query.get("cursor") ?? undefined };
  return useLoad((signal) => read(query, signal), [JSON.stringify(query)]);
}

interface PagedListProps<Value> {
  readonly loaded: Loaded<Value>;
  /** `animals` */
  readonly what: string;
  /** Shown for a page without items. */
  readonly empty: ComponentChildren;
  readonly children: (page: Value) => ComponentChildren;
}

export function PagedList<Value extends Page<unknown>>(props: PagedListProps<Value>) {
  const { loaded, what, empty, children } = props;
  return (
    <Loading loaded={loaded} what={`the ${what}`}>
      {(page) => (
        <>
          {page.items.length === 0 ? empty : children(page)}
          <Paging next={page.next} what={what} />
        </>
      )}
    </Loading>
  );
}

interface PagingProps {
  readonly next: string | undefined;
  readonly what: string;
}

/** Links to the newest and to the next older page; nothing when there is only one. */
function Paging({ next, what }: PagingProps) {
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
