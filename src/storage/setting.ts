import { type Statement, statement } from "./statement.ts";

/**
 * The setting for the last category number that the service assigned. A database sequence cannot be used, because people can also
 * choose a category's number, and this must not affect the numbers that the service assigns.
 */
export const LAST_CATEGORY = "last category";

/** The setting that stores the highest identifier of all deleted events, whether they were pruned or deleted by a reset. */
export const REMOVED_EVENTS = "removed events";

/** Writes a setting. Two transactions cannot write the same setting at the same time: one of them is retried. */
export const writeSetting: Statement<[name: string, value: string]> = statement(
  "INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
);
