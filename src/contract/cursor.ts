import { INT64_MAX } from "exact-json/int64";
import { ServiceError } from "../errors.ts";
import { andThen, type Maybe } from "../platform/maybe.ts";
import { writeJson } from "./json/json.ts";
import type { Page } from "./operation.ts";
import { isStorable } from "./schema.ts";

/** Identifies the query that a cursor belongs to: operation, environment and all filters, but not the page size. */
type CursorScope = readonly [operation: string, ...filters: unknown[]];

const POSITION_BYTES = 8;
const CHECKSUM_BYTES = 8;
const HEAD_BYTES = POSITION_BYTES + CHECKSUM_BYTES;

/** A buffer for encoding or decoding one cursor at a time. A cursor that does not fit into the buffer is invalid. */
const scratch = Buffer.alloc(256);

/**
 * The part of a request's context that determines whether a cursor is valid. `environment` is absent if the list is the same in
 * both environments.
 */
interface Origin {
  readonly actor: { readonly kind: string; readonly environment?: string };
  /** Identifies the contents of staging since its last reset; empty before the first reset. */
  readonly storeId?: string | undefined;
}

/**
 * Returns the last parts of a cursor's scope: the environment and the store identifier. A reset of staging changes the store
 * identifier, so older cursors become invalid.
 */
export function scopeEndOf({ actor: { environment }, storeId }: Origin): readonly unknown[] {
  return storeId ? [environment, storeId] : [environment];
}

/** An item's position in its list: a number to sort by, and a string that decides the order of items with the same number. */
export interface Position {
  readonly position: bigint;
  readonly text: string;
}

/** A list that grows at its end. Even the last page has a cursor, so that a client can later request the items after `end`. */
interface GrowingList {
  readonly first: Position;
  /** Position of the newest item when the page is read, even if the filter of the list excludes this item. */
  readonly end: Position;
}

type Read<Item> = (after: Position, count: number) => Maybe<readonly Item[]>;

interface Paging {
  readonly limit: number;
  readonly cursor: string | undefined;
}

/**
 * Reads a page (keyset pagination). `read` must return up to `count` rows whose identifier is lower than `below`, in descending
 * order. Rows that are added between two reads do not move any item to another page.
 *
 * @throws ServiceError `invalid_cursor` if the cursor is malformed or belongs to another query or environment
 */
export function readPage<Item extends { readonly id: number | bigint }>(
  origin: Origin,
  paging: Paging,
  query: CursorScope,
  read: (below: bigint, count: number) => Maybe<readonly Item[]>,
): Maybe<Page<Item>> {
  return readPageBy([...query, ...scopeEndOf(origin)], paging, positionOfId, ({ position }, count) =>
    read(position, count),
  );
}

function positionOfId({ id }: { readonly id: number | bigint }): Position {
  return { position: BigInt(id), text: "" };
}

export interface Found<Item> {
  readonly items: readonly Item[];
  /**
   * Identifier at which the scan stopped: all rows with this identifier or a higher one have been read. Set only if the scan
   * stopped before the end of the list.
   */
  readonly end?: bigint | undefined;
}

/**
 * Reads a page of a search. `find` must return up to `count` items whose identifier is lower than `below`. If `find` stops early,
 * there is a next page, even if few or no items were found.
 *
 * @throws ServiceError `invalid_cursor` if the cursor is malformed or belongs to another query or environment
 */
export async function readFoundPage<Item extends { readonly id: number | bigint }>(
  origin: Origin,
  { limit, cursor }: Paging,
  filters: CursorScope,
  find: (below: bigint, count: number) => Promise<Found<Item>>,
): Promise<Page<Item>> {
  const query = writeJson([...filters, ...scopeEndOf(origin)]);
  const { position } = cursor === undefined ? FIRST : readCursor(cursor, query);
  const { items, end } = await find(position, limit + 1);
  const shown = items.slice(0, limit);
  const last = items.length > limit ? shown.at(-1)?.id : end;
  if (last === undefined) return { items: shown };
  return { items: shown, next: writeCursor(positionOfId({ id: last }), query) };
}

/**
 * Reads a page of a list that is ordered by `positionOf`.
 *
 * @param growing the first and the newest position of a list whose newest items come last; undefined for any other list
 */
export function readPageBy<Item>(
  scope: CursorScope,
  { limit, cursor }: Paging,
  positionOf: (item: Item) => Position,
  read: Read<Item>,
  growing?: GrowingList,
): Maybe<Page<Item>> {
  const query = writeJson(scope);
  const first = cursor === undefined ? (growing?.first ?? FIRST) : readCursor(cursor, query);
  return andThen(read(first, limit + 1), (rows) => {
    const items = rows.length > limit ? rows.slice(0, limit) : rows;
    const last = items.at(-1);
    if (rows.length > limit && last !== undefined)
      return { items, next: writeCursor(positionOf(last), query) };
    if (growing === undefined) return { items };
    const end = last === undefined ? first : laterOf(first, positionOf(last));
    return { items, next: writeCursor(laterOf(end, growing.end), query) };
  });
}

function laterOf(a: Position, b: Position): Position {
  return a.position > b.position ? a : b;
}

const FIRST: Position = { position: INT64_MAX, text: "" };

/**
 * Encodes a cursor that a client sends to continue a query after a position. The cursor is the base64url of the position's number,
 * a checksum, and the position's text.
 */
function writeCursor(at: Position, query: string): string {
  scratch.writeBigInt64BE(at.position);
  scratch.writeBigUInt64BE(checksum(at, query), POSITION_BYTES);
  const length = HEAD_BYTES + scratch.write(at.text, HEAD_BYTES);
  return scratch.toString("base64url", 0, length);
}

/** Decodes a cursor. @throws ServiceError `invalid_cursor` if it is malformed or belongs to another query or environment */
function readCursor(cursor: string, query: string): Position {
  const length = scratch.write(cursor, "base64url");
  if (length >= HEAD_BYTES && scratch.toString("base64url", 0, length) === cursor) {
    const at = { position: scratch.readBigInt64BE(), text: scratch.toString("utf8", HEAD_BYTES, length) };
    if (isStorable(at.text) && scratch.readBigUInt64BE(POSITION_BYTES) === checksum(at, query)) return at;
  }
  throw new ServiceError(
    "invalid_cursor",
    "cursor must be a cursor that this list returned in a Link header, with the same filters.",
  );
}

/**
 * Computes the checksum of a cursor. A signature is not necessary, because a forged cursor only gives access to items that the
 * key may read anyway.
 */
function checksum({ position, text }: Position, query: string): bigint {
  return Bun.hash.wyhash(`${position} ${text} ${query}`);
}
