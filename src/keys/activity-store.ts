import { z } from "zod";
import { textColumn } from "../storage/row.ts";
import { type Statement, statement } from "../storage/statement.ts";

const request = z.object({
  /** Time of the request, in milliseconds since 1970. */
  at: z.number(),
  requestId: z.string(),
  method: z.string(),
  status: z.number(),
});
const ENTRIES = {
  /**
   * Requests that used a key. The route is the template of the path, such as `/v1/pets/{petId}`; it is empty if no template
   * matches the path.
   */
  request: z.array(request.extend({ route: z.string() })),
  /** Requests that used a key and got a 4xx response. The path is stored without the query string. */
  refusal: z.array(request.extend({ path: z.string(), code: z.string() })),
};
export type ActivityKind = keyof typeof ENTRIES;
export const ACTIVITY_KINDS: readonly ActivityKind[] = ["request", "refusal"];
export type KeyRequest = z.infer<typeof ENTRIES.request>[number];
export type Refusal = z.infer<typeof ENTRIES.refusal>[number];

/**
 * Inserts one row with the requests, or the refusals, that a process has logged for a key since its previous insert. Inserts
 * nothing if the key has been deleted.
 */
export const insertActivity: Statement<{
  keyId: string;
  kind: ActivityKind;
  newestAt: number;
  newestId: string;
  entries: string;
}> = statement(
  `INSERT INTO key_activity (key_id, kind, at, subject, entries)
    SELECT id, $kind, $newestAt, $newestId, $entries FROM api_key WHERE id = $keyId ON CONFLICT DO NOTHING`,
);

/**
 * Deletes the rows of a key's logged requests or refusals, except for the newest $3 + 1 rows. Each row contains one or more
 * entries.
 */
export const pruneActivityOfKey: Statement<[keyId: string, kind: ActivityKind, kept: number]> = statement(
  `DELETE FROM key_activity WHERE key_id = $1 AND kind = $2 AND at < (SELECT at FROM key_activity
      WHERE key_id = $1 AND kind = $2 ORDER BY at DESC LIMIT 1 OFFSET CAST($3 AS BIGINT))`,
);

export const pruneKeyActivity: Statement<[before: number]> = statement(
  "DELETE FROM key_activity WHERE at < $1 AND kind <> 'deprecated-call'",
);

const entriesOf = textColumn("entries");
const SELECT_ENTRIES = `SELECT entries FROM key_activity WHERE key_id = $1 AND kind = $2
  ORDER BY at DESC, subject DESC LIMIT CAST($3 AS BIGINT)`;

type SelectEntries<Kind extends ActivityKind> = Statement<
  [keyId: string, kind: Kind, rows: number],
  z.infer<(typeof ENTRIES)[Kind]>
>;

/** Statements that select a key's newest rows of logged requests or refusals. Each row contains a batch of entries. */
export const selectEntries: { readonly [Kind in ActivityKind]: SelectEntries<Kind> } = {
  request: {
    sql: SELECT_ENTRIES,
    decode: (row) => ENTRIES.request.parse(JSON.parse(entriesOf(row))),
  },
  refusal: {
    sql: SELECT_ENTRIES,
    decode: (row) => ENTRIES.refusal.parse(JSON.parse(entriesOf(row))),
  },
};

export const markKeyUsed: Statement<[id: string, lastUsedAt: number]> = statement(
  "UPDATE api_key SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)",
);

/** Adds $3 to the number of times that a key has called a deprecated operation. Does nothing if the key has been deleted. */
export const addDeprecatedCalls: Statement<{
  keyId: string;
  operation: string;
  calls: string;
  lastCalledAt: number;
}> = statement(
  `INSERT INTO key_activity (key_id, kind, subject, entries, at)
    SELECT id, 'deprecated-call', $operation, $calls, $lastCalledAt FROM api_key WHERE id = $keyId
    ON CONFLICT (subject, key_id) WHERE kind = 'deprecated-call' DO UPDATE SET at = excluded.at,
      entries = CAST(CAST(key_activity.entries AS BIGINT) + CAST(excluded.entries AS BIGINT) AS TEXT)`,
);
