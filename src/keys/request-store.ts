import { z } from "zod";
import { textColumn } from "../storage/row.ts";
import { noRows, type Statement, statement } from "../storage/statement.ts";
import { pruneOfKey, pruneOlder } from "./prune-log.ts";

const keyRequest = z.object({
  /** Milliseconds since 1970. */
  at: z.number(),
  requestId: z.string(),
  method: z.string(),
  /** The template, without values: `/v1/pets/{petId}`. Empty for a path that no route matches. */
  route: z.string(),
  status: z.number(),
});
/** A request with a valid key, refused or not. */
export type KeyRequest = z.infer<typeof keyRequest>;

const requests = z.array(keyRequest);

/** Inserts nothing for a key that is gone meanwhile. */
export const insertRequests: Statement<
  [keyId: string, newestAt: number, newestId: string, requests: string],
  undefined
> = statement(
  `INSERT INTO key_request (key_id, at, request_id, requests)
    SELECT id, $2, $3, $4 FROM api_key WHERE id = $1 ON CONFLICT DO NOTHING`,
  noRows,
);

/** Each row has one request at least. */
export const pruneRequestsOfKey = pruneOfKey("key_request");
export const pruneRequests = pruneOlder("key_request");

/** The newest rows, each with the requests that a process has gathered. */
export const selectRequests: Statement<[keyId: string, rows: number], readonly KeyRequest[]> = statement(
  "SELECT requests FROM key_request WHERE key_id = $1 ORDER BY at DESC LIMIT CAST($2 AS BIGINT)",
  (row) => requests.parse(JSON.parse(textColumn(row, "requests"))),
);
