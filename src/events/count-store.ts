import { numberColumn } from "../storage/row.ts";
import { type Statement, statement } from "../storage/statement.ts";
import type { EventType } from "./event.ts";

/** The first of the events that are kept. */
export const selectOldestEvent: Statement<[], { readonly id: number; readonly createdAt: number }> =
  statement("SELECT id, created_at FROM event WHERE id > 0 ORDER BY id LIMIT 1", (row) => ({
    id: numberColumn(row, "id"),
    createdAt: numberColumn(row, "created_at"),
  }));

/**
 * The identifier from $1 on from which on events are from the time $3 or later; the one behind the newest where none is. A binary
 * search, without an index on times: later events have higher identifiers, but for corrections of the clock.
 *
 * $2: a power of two; twice as many identifiers are searched, less one
 */
export const searchEventSince: Statement<[first: number, step: number, at: number], number> = statement(
  `WITH RECURSIVE range_of (id, step) AS (
      SELECT CAST($1 AS BIGINT), CAST($2 AS BIGINT)
      UNION ALL
      SELECT CASE WHEN (SELECT created_at FROM event WHERE event.id >= range_of.id + step - 1
            ORDER BY event.id LIMIT 1) < $3 THEN id + step ELSE id END, step / 2
        FROM range_of WHERE step > 0
    )
    SELECT id FROM range_of WHERE step = 0`,
  (row) => numberColumn(row, "id"),
);

/** How many events of a type have an identifier from $2 to below $3; counting ends at $4. */
export const countEvents: Statement<[type: EventType, from: number, to: number, limit: number], number> =
  statement(
    `SELECT count(*) AS found FROM (SELECT id FROM event WHERE type = $1 AND id >= $2 AND id < $3
        ORDER BY id LIMIT CAST($4 AS BIGINT)) AS range_counted`,
    (row) => numberColumn(row, "found"),
  );

/** What the first event of a type from an identifier on was about: the order or the category. */
export const selectFirstResource: Statement<[type: EventType, from: number], number> = statement(
  "SELECT resource_id FROM event WHERE type = $1 AND id >= $2 ORDER BY id LIMIT 1",
  (row) => numberColumn(row, "resource_id"),
);
