import type { Int64 } from "exact-json/int64";
import { DELIVERY_ATTEMPTS_SHOWN_MAX, PRUNED_MAX } from "../limits.ts";
import type { Query } from "../storage/database.ts";
import {
  int64Column,
  members,
  nullable,
  numberColumn,
  optional,
  textColumn,
  timeColumn,
} from "../storage/row.ts";
import { type Row, type SqlValue, type Statement, statement, type Values } from "../storage/statement.ts";
import type { DeliveryAttempt } from "./contract.ts";

/**
 * The tables with deliveries: messages, events for webhooks, and emails. Only queued rows have a `due_at`, the time of the next
 * attempt.
 */
type QueueTable = "message" | "delivery" | "mail";

/** Decodes the state of a queue: the number of queued deliveries, and times in milliseconds since 1970. */
const decodeQueue = members({
  queued: numberColumn,
  /** The time at which the oldest queued delivery was created. */
  oldestAt: optional(numberColumn),
  /** The time at which the next attempt is due. It is in the past if the attempt is late. */
  dueAt: optional(numberColumn),
  /** The time of the oldest event whose deliveries have not been created yet. */
  unreadAt: optional(numberColumn),
});

/**
 * Builds the statements for a delivery queue. Times are in milliseconds since 1970.
 *
 * @param earliest an SQL statement that selects the earliest `due_at`, which may be in the past
 * @param unreadAt an SQL expression for the time of the oldest event whose deliveries have not been created yet
 */
export function queueOf(table: QueueTable, earliest: string, unreadAt = "CAST(NULL AS BIGINT)") {
  /**
   * Stores a delivery's new status, but only if the delivery is still queued. It returns a row in both cases, so that the attempt
   * is always recorded.
   */
  const settle: Statement<
    [id: Int64 | string, status: "queued" | "delivered" | "failed", dueAt: number | null]
  > = statement(
    `UPDATE ${table} SET due_at = CASE WHEN status = 'queued' THEN CAST($3 AS BIGINT) ELSE due_at END,
        status = CASE WHEN status = 'queued' THEN $2 ELSE status END
      WHERE id = $1 RETURNING id`,
  );
  /**
   * Gives back a delivery that was claimed but not sent, so that the attempt does not count. The delivery becomes due at $2, unless
   * another worker has claimed it in the meantime.
   */
  const release: Statement<[id: Int64 | string, dueAt: number, leaseEnd: number]> = statement(
    `UPDATE ${table} SET due_at = CASE WHEN due_at = $3 THEN CAST($2 AS BIGINT) ELSE due_at END, attempts = attempts - 1
      WHERE id = $1 AND status = 'queued'`,
  );
  /** Sets every due time that is later than $2 to $1, because only a wrong clock can have set such a time. */
  const clamp: Statement<[dueAt: number, latest: number]> = statement(
    `UPDATE ${table} SET due_at = $1 WHERE status = 'queued' AND due_at > $2`,
  );
  const nextDue: Statement<[], number | undefined> = {
    sql: earliest,
    decode: optional(numberColumn)("due_at"),
  };
  const state: Statement<[], ReturnType<typeof decodeQueue>> = {
    sql: `SELECT count(*) AS queued, min(created_at) AS oldest_at, min(due_at) AS due_at, ${unreadAt} AS unread_at
      FROM ${table} WHERE status = 'queued'`,
    decode: decodeQueue,
  };
  return { settle, release, clamp, nextDue, state };
}
export type DeliveryQueue = ReturnType<typeof queueOf>;

/**
 * Builds the statement that claims due deliveries. It sets `due_at` to the end of the claim (the lease). Until then, no other
 * worker can claim these deliveries.
 *
 * @param scope an SQL condition for the deliveries that may be claimed; its parameters begin with $4
 */
