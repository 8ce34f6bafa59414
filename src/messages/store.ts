import type { Int64 } from "exact-json/int64";
import { ENVIRONMENTS, type Environment } from "../context.ts";
import { DELIVERY_STATUSES } from "../delivery-queue/contract.ts";
import { claimDue, queueOf, withAttempts } from "../delivery-queue/store.ts";
import { enumColumn, members, numberColumn, optional, textColumn, timeColumn } from "../storage/row.ts";
import { type Row, type Statement, statement } from "../storage/statement.ts";
import type { Message, MessageWithAttempts } from "./contract.ts";

const COLUMNS = "id, message, status, created_at";

const EXCERPT_CHARACTERS = 255; // maximum length, in characters, of the excerpt that a list shows of a message; the ellipsis of a longer message is included
const EXCERPT = `CASE WHEN length(message) > ${EXCERPT_CHARACTERS}
  THEN substr(message, 1, ${EXCERPT_CHARACTERS - 1}) || '…' ELSE message END` as const;

const MESSAGE = {
  id: textColumn,
  message: textColumn,
  status: enumColumn(DELIVERY_STATUSES),
  createdAt: timeColumn,
};
const decodeMessage = members(MESSAGE);

/** A message that one worker has leased, with the environment and `traceparent` that its delivery needs. */
export interface ClaimedMessage extends Message {
  readonly environment: Environment;
  readonly traceparent?: string | undefined;
  /** The number of attempts to deliver the message, including the current one. */
  readonly attempts: number;
  /** Time at which the worker's claim (the lease) ends, in milliseconds since 1970. */
  readonly dueAt: number;
}

const decodeClaimed: (row: Row) => ClaimedMessage = members({
  ...MESSAGE,
  environment: enumColumn(ENVIRONMENTS),
  traceparent: optional(textColumn),
  attempts: numberColumn,
  dueAt: numberColumn,
});

export const insertMessage: Statement<
  { id: string; message: string; createdAt: number; environment: Environment; traceparent: string | null },
  Message
> = statement(
  `INSERT INTO message (id, message, status, attempts, due_at, created_at, environment, traceparent)
    VALUES ($id, $message, 'queued', 0, $createdAt, $createdAt, $environment, $traceparent) RETURNING ${COLUMNS}`,
  decodeMessage,
);

export const selectMessage = withAttempts<
  [id: string, environment: Environment],
  Omit<MessageWithAttempts, "attempts">
>(
  `SELECT ${COLUMNS}, due_at AS next_attempt_at FROM message WHERE id = $1 AND environment = $2`,
  members({ ...MESSAGE, nextAttemptAt: optional(timeColumn) }),
);

/**
 * Selects a page of an environment's messages, newest first. The page begins after the message with the given time and identifier.
 * Long texts are cut off.
 */
export const selectMessagePage: Statement<
  { environment: Environment; createdAt: Int64; id: string; limit: number },
  Message
> = statement(
  `SELECT id, ${EXCERPT} AS message, status, created_at FROM message WHERE environment = $environment AND (created_at, id) < ($createdAt, $id)
    ORDER BY created_at DESC, id DESC LIMIT CAST($limit AS BIGINT)`,
  decodeMessage,
);

export const messageQueue = queueOf(
  "message",
  "SELECT MIN(due_at) AS due_at FROM message WHERE status = 'queued'",
);

export const claimMessages = (skipLocked: string) =>
  claimDue("message", skipLocked, `${COLUMNS}, environment, traceparent`, decodeClaimed);

/** Queues a message again, as if it had been submitted at $2. */
export const requeueMessage: Statement<[id: string, dueAt: number]> = statement(
  "UPDATE message SET status = 'queued', attempts = 0, due_at = $2 WHERE id = $1",
);

/** Stores a secret that signs deliveries of messages, unless one is stored already. Returns the stored secret. */
export const keepWebhookSecret: Statement<[secret: string], string> = statement(
  `INSERT INTO setting (name, value) VALUES ('webhook secret', $1)
    ON CONFLICT (name) DO UPDATE SET value = setting.value RETURNING value`,
  textColumn("value"),
);
