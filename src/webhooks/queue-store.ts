import type { Int64 } from "exact-json/int64";
import { claimDue, inOldest, queueOf } from "../delivery-queue/store.ts";
import { decodeEvent, EVENT_COLUMNS, type StoredEvent } from "../events/store.ts";
import type { ResetPart } from "../storage/database.ts";
import { bigintColumn, int64Column, members, numberColumn, optional, textColumn } from "../storage/row.ts";
import { type Statement, statement } from "../storage/statement.ts";

const secret = textColumn("secret");
const previousSecret = optional(textColumn)("previous_secret");

const DELIVERY_BATCH = 250; // maximum number of deliveries to one webhook that a transaction creates or makes due; such a transaction takes a few milliseconds

/** Decodes the columns of a webhook that are needed to deliver events to it. */
const decodeTarget = members({
  id: int64Column,
  isEnabled: () => (row) => row["status"] === "enabled",
  url: textColumn,
  /** The secrets that sign a webhook's deliveries: the current secret and, until the overlap ends, the previous secret. */
  secrets: () => (row) => [secret(row), previousSecret(row) ?? []].flat(),
  /** The identifier of an event, up to which the event log is complete. */
  end: () => bigintColumn("event_end"),
  /** True if the event log contains events whose deliveries to the webhook have not been created yet. */
  isBehind: () => (row) => row["behind"] !== null,
});
export type Target = ReturnType<typeof decodeTarget>;

export const selectTargets: Statement<[now: number], Target> = {
  ...statement(
    `SELECT webhook.id, url, status, secret, CASE WHEN previous_until > $1 THEN previous_secret END AS previous_secret,
      log.id AS event_end, CASE WHEN last_event_id < log.id THEN 1 END AS behind
    FROM webhook CROSS JOIN event_end AS log ORDER BY webhook.id`,
    decodeTarget,
  ),
  isOfPrimary: true,
};

/**
 * Locks a webhook, so that no other process creates the same deliveries. Returns the last event whose deliveries to the webhook
 * have been created.
 */
export function lockTarget(skipLocked: string): Statement<[id: Int64], Int64> {
  return statement(
    `SELECT last_event_id FROM webhook WHERE id = $1 AND status = 'enabled' ${skipLocked}`,
    int64Column("last_event_id"),
  );
}

/**
 * Selects the last event of the batch that begins after event $1. If the events up to $2 do not fill a batch, the last event is
 * $2.
 */
export const selectBatchEnd: Statement<[after: Int64, end: Int64], Int64> = statement(
  `SELECT COALESCE((SELECT id FROM event WHERE id > $1 AND id < $2 ORDER BY id
      LIMIT 1 OFFSET (${DELIVERY_BATCH - 1})), CAST($2 AS BIGINT)) AS id`,
  int64Column("id"),
);

/**
 * Inserts a delivery for each event whose type is one of the webhook's types, from the event after `after` up to and including
 * `upTo`. The deliveries are not due before `dueOldest` runs.
 */
export const insertDeliveries: Statement<
  { webhookId: Int64; after: Int64; upTo: Int64; now: number },
  Int64
> = statement(
  `INSERT INTO delivery (webhook_id, event_id, type, subject, status, attempts, created_at)
    SELECT webhook.id, event.id, event.type,
      CASE WHEN event.pet_id IS NULL THEN 'category ' || event.resource_id ELSE 'pet ' || event.pet_id END,
      'queued', 0, CAST($now AS BIGINT)
    FROM webhook JOIN event ON event.id > $after AND event.id <= $upTo AND webhook.types LIKE '%"' || event.type || '"%'
    WHERE webhook.id = $webhookId ORDER BY event.id RETURNING id`,
  int64Column("id"),
);

/**
 * SQL conditions for an event that no webhook needs any longer. Its deliveries must have been created for every enabled webhook,
 * and no delivery of the event, or of an earlier event in the batch `oldest`, may be queued. Deliveries of later events are not
 * searched.
 */
export const UNNEEDED_EVENTS = [
  `id < COALESCE((SELECT min(event_id) FROM delivery WHERE status = 'queued'
    AND event_id BETWEEN (SELECT min(id) FROM oldest) AND (SELECT max(id) FROM oldest)), ${Number.MAX_SAFE_INTEGER})`,
  `id <= COALESCE((SELECT min(last_event_id) FROM webhook WHERE status = 'enabled'), ${Number.MAX_SAFE_INTEGER})`,
] as const;

export const setLastEvent: Statement<[webhookId: Int64, eventId: Int64]> = {
  ...statement("UPDATE webhook SET last_event_id = $2 WHERE id = $1"),
  isUnread: true,
};

/** Makes every webhook skip all existing events, so that they are not delivered. */
export const skipEvents: Statement<[]> = statement(
  "UPDATE webhook SET last_event_id = COALESCE((SELECT max(id) FROM event), last_event_id) WHERE id > 0",
);