export function claimDue<Claimed, Scope extends readonly SqlValue[] = []>(
  table: QueueTable,
  skipLocked: string,
  columns: string,
  decode: (row: Row) => Claimed,
  scope = "",
): Statement<[now: number, leaseEnd: number, limit: number, ...Scope], Claimed> {
  const sql = `UPDATE ${table} SET due_at = $2, attempts = attempts + 1 WHERE id IN (
      SELECT id FROM ${table} WHERE status = 'queued' AND due_at <= $1 ${scope}
      ORDER BY due_at LIMIT CAST($3 AS BIGINT) ${skipLocked}
    ) RETURNING ${columns}, attempts, due_at`;
  return { sql, decode };
}

/** One attempt at a delivery. Times and durations are in milliseconds. */
export interface NewAttempt {
  readonly at: number;
  readonly duration: number;
  readonly status?: number | undefined;
  readonly error?: string | undefined;
}

const insert: Statement<{
  deliveryId: string;
  at: number;
  duration: number;
  status: number | null;
  error: string | null;
}> = {
  ...statement(
    "INSERT INTO delivery_attempt (delivery_id, at, duration, status, error) VALUES ($deliveryId, $at, $duration, $status, $error)",
  ),
  isUnread: true,
};

/** Records a delivery attempt. @param deliveryId the identifier of a message, a mail or a webhook delivery */
export function insertAttempt(query: Query, deliveryId: string, { at, duration, status, error }: NewAttempt) {
  return query(insert, { deliveryId, at, duration, status: status ?? null, error: error ?? null });
}

const decodeAttempt = members({
  createdAt: () => timeColumn("at"),
  durationMs: () => numberColumn("duration"),
  status: () => nullable(numberColumn)("attempt_status"),
  error: nullable(textColumn),
});
const optionalAttempt = optional(() => decodeAttempt)("at");

interface AttemptRow<Item> {
  readonly item: Item;
  readonly attempt: DeliveryAttempt | undefined;
}

/**
 * Builds a statement that selects a page of items, such as messages, with their latest delivery attempts. The statement returns one
 * row for each attempt, with the newest attempts first, and a single row for an item without attempts.
 */
export function withAttempts<Given extends Values, Item>(
  page: string,
  decode: (row: Row) => Item,
): Statement<Given, AttemptRow<Item>> {
  const sql = `SELECT page_row.*, tried.at, tried.duration, tried.status AS attempt_status, tried.error FROM (${page}) AS page_row
    LEFT JOIN delivery_attempt AS tried ON tried.delivery_id = CAST(page_row.id AS TEXT)
      AND tried.id IN (SELECT latest.id FROM delivery_attempt AS latest WHERE latest.delivery_id = CAST(page_row.id AS TEXT)
        ORDER BY latest.id DESC LIMIT CAST(${DELIVERY_ATTEMPTS_SHOWN_MAX} AS BIGINT))
    ORDER BY page_row.id DESC, tried.id DESC`;
  return { sql, decode: (row) => ({ item: decode(row), attempt: optionalAttempt(row) }) };
}

/** Groups rows into messages or deliveries with their attempts, and keeps the order of the rows. */
export function gatherAttempts<Item extends { readonly id: unknown }>(rows: readonly AttemptRow<Item>[]) {
  return [...Map.groupBy(rows, ({ item }) => item.id).values()].flatMap((ofOne) =>
    ofOne
      .slice(0, 1)
      .map(({ item }) => ({ ...item, attempts: ofOne.flatMap(({ attempt }) => attempt ?? []) })),
  );
}

/**
 * SQL condition for a batch of the oldest rows after $2. The condition is a range of identifiers. With a list of identifiers and
 * old statistics, the database might search the whole table for each row.
 */
export function inOldest<const Table extends string>(table: Table) {
  return `id > $2 AND id <= (SELECT max(id) FROM
    (SELECT id FROM ${table} WHERE id > $2 ORDER BY id LIMIT (${PRUNED_MAX})) AS batch)` as const;
}

/** Deletes one batch of the oldest delivery attempts after $2 that were made before $1, and returns their identifiers. */
export const pruneDeliveryAttempts: Statement<[before: number, after: Int64], Int64> = statement(
  `DELETE FROM delivery_attempt WHERE at < $1 AND ${inOldest("delivery_attempt")} RETURNING id`,
  int64Column("id"),
);
