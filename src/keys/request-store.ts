import { z } from "zod";
import { textColumn } from "../storage/row.ts";
import { noRows, type Statement, statement } from "../storage/statement.ts";

const requests = z.array(
  z.object({
    at: z.number(),
    requestId: z.string(),
    method: z.string(),
    route: z.string(),
    status: z.number(),
  }),
);

/** A request with a valid key, whatever its answer. */
export interface KeyRequest {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly requestId: string;
  readonly method: string;
  /** The template, without values: `/v1/pets/{petId}`. Empty for a path that no route matches. */
  readonly route: string;
  readonly status: number;
}

/** Inserts nothing for a key that is gone meanwhile. */
export const insertRequests: Statement<
  [keyId: string, newestAt: number, newestId: string, requests: string],
  undefined
> = statement(
  `INSERT INTO key_request (key_id, at, request_id, requests)
    SELECT id, $2, $3, $4 FROM api_key WHERE id = $1 ON CONFLICT DO NOTHING`,
  noRows,
);

/** Deletes all but the last rows, each of which has one request at least. */
export const pruneRequestsOfKey: Statement<[keyId: string, kept: number], undefined> = statement(
  `DELETE FROM key_request WHERE key_id = $1 AND at < (SELECT at FROM key_request WHERE key_id = $1
    ORDER BY at DESC LIMIT 1 OFFSET CAST($2 AS BIGINT))`,
  noRows,
);

export const pruneRequests: Statement<[before: number], undefined> = statement(
  "DELETE FROM key_request WHERE at < $1",
  noRows,
);

/** The newest rows, each with the requests that a process has gathered. */
export const selectRequests: Statement<[keyId: string, rows: number], readonly KeyRequest[]> = statement(
  "SELECT requests FROM key_request WHERE key_id = $1 ORDER BY at DESC LIMIT CAST($2 AS BIGINT)",
  (row) => requests.parse(JSON.parse(textColumn(row, "requests"))),
);
