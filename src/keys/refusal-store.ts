import { numberColumn, textColumn } from "../storage/row.ts";
import { noRows, type Statement, statement } from "../storage/statement.ts";
import { pruneOfKey, pruneOlder } from "./prune-log.ts";

/** A request with a valid key that was answered with a 4xx. */
export interface Refusal {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly requestId: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly code: string;
}

/** Inserts nothing for a key that is gone meanwhile. */
export const insertRefusal: Statement<
  [keyId: string, at: number, requestId: string, method: string, path: string, status: number, code: string],
  undefined
> = statement(
  `INSERT INTO key_refusal (key_id, at, request_id, method, path, status, code)
    SELECT id, $2, $3, $4, $5, $6, $7 FROM api_key WHERE id = $1 ON CONFLICT DO NOTHING`,
  noRows,
);

export const pruneRefusalsOfKey = pruneOfKey("key_refusal");
export const pruneRefusals = pruneOlder("key_refusal");

/** Newest first. */
export const selectRefusals: Statement<[keyId: string, limit: number], Refusal> = statement(
  `SELECT at, request_id, method, path, status, code FROM key_refusal WHERE key_id = $1
    ORDER BY at DESC, request_id DESC LIMIT CAST($2 AS BIGINT)`,
  (row) => ({
    at: numberColumn(row, "at"),
    requestId: textColumn(row, "request_id"),
    method: textColumn(row, "method"),
    path: textColumn(row, "path"),
    status: numberColumn(row, "status"),
    code: textColumn(row, "code"),
  }),
);
