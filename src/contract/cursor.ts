import { ServiceError } from "../errors.ts";
import { writeJson } from "./json/json.ts";
import type { Page } from "./operation.ts";
import { isStorable } from "./schema.ts";

/** The query a cursor belongs to: the operation and every filter, but not the page size. */
export type CursorScope = readonly unknown[];

const POSITION_BYTES = 8;
const CHECKSUM_BYTES = 8;
const HEAD_BYTES = POSITION_BYTES + CHECKSUM_BYTES;

/** The last item of a page: its sort number and, where that is not unique, a text that is. */
interface Position {
  readonly position: bigint;
  readonly text: string;
}

/**
 * A page from `limit + 1` rows. Keyset paging by the last identifier: rows added meanwhile shift no item to another page.
 */
export function pageOf<Item extends { readonly id: number | bigint }>(
  rows: readonly Item[],
  limit: number,
  scope: CursorScope,
): Page<Item> {
  return textPageOf(rows, limit, scope, ({ id }) => ({ position: BigInt(id), text: "" }));
}

/** The same for rows in another order than that of their identifiers. */
export function textPageOf<Item>(
  rows: readonly Item[],
  limit: number,
  scope: CursorScope,
  positionOf: (item: Item) => Position,
): Page<Item> {
  if (rows.length <= limit) return { items: rows };
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return last === undefined ? { items } : { items, next: writeCursor(positionOf(last), scope) };
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
 * The identifier below which the page starts; undefined without a cursor.
 *
 * @throws ServiceError `invalid_cursor` for one that is malformed or belongs to another query
 */
export function readCursor(cursor: string | undefined, scope: CursorScope): bigint | undefined {
  return readTextCursor(cursor, scope)?.position;
}

/** The same for a page of `textPageOf`. */
export function readTextCursor(cursor: string | undefined, scope: CursorScope): Position | undefined {
  if (cursor === undefined) return undefined;
  const bytes = Buffer.from(cursor, "base64url");
  const isWhole = bytes.length >= HEAD_BYTES && bytes.toString("base64url") === cursor;
  const at = isWhole
    ? { position: bytes.readBigInt64BE(), text: bytes.toString("utf8", HEAD_BYTES) }
    : undefined;
  if (
    at === undefined ||
    !isStorable(at.text) ||
    bytes.readBigUInt64BE(POSITION_BYTES) !== checksum(at, scope)
  ) {
    throw new ServiceError(
      "invalid_cursor",
      "cursor must be one that this list returned in a Link header, with the same filters.",
    );
  }
  return at;
}

/** Not a signature: a forged cursor reads nothing that its key may not read anyway. */
function checksum({ position, text }: Position, scope: CursorScope): bigint {
  return Bun.hash.wyhash(`${position} ${text} ${writeJson(scope)}`);
}
