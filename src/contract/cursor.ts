import { ServiceError } from "../errors.ts";
import { sha256 } from "../sha256.ts";
import { writeJson } from "./json.ts";
import type { Page } from "./operation.ts";
import { isStorable } from "./schema.ts";

/** The query a cursor belongs to: the operation and every filter, but not the page size. */
export type CursorScope = readonly unknown[];

const POSITION_BYTES = 8;
const SEAL_BYTES = 8;

/** Where a page ended: the last number shown and, where that is not unique, a text that is. */
interface Position {
  readonly position: bigint;
  readonly text: string;
}

/**
 * Cuts a page from `limit + 1` rows. Pages are keyed by the last identifier shown, so that rows added meanwhile
 * move nothing.
 */
export function pageOf<Item extends { readonly id: number | bigint }>(
  rows: readonly Item[],
  limit: number,
  scope: CursorScope,
): Page<Item> {
  return textPageOf(rows, limit, scope, ({ id }) => ({ position: BigInt(id), text: "" }));
}

/** The same for rows that are not ordered by their identifier. */
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

/** An opaque cursor: where to go on, sealed together with the query it belongs to. */
function writeCursor(at: Position, scope: CursorScope): string {
  const bytes = Buffer.alloc(POSITION_BYTES + SEAL_BYTES);
  bytes.writeBigInt64BE(at.position);
  bytes.set(seal(at, scope), POSITION_BYTES);
  return Buffer.concat([bytes, Buffer.from(at.text)]).toString("base64url");
}

/**
 * The identifier that a cursor goes on below; undefined when there is no cursor.
 *
 * @throws ServiceError `invalid_cursor` when it is malformed or was issued for another query.
 */
export function readCursor(cursor: string | undefined, scope: CursorScope): bigint | undefined {
  return readTextCursor(cursor, scope)?.position;
}

/** The same for a list that `textPageOf` cuts. */
export function readTextCursor(cursor: string | undefined, scope: CursorScope): Position | undefined {
  if (cursor === undefined) return undefined;
  const bytes = Buffer.from(cursor, "base64url");
  const end = POSITION_BYTES + SEAL_BYTES;
  const isWhole = bytes.length >= end && bytes.toString("base64url") === cursor;
  const at = isWhole ? { position: bytes.readBigInt64BE(), text: bytes.subarray(end).toString() } : undefined;
  if (
    at === undefined ||
    !isStorable(at.text) ||
    !bytes.subarray(POSITION_BYTES, end).equals(seal(at, scope))
  ) {
    throw new ServiceError(
      "invalid_cursor",
      "cursor must be one that this list returned in a Link header, with the same filters.",
    );
  }
  return at;
}

function seal({ position, text }: Position, scope: CursorScope): Uint8Array {
  return sha256(writeJson([String(position), text, ...scope])).subarray(0, SEAL_BYTES);
}
