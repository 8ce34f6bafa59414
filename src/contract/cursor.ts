import { createHash } from "node:crypto";
import { ServiceError } from "../errors.ts";
import { writeJson } from "./json.ts";
import type { Page } from "./operation.ts";

/** The query a cursor belongs to: the operation and every filter, but not the page size. */
export type CursorScope = readonly unknown[];

const POSITION_BYTES = 8;
const SEAL_BYTES = 8;

/**
 * Cuts a page from `limit + 1` rows. Pages are keyed by the last identifier shown, so that rows added meanwhile
 * move nothing.
 */
export function pageOf<Item extends { readonly id: number | bigint }>(
  rows: readonly Item[],
  limit: number,
  scope: CursorScope,
): Page<Item> {
  if (rows.length <= limit) return { items: rows };
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return last === undefined ? { items } : { items, next: writeCursor(BigInt(last.id), scope) };
}

/** An opaque cursor: the identifier to go on below, sealed together with the query it belongs to. */
function writeCursor(id: bigint, scope: CursorScope): string {
  const bytes = Buffer.alloc(POSITION_BYTES + SEAL_BYTES);
  bytes.writeBigInt64BE(id);
  seal(id, scope).copy(bytes, POSITION_BYTES);
  return bytes.toString("base64url");
}

/**
 * The identifier that a cursor goes on below; undefined when there is no cursor.
 *
 * @throws ServiceError `invalid_cursor` when it is malformed or was issued for another query.
 */
export function readCursor(cursor: string | undefined, scope: CursorScope): bigint | undefined {
  if (cursor === undefined) return undefined;
  const bytes = Buffer.from(cursor, "base64url");
  const isWhole = bytes.length === POSITION_BYTES + SEAL_BYTES && bytes.toString("base64url") === cursor;
  const id = isWhole ? bytes.readBigInt64BE() : undefined;
  if (id === undefined || !seal(id, scope).equals(bytes.subarray(POSITION_BYTES))) {
    throw new ServiceError(
      "invalid_cursor",
      "cursor must be one that this list returned in a Link header, with the same filters.",
    );
  }
  return id;
}

function seal(id: bigint, scope: CursorScope): Buffer {
  return createHash("sha256")
    .update(writeJson([id, ...scope]))
    .digest()
    .subarray(0, SEAL_BYTES);
}
