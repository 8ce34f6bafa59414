import { type Statement, statement } from "./statement.ts";

/** Setting with the last generated category number. A sequence would not do, because numbers that people choose would move it. */
export const LAST_CATEGORY = "last category";

/** Setting with the highest identifier of an event that was pruned, or removed by a reset. */
export const REMOVED_EVENTS = "removed events";

/** Writes a setting. It serializes transactions that write the same one: of two concurrent ones, one is retried. */
export const writeSetting: Statement<[name: string, value: string]> = statement(
  "INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
);
