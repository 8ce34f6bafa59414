import { PRUNED_MAX } from "../limits.ts";
import type { Query } from "../storage/database.ts";
import { members, nullable, numberColumn, textColumn, timeColumn } from "../storage/row.ts";
import { type Statement, statement } from "../storage/statement.ts";
import type { DeliveryAttempt } from "./contract.ts";

/** One delivery attempt. Times and durations are milliseconds. */
export interface NewAttempt {
  readonly at: number;
  readonly duration: number;
  readonly status?: number | undefined;
  readonly error?: string | undefined;
}

const insert: Statement<
  [deliveryId: string, at: number, duration: number, status: number | null, error: string | null]
> = statement(
  "INSERT INTO delivery_attempt (delivery_id, at, duration, status, error) VALUES ($1, $2, $3, $4, $5)",
);

/** Records a delivery attempt. @param deliveryId the identifier of a message, or the number of a delivery */
export function insertAttempt(query: Query, deliveryId: string, { at, duration, status, error }: NewAttempt) {
  return query(insert, [deliveryId, at, duration, status ?? null, error ?? null]);
}

export const decodeAttempt = members({
  time: () => timeColumn("at"),
  durationMs: () => numberColumn("duration"),
  status: nullable(numberColumn),
  error: nullable(textColumn),
});

export const selectAttempts: Statement<[deliveryId: string, limit: number], DeliveryAttempt> = statement(
  `SELECT at, duration, status, error FROM delivery_attempt WHERE delivery_id = $1
    ORDER BY id DESC LIMIT CAST($2 AS BIGINT)`,
  decodeAttempt,
);

/** Deletes a batch of the oldest delivery attempts made before $1; yields a row for each one deleted. */
export const pruneDeliveryAttempts: Statement<[before: number]> = statement(
  `DELETE FROM delivery_attempt WHERE at < $1
    AND id IN (SELECT id FROM delivery_attempt ORDER BY id LIMIT (${PRUNED_MAX})) RETURNING id`,
);
