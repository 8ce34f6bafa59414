import { type Statement, statement } from "./statement.ts";

/**
 * The setting that stores the last category number that the service assigned. A sequence would not work here, because people can
 * also choose numbers, and these must not affect the numbers that the service assigns.
 */
export const LAST_CATEGORY = "last category";

/** The setting that stores the highest identifier among the events that were pruned or removed by a reset. */
export const REMOVED_EVENTS = "removed events";

/** Writes a setting. Transactions that write the same setting are serialized: if two run concurrently, one of them is retried. */
export const writeSetting: Statement<[name: string, value: string]> = statement(
  "INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
);