/**
 * SQL that selects a webhook's oldest queued delivery about an animal or category. It is written so that every database uses the
 * index.
 */
export const oldestOf = <Webhook extends string, Subject extends string>(
  webhook: Webhook,
  subject: Subject,
) =>
  `(SELECT first.id FROM delivery AS first WHERE first.webhook_id = ${webhook} AND first.subject = ${subject}
    AND first.status = 'queued' ORDER BY first.id LIMIT 1)` as const;

/** SQL for a webhook's queued deliveries in ascending order, beginning with identifier $2. */
const QUEUED_FROM =
  "FROM delivery AS page_queue WHERE webhook_id = $1 AND status = 'queued' AND id >= $2 ORDER BY id";

/**
 * Makes a batch of queued deliveries due, except deliveries that must wait for an earlier delivery about the same animal or
 * category.
 */
export const dueOldest: Statement<[webhookId: Int64, from: Int64, now: number]> = statement(
  `UPDATE delivery SET due_at = $3 WHERE due_at IS NULL AND id IN (
    SELECT id FROM (SELECT id, subject ${QUEUED_FROM} LIMIT (${DELIVERY_BATCH})) AS page_batch
    WHERE id = ${oldestOf("$1", "page_batch.subject")})`,
);

/**
 * Selects the last delivery in a full batch of queued deliveries. Returns no row if the remaining deliveries do not fill a batch.
 */
export const selectBatchLast: Statement<[webhookId: Int64, from: Int64], Int64> = statement(
  `SELECT id ${QUEUED_FROM} LIMIT 1 OFFSET (${DELIVERY_BATCH - 1})`,
  int64Column("id"),
);

/**
 * Makes the next delivery about an animal or category due. Runs when the previous delivery has succeeded, has been dropped, or has
 * failed for good.
 */
export const dueNext: Statement<[webhookId: Int64, subject: string, now: number]> = statement(
  `UPDATE delivery SET due_at = $3 WHERE due_at IS NULL AND id = ${oldestOf("$1", "$2")}`,
);

export const deliveryQueue = queueOf(
  "delivery",
  `SELECT MIN((SELECT due_at FROM delivery
      WHERE webhook_id = webhook.id AND status = 'queued' AND due_at IS NOT NULL ORDER BY due_at LIMIT 1)) AS due_at
    FROM webhook WHERE id > 0 AND status = 'enabled'`,
  `(SELECT created_at FROM event WHERE id > (SELECT MIN(last_event_id) FROM webhook WHERE status = 'enabled')
      ORDER BY id LIMIT 1)`,
);

/** Decodes a delivery that one worker has leased. */
const decodeClaimed = members({
  id: int64Column,
  /** Identifier of the event; undefined for a test delivery. */
  eventId: optional(int64Column),
  type: textColumn,
  subject: textColumn,
  /** The number of attempts at this delivery, including the current one. */
  attempts: numberColumn,
  /** Time at which the worker's claim (the lease) ends, in milliseconds since 1970. */
  dueAt: numberColumn,
  createdAt: numberColumn,
});
export type ClaimedRow = ReturnType<typeof decodeClaimed>;

export const claimDeliveries = (skipLocked: string) =>
  claimDue<ClaimedRow, [webhookId: Int64]>(
    "delivery",
    skipLocked,
    "id, event_id, type, subject, created_at",
    decodeClaimed,
    "AND webhook_id = $4",
  );

/** Selects an event, and the `traceparent` of the request that made the change. */
export const selectDeliveredEvent: Statement<
  [id: Int64],
  { readonly event: StoredEvent; readonly traceparent: string | undefined }
> = statement(
  `SELECT ${EVENT_COLUMNS}, traceparent FROM event WHERE id = $1`,
  members({ event: () => decodeEvent, traceparent: optional(textColumn) }),
);

/**
 * SQL for a batch of the oldest deliveries that are no longer queued, have an identifier above $2, and were created before $1.
 */
const OLDEST = `delivery WHERE created_at < $1 AND status <> 'queued' AND ${inOldest("delivery")}` as const;

/**
 * Deletes a batch of the oldest deliveries that are no longer queued, with their attempts, and returns the identifiers of the
 * deliveries.
 */
export const pruneDeliveries: readonly Statement<[before: number, after: Int64], Int64>[] = [
  statement(
    `DELETE FROM delivery_attempt WHERE delivery_id IN (SELECT CAST(id AS TEXT) FROM ${OLDEST})`,
    int64Column("id"),
  ),
  statement(`DELETE FROM ${OLDEST} RETURNING id`, int64Column("id")),
];

/**
 * A reset of staging does not restart the identifiers of deliveries. A receiver recognizes a repeated delivery by its
 * `webhook-id`, so no identifier may be used twice.
 */
export const deliveryReset: ResetPart = { continuing: ["delivery_attempt", "delivery"] };
