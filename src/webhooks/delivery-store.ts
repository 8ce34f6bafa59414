import type { Int64 } from "exact-json/int64";
import { decodeAttempt } from "../attempts/store.ts";
import { DELIVERY_ATTEMPTS_SHOWN_MAX, DELIVERY_SWEEP_ROWS } from "../limits.ts";
import { enumColumn, int64Column, members, nullable, optional, timeColumn } from "../storage/row.ts";
import { type Statement, statement } from "../storage/statement.ts";
import { DELIVERY_STATUSES, DELIVERY_TYPES, type Delivery, TEST_TYPE } from "./delivery-contract.ts";

const decodeDelivery = members({
  id: int64Column,
  eventId: nullable(int64Column),
  type: enumColumn(DELIVERY_TYPES),
  status: () => enumColumn(DELIVERY_STATUSES)("delivery_status"),
  createdAt: timeColumn,
});
/** A delivery with one of its attempts. A delivery has a row for each attempt, newest first, and one row if it has none. */
const decodeAttemptRow = members({
  delivery: () => decodeDelivery,
  attempt: () => optional(() => decodeAttempt)("at"),
});
type AttemptRow = ReturnType<typeof decodeAttemptRow>;

/** Groups rows into deliveries with their attempts, in the order of the rows. */
export function gatherDeliveries(rows: readonly AttemptRow[]): Delivery[] {
  const byId = Map.groupBy(rows, ({ delivery }) => delivery.id);
  return [...byId.values()].flatMap((ofOne) =>
    ofOne.slice(0, 1).map(({ delivery }) => ({
      ...delivery,
      attempts: ofOne.flatMap(({ attempt }) => attempt ?? []),
    })),
  );
}

const ATTEMPTS = `LEFT JOIN delivery_attempt AS tried ON tried.delivery_id = CAST(page_row.id AS TEXT)
      AND tried.id IN (SELECT latest.id FROM delivery_attempt AS latest WHERE latest.delivery_id = CAST(page_row.id AS TEXT)
        ORDER BY latest.id DESC LIMIT CAST(${DELIVERY_ATTEMPTS_SHOWN_MAX} AS BIGINT))
    ORDER BY page_row.id DESC, tried.id DESC`;

const COLUMNS = `page_row.id, page_row.event_id, page_row.type, page_row.status AS delivery_status, page_row.created_at,
    tried.at, tried.duration, tried.status, tried.error`;

const BATCH = `LIMIT CAST(${DELIVERY_SWEEP_ROWS} AS BIGINT)`;

const OF_WEBHOOK = "SELECT id, event_id, type, status, created_at FROM delivery WHERE webhook_id = $1";

export const selectDeliveryPage: Statement<[webhookId: Int64, below: Int64, limit: number], AttemptRow> =
  statement(
    `SELECT ${COLUMNS} FROM (${OF_WEBHOOK} AND id < $2 ORDER BY id DESC LIMIT CAST($3 AS BIGINT)) AS page_row ${ATTEMPTS}`,
    decodeAttemptRow,
  );

export const selectDeliveryPageByStatus: Statement<
  [webhookId: Int64, below: Int64, limit: number, status: Delivery["status"]],
  AttemptRow
> = statement(
  `SELECT ${COLUMNS}
    FROM (${OF_WEBHOOK} AND id < $2 AND status = $4 ORDER BY id DESC LIMIT CAST($3 AS BIGINT)) AS page_row ${ATTEMPTS}`,
  decodeAttemptRow,
);

export const selectDelivery: Statement<[webhookId: Int64, id: Int64], AttemptRow> = statement(
  `SELECT ${COLUMNS} FROM (${OF_WEBHOOK} AND id = $2) AS page_row ${ATTEMPTS}`,
  decodeAttemptRow,
);

/** Inserts a test delivery; yields its identifier, nothing for a webhook that is disabled or deleted. */
export const insertTest: Statement<[webhookId: Int64, now: number], Int64> = statement(
  `INSERT INTO delivery (webhook_id, type, subject, status, attempts, due_at, created_at)
    SELECT id, '${TEST_TYPE}', '', 'waiting', 0, CAST($2 AS BIGINT), CAST($2 AS BIGINT)
      FROM webhook WHERE id = $1 AND status = 'enabled' RETURNING id`,
  int64Column("id"),
);

/** Drops a batch of a webhook's waiting deliveries; yields each of them, `DELIVERY_SWEEP_ROWS` if there may be more. */
export const dropWaiting: Statement<[webhookId: Int64], Int64> = statement(
  `UPDATE delivery SET status = 'dropped', due_at = NULL
    WHERE id IN (SELECT id FROM delivery WHERE webhook_id = $1 AND status = 'waiting' ${BATCH}) RETURNING id`,
  int64Column("id"),
);

/** Selects all deleted webhooks, and the disabled ones that still have waiting deliveries. */
export const selectEnded: Statement<[], { id: Int64; isDeleted: boolean }> = statement(
  `SELECT id, CASE WHEN status = 'deleted' THEN 1 END AS is_deleted FROM webhook WHERE status = 'deleted'
      OR (status = 'disabled' AND EXISTS (SELECT 1 FROM delivery WHERE webhook_id = webhook.id AND delivery.status = 'waiting'))`,
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

/** Queues a delivery again, a settled one with all attempts. Nothing if its event or webhook is gone or disabled. */
export const queueAgain: Statement<[webhookId: Int64, id: Int64, now: number], Int64> = statement(
  `UPDATE delivery SET status = 'waiting',
      attempts = CASE WHEN status = 'waiting' THEN attempts ELSE 0 END,
      due_at = CASE WHEN subject <> '' AND EXISTS (SELECT 1 FROM delivery AS earlier
          WHERE earlier.webhook_id = delivery.webhook_id AND earlier.subject = delivery.subject
            AND earlier.status = 'waiting' AND earlier.id < delivery.id)
        THEN NULL ELSE CAST($3 AS BIGINT) END
    WHERE webhook_id = $1 AND id = $2
      AND (event_id IS NULL OR EXISTS (SELECT 1 FROM event WHERE event.id = delivery.event_id))
      AND EXISTS (SELECT 1 FROM webhook WHERE webhook.id = delivery.webhook_id AND webhook.status = 'enabled')
    RETURNING id`,
  int64Column("id"),
);
