import { LONG_ROWS_READ, PAGE_BYTES_MAX } from "../limits.ts";
import type { Maybe } from "../platform/maybe.ts";

/** Lists of which a page had to end before its limit: 100 rows of 64 kB are not read for a page of 16. */
const lists = new Set<string>();

export function expectLongRows(list: string): void {
  lists.add(list);
}

/**
 * The first `count` rows behind a position. Of a list with long rows they are read a few at a time; behind those that a page
 * cannot hold, none is read.
 */
export function readRows<Item, Position>(
  list: string,
  count: number,
  first: Position,
  positionOf: (item: Item) => Position,
  read: (after: Position, count: number) => Maybe<readonly Item[]>,
): Maybe<readonly Item[]> {
  return lists.has(list) ? readPiecemeal(list, count, first, positionOf, read) : read(first, count);
}

async function readPiecemeal<Item, Position>(
  list: string,
  count: number,
  first: Position,
  positionOf: (item: Item) => Position,
  read: (after: Position, count: number) => Maybe<readonly Item[]>,
): Promise<readonly Item[]> {
  const rows: Item[] = [];
  let length = 0;
  for (let after = first; rows.length < count; ) {
    const asked = Math.min(LONG_ROWS_READ, count - rows.length);
    const more = await read(after, asked);
    rows.push(...more);
    for (const row of more) length += textLength(row);
    // A page has at least one row: the one behind it shows that there is a next page.
    if (length > PAGE_BYTES_MAX && rows.length > 1) return rows;
    const last = more.at(-1);
    if (last === undefined || more.length < asked) break;
    after = positionOf(last);
  }
  lists.delete(list);
  return rows;
}

function textLength(row: unknown): number {
  const texts = Object.values(row ?? {}).filter((value) => typeof value === "string");
  return texts.reduce((sum, text) => sum + text.length, 0);
}
