import type { Int64 } from "exact-json/int64";
import { DELIVERY_STATUSES } from "../delivery-queue/contract.ts";
import { withAttempts } from "../delivery-queue/store.ts";
import { DELIVERY_SWEEP_ROWS } from "../limits.ts";
import { enumColumn, int64Column, members, nullable, optional, timeColumn } from "../storage/row.ts";
import { type Statement, statement } from "../storage/statement.ts";
import { DELIVERY_TYPES, type Delivery, TEST_TYPE } from "./delivery-contract.ts";
import { oldestOf } from "./queue-store.ts";

const decodeDelivery = members({
  id: int64Column,
  eventId: nullable(int64Column),
  type: enumColumn(DELIVERY_TYPES),
  status: enumColumn(DELIVERY_STATUSES),
  createdAt: timeColumn,
  nextAttemptAt: optional(timeColumn),
});
type DecodedDelivery = ReturnType<typeof decodeDelivery>;

const BATCH = `LIMIT CAST(${DELIVERY_SWEEP_ROWS} AS BIGINT)`;

const OF_WEBHOOK =
  "SELECT id, event_id, type, status, created_at, due_at AS next_attempt_at FROM delivery WHERE webhook_id = $1";
const PAGE = "ORDER BY id DESC LIMIT CAST($3 AS BIGINT)";

export const selectDeliveryPage = withAttempts<
  [webhookId: Int64, below: Int64, limit: number],
  DecodedDelivery
>(`${OF_WEBHOOK} AND id < $2 ${PAGE}`, decodeDelivery);

export const selectDeliveryPageByStatus = withAttempts<
  [webhookId: Int64, below: Int64, limit: number, status: Delivery["status"]],
  DecodedDelivery
>(`${OF_WEBHOOK} AND id < $2 AND status = $4 ${PAGE}`, decodeDelivery);

export const selectDelivery = withAttempts<[webhookId: Int64, id: Int64], DecodedDelivery>(
  `${OF_WEBHOOK} AND id = $2`,
  decodeDelivery,
);

/** Inserts a test delivery and returns its identifier. Returns no row if the webhook is disabled or removed. */
export const insertTest: Statement<[webhookId: Int64, now: number], Int64> = statement(
  `INSERT INTO delivery (webhook_id, type, subject, status, attempts, due_at, created_at)
    SELECT id, '${TEST_TYPE}', '', 'queued', 0, CAST($2 AS BIGINT), CAST($2 AS BIGINT)
      FROM webhook WHERE id = $1 AND status = 'enabled' RETURNING id`,
  int64Column("id"),
);

/**
 * Drops a batch of a webhook's queued deliveries, and returns their identifiers. More deliveries may remain if the batch was full.
 */
export const dropQueued: Statement<[webhookId: Int64], Int64> = statement(
  `UPDATE delivery SET status = 'dropped', due_at = NULL
    WHERE id IN (SELECT id FROM delivery WHERE webhook_id = $1 AND status = 'queued' ${BATCH}) RETURNING id`,
  int64Column("id"),
);

/** Selects all removed webhooks, and all disabled webhooks that still have queued deliveries. */
export const selectEnded: Statement<[], { id: Int64; isDeleted: boolean }> = statement(
  `SELECT id, CASE WHEN status = 'deleted' THEN 1 END AS is_deleted FROM webhook WHERE status = 'deleted'
      OR (status = 'disabled' AND EXISTS (SELECT 1 FROM delivery WHERE webhook_id = webhook.id AND delivery.status = 'queued'))`,
  members({ id: int64Column, isDeleted: () => (row) => row["is_deleted"] !== null }),
);

const FIRST = `(SELECT id FROM delivery WHERE webhook_id = $1 ORDER BY id ${BATCH})`;

export const removeFirstAttempts: Statement<[webhookId: Int64]> = statement(
  `DELETE FROM delivery_attempt WHERE delivery_id IN (SELECT CAST(first.id AS TEXT) FROM ${FIRST} AS first)`,
);

export const removeFirstDeliveries: Statement<[webhookId: Int64], Int64> = statement(
  `DELETE FROM delivery WHERE id IN ${FIRST} RETURNING id`,
  int64Column("id"),
);

export const removeDeleted: Statement<[webhookId: Int64]> = statement(
  "DELETE FROM webhook WHERE status = 'deleted' AND id = $1",
);

/**
 * Queues a delivery again. Its number of attempts is set to 0, unless the delivery is still queued. Returns no row if the event
 * or the webhook of the delivery has been deleted, or if the webhook is disabled.
 */
export const queueAgain: Statement<[webhookId: Int64, id: Int64, now: number], Int64> = statement(
  `UPDATE delivery SET status = 'queued',
      attempts = CASE WHEN status = 'queued' THEN attempts ELSE 0 END,
      due_at = CASE WHEN subject <> '' AND ${oldestOf("$1", "delivery.subject")} < id THEN NULL ELSE CAST($3 AS BIGINT) END
    WHERE webhook_id = $1 AND id = $2
      AND (event_id IS NULL OR EXISTS (SELECT 1 FROM event WHERE event.id = delivery.event_id))
      AND EXISTS (SELECT 1 FROM webhook WHERE webhook.id = delivery.webhook_id AND webhook.status = 'enabled')
    RETURNING id`,
  int64Column("id"),
);
