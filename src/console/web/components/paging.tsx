import { place, withQuery } from "../router.ts";

interface PagingProps {
  readonly next: string | undefined;
  /** What is paged through, as in "Pages of animals". */
  readonly what: string;
}

/** Links to the newest and to the next older page; where there is one page only, nothing. */
export function Paging({ next, what }: PagingProps) {
  const isFirst = !place.value.query.has("cursor");
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
