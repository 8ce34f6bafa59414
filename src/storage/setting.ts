import { type Statement, statement } from "./statement.ts";

/**
 * Setting with the last category number that the service assigned. A sequence would not do, because people also choose numbers,
 * and those must not affect it.
 */
export const LAST_CATEGORY = "last category";

/** Setting with the highest identifier of an event that was pruned, or removed by a reset. */
export const REMOVED_EVENTS = "removed events";

/** Writes a setting. Transactions that write the same setting are serialized: one of two concurrent ones is retried. */
export const writeSetting: Statement<[name: string, value: string]> = statement(
  "INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
);
