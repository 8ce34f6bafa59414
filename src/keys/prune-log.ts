import { noRows, type Statement } from "../storage/statement.ts";

type LogTable = "key_request" | "key_refusal";

/** Deletes all but a key's last rows. */
export function pruneOfKey(table: LogTable): Statement<[keyId: string, kept: number], undefined> {
  return {
    sql: `DELETE FROM ${table} WHERE key_id = $1 AND at < (SELECT at FROM ${table} WHERE key_id = $1
      ORDER BY at DESC LIMIT 1 OFFSET CAST($2 AS BIGINT))`,
    decode: noRows,
  };
}

export function pruneOlder(table: LogTable): Statement<[before: number], undefined> {
  return { sql: `DELETE FROM ${table} WHERE at < $1`, decode: noRows };
}
