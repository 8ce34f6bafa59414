import type { Int64 } from "exact-json/int64";
import { ENVIRONMENTS, type Environment } from "../context.ts";
import { enumColumn, members, numberColumn, optional, textColumn, timeColumn } from "../storage/row.ts";
import { type Row, type Statement, statement } from "../storage/statement.ts";
import { MESSAGE_STATUSES, type Message } from "./contract.ts";

const COLUMNS = "id, message, status, created_at";

const MESSAGE = {
  id: textColumn,
  message: textColumn,
  status: enumColumn(MESSAGE_STATUSES),
  createdAt: timeColumn,
};
const decodeMessage = members(MESSAGE);

/** A message with its environment and `traceparent`, which its delivery sends, too. */
export interface QueuedMessage extends Message {
  readonly environment: Environment;
  readonly traceparent?: string | undefined;
}

const decodeQueued: (row: Row) => QueuedMessage = members({
  ...MESSAGE,
  environment: enumColumn(ENVIRONMENTS),
  traceparent: optional(textColumn),
});

export const insertMessage: Statement<
  [id: string, message: string, createdAt: number, environment: Environment, traceparent: string | null],
  Message
> = statement(
  `INSERT INTO message (id, message, status, attempts, due_at, created_at, environment, traceparent)
    VALUES ($1, $2, 'queued', 0, $3, $3, $4, $5) RETURNING ${COLUMNS}`,
  decodeMessage,
);

export const selectMessage: Statement<[id: string, environment: Environment], Message> = statement(
  `SELECT ${COLUMNS} FROM message WHERE id = $1 AND environment = $2`,
  decodeMessage,
);

/** A page of an environment's messages before the one with time $2 and identifier $3, newest first. */
export const selectMessagePage: Statement<
  [environment: Environment, createdAt: Int64, id: string, limit: number],
  Message
> = statement(
  `SELECT ${COLUMNS} FROM message WHERE environment = $1 AND (created_at, id) < ($2, $3)
    ORDER BY created_at DESC, id DESC LIMIT CAST($4 AS BIGINT)`,
  decodeMessage,
);

const decodeClaimed = members({
  message: () => decodeQueued,
  attempts: numberColumn,
});
export type ClaimedMessage = ReturnType<typeof decodeClaimed>;

/** Claims due messages for the time of a lease; no other worker claims them before it ends. */
export function claimMessages(
  skipLocked: string,
): Statement<[now: number, leaseEnd: number, limit: number], ClaimedMessage> {
  return statement(
    `UPDATE message SET due_at = $2, attempts = attempts + 1 WHERE id IN (
        SELECT id FROM message WHERE status = 'queued' AND due_at <= $1 ORDER BY due_at LIMIT CAST($3 AS BIGINT) ${skipLocked}
      ) RETURNING ${COLUMNS}, attempts, environment, traceparent`,
    decodeClaimed,
  );
}

/** The earliest due time in the message queue, past or future; undefined if the queue is empty. */
export const selectNextDue: Statement<[], number | undefined> = statement(
  "SELECT MIN(due_at) AS due_at FROM message WHERE status = 'queued'",
  optional(numberColumn)("due_at"),
);

export const finishMessage: Statement<[id: string, status: "delivered" | "failed"]> = statement(
  "UPDATE message SET status = $2 WHERE id = $1 AND status = 'queued'",
);

export const rescheduleMessage: Statement<[id: string, dueAt: number]> = statement(
  "UPDATE message SET due_at = $2 WHERE id = $1 AND status = 'queued'",
);

/** Sets due times of queued messages after $2, which only a wrong clock makes, to $1. */
export const clampFutureDueDates: Statement<[dueAt: number, latest: number]> = statement(
  "UPDATE message SET due_at = $1 WHERE status = 'queued' AND due_at > $2",
);

/** Releases a message whose attempt this process aborted: the attempt is not counted, and the message is due at $2. */
export const releaseMessage: Statement<[id: string, dueAt: number]> = statement(
  "UPDATE message SET due_at = $2, attempts = attempts - 1 WHERE id = $1 AND status = 'queued'",
);

/** Queues a delivered or failed message again, as if submitted at $3. */
export const requeueMessage: Statement<[id: string, environment: Environment, dueAt: number], Message> =
  statement(
    `UPDATE message SET status = 'queued', attempts = 0, due_at = $3
      WHERE id = $1 AND environment = $2 AND status <> 'queued' RETURNING ${COLUMNS}`,
    decodeMessage,
  );

/** Depth and age of the delivery queue; times are milliseconds since 1970. */
const decodeQueue = members({
  depth: numberColumn,
  /** Time at which the oldest queued message was submitted. */
  oldestAt: optional(numberColumn),
  /** Due time of the queue's next attempt, past or future. */
  dueAt: optional(numberColumn),
});
export type Queue = ReturnType<typeof decodeQueue>;

export const selectQueue: Statement<[], Queue> = statement(
  `SELECT count(*) AS depth, min(created_at) AS oldest_at, min(due_at) AS due_at
    FROM message WHERE status = 'queued'`,
  decodeQueue,
);

/** Stores a secret that signs deliveries of messages, unless there is one already; yields the stored secret. */
export const keepWebhookSecret: Statement<[secret: string], string> = statement(
  `INSERT INTO setting (name, value) VALUES ('webhook secret', $1)
    ON CONFLICT (name) DO UPDATE SET value = setting.value RETURNING value`,
  textColumn("value"),
);
