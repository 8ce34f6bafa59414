import { ServiceError } from "../errors.ts";
import { writeJson } from "./json/json.ts";
import type { Page } from "./operation.ts";
import { isStorable } from "./schema.ts";

/** The query a cursor belongs to: the operation and every filter, but not the page size. */
export type CursorScope = readonly unknown[];

const POSITION_BYTES = 8;
const SEAL_BYTES = 8;
const HEAD_BYTES = POSITION_BYTES + SEAL_BYTES;

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
  const text = Buffer.from(at.text);
  const bytes = Buffer.alloc(HEAD_BYTES + text.length);
  bytes.writeBigInt64BE(at.position);
  bytes.writeBigUInt64BE(seal(at, scope), POSITION_BYTES);
  bytes.set(text, HEAD_BYTES);
  return bytes.toString("base64url");
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
  const isWhole = bytes.length >= HEAD_BYTES && bytes.toString("base64url") === cursor;
  const at = isWhole
    ? { position: bytes.readBigInt64BE(), text: bytes.toString("utf8", HEAD_BYTES) }
    : undefined;
  if (at === undefined || !isStorable(at.text) || bytes.readBigUInt64BE(POSITION_BYTES) !== seal(at, scope)) {
    throw new ServiceError(
      "invalid_cursor",
      "cursor must be one that this list returned in a Link header, with the same filters.",
    );
  }
  return at;
}

/** It tells a mistake and another query, not a forger, who could read nothing by it that is not theirs to read. */
function seal({ position, text }: Position, scope: CursorScope): bigint {
  return Bun.hash.wyhash(`${position} ${text} ${writeJson(scope)}`);
}
