import { route, withQuery } from "../router.ts";

interface PagingProps {
  readonly next: string | undefined;
  /** `animals` */
  readonly what: string;
}

/** Links to the newest and to the next older page; nothing when there is only one. */
export function Paging({ next, what }: PagingProps) {
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
