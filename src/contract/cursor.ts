import { INT64_MAX } from "../../client/src/int64.ts";
import { ServiceError } from "../errors.ts";
import { andThen, type Maybe } from "../platform/maybe.ts";
import { writeJson } from "./json/json.ts";
import { expectLongRows, readRows } from "./long-rows.ts";
import type { Page } from "./operation.ts";
import { isStorable } from "./schema.ts";

/** The query a cursor belongs to: the operation, the environment and every filter, but not the page size. */
type CursorScope = readonly [operation: string, ...filters: unknown[]];

const POSITION_BYTES = 8;
const CHECKSUM_BYTES = 8;
const HEAD_BYTES = POSITION_BYTES + CHECKSUM_BYTES;

/** The sender of a request. The operator and the lists that belong to no environment have none. */
interface Sender {
  readonly kind: string;
  readonly environment?: string;
}

/** An item's place in its list: its sort number and, where that is not unique, a text that is. */
export interface Position {
  readonly position: bigint;
  readonly text: string;
}

interface Paging {
  readonly limit: number;
  readonly cursor: string | undefined;
}

/**
 * Keyset paging by identifier: `read` yields up to `count` rows with an identifier under `below`, the highest first. Rows
 * added meanwhile shift no item to another page.
 *
 * @throws ServiceError `invalid_cursor` for one that is malformed or belongs to another query or environment
 */
export function readPage<Item extends { readonly id: number | bigint }>(
  { environment }: Sender,
  paging: Paging,
  query: readonly [operation: string, ...filters: unknown[]],
  read: (below: bigint, count: number) => Maybe<readonly Item[]>,
): Maybe<Page<Item>> {
  return readPageBy(
    [...query, environment],
    paging,
    ({ id }) => ({ position: BigInt(id), text: "" }),
    ({ position }, count) => read(position, count),
  );
}

/** The same in another order: `read` yields up to `count` rows behind a position, which is of `positionOf`. */
export function readPageBy<Item>(
  scope: CursorScope,
  { limit, cursor }: Paging,
  positionOf: (item: Item) => Position,
  read: (after: Position, count: number) => Maybe<readonly Item[]>,
): Maybe<Page<Item>> {
  const first = readCursor(cursor, scope) ?? { position: INT64_MAX, text: "" };
  return andThen(readRows(scope[0], limit + 1, first, positionOf, read), (rows) => {
    const after = (index: number) => {
      const item = rows[index];
      if (item === undefined) throw new RangeError(`The page has no item ${index}.`);
      return writeCursor(positionOf(item), scope);
    };
    const cursorAfter = (index: number) => {
      expectLongRows(scope[0]);
      return after(index);
    };
    if (rows.length <= limit) return { items: rows, cursorAfter };
    return { items: rows.slice(0, limit), next: after(limit - 1), cursorAfter };
  });
}

/** The cursor after this position: base64url of the position, a checksum of position and query, and the text. */
function writeCursor(at: Position, scope: CursorScope): string {
  const text = Buffer.from(at.text);
  const bytes = Buffer.alloc(HEAD_BYTES + text.length);
  bytes.writeBigInt64BE(at.position);
  bytes.writeBigUInt64BE(checksum(at, scope), POSITION_BYTES);
  bytes.set(text, HEAD_BYTES);
  return bytes.toString("base64url");
}

/**
 * The last item before the page; undefined without a cursor.
 *
 * @throws ServiceError `invalid_cursor` for one that is malformed or belongs to another query or environment
 */
function readCursor(cursor: string | undefined, scope: CursorScope): Position | undefined {
  if (cursor === undefined) return undefined;
  const bytes = Buffer.from(cursor, "base64url");
  if (bytes.length >= HEAD_BYTES && bytes.toString("base64url") === cursor) {
    const at = { position: bytes.readBigInt64BE(), text: bytes.toString("utf8", HEAD_BYTES) };
    if (isStorable(at.text) && bytes.readBigUInt64BE(POSITION_BYTES) === checksum(at, scope)) return at;
  }
  throw new ServiceError(
    "invalid_cursor",
    "cursor must be one that this list returned in a Link header, with the same filters.",
  );
}

/** Not a signature: a forged cursor reads nothing that its key may not read anyway. */
function checksum({ position, text }: Position, scope: CursorScope): bigint {
  return Bun.hash.wyhash(`${position} ${text} ${writeJson(scope)}`);
}
