import type { IdempotencyRecord, Insertion, SqlValue, Statement } from "../database.ts";

const RECORD_VALUES = 8;

const statements = new WeakMap<Insertion<never, unknown>, string>();

/**
 * One statement for the row and its record. The identifier is taken only when no valid record is there, so that a
 * retry uses none up; of two requests at once, the second waits for the first and then finds its record.
 */
export function idempotentInsertStatement<Result>(
  insertion: Insertion<never, Result>,
): Statement<readonly SqlValue[], Result> {
  const { table, columns, list, decode } = insertion;
  const known = statements.get(insertion);
  if (known !== undefined) return { sql: known, decode };
  const values = columns.map(([, type], index) => `$${RECORD_VALUES + index + 1}::${type}`);
  const sql = `WITH record AS (
        INSERT INTO idempotency_record AS r
          (account_id, environment, path, idempotency_key, fingerprint, status, created_at, resource_id)
        SELECT $1::bigint, $2::text, $3::text, $4::text, $5::bytea, $6::bigint, $7::bigint,
          nextval(pg_get_serial_sequence('${table}', 'id'))
        WHERE NOT EXISTS (
          SELECT 1 FROM idempotency_record WHERE account_id = $1::bigint AND environment = $2::text
            AND path = $3::text AND idempotency_key = $4::text AND created_at > $8::bigint
        )
        ON CONFLICT (account_id, environment, path, idempotency_key) DO UPDATE SET
          fingerprint = excluded.fingerprint, status = excluded.status, created_at = excluded.created_at,
          resource_id = excluded.resource_id, location = NULL, body = NULL
        WHERE r.created_at <= $8::bigint
        RETURNING resource_id
      )
      INSERT INTO ${table} (${list}) SELECT resource_id, ${values.join(", ")} FROM record
      RETURNING ${list}`;
  statements.set(insertion, sql);
  return { sql, decode };
}

export function idempotentInsertValues(
  record: IdempotencyRecord,
  values: readonly SqlValue[],
): readonly SqlValue[] {
  const { name, fingerprint, status, now, oldest } = record;
  return [...name, fingerprint, status, now, oldest, ...values];
}
