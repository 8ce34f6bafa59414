import type { IdempotencyRecord, Insertion, SqlValue, Statement } from "../database.ts";

const RECORD_VALUES = 8;
/** Whoever makes a row answers 201. */
const CREATED = 201;

const statements = new WeakMap<Insertion<unknown>, Statement<unknown>>();

/**
 * One statement for the row and its record. The identifier is taken only when no valid record is there, so that a
 * retry uses none up; of two who come at once, one waits for the other and then finds its record.
 */
export function idempotentInsertStatement<Result>(insertion: Insertion<Result>): Statement<Result> {
  const { table, columns, decode } = insertion;
  const known = statements.get(insertion);
  if (known !== undefined) return { sql: known.sql, decode };
  const names = Object.keys(columns);
  const values = Object.values(columns).map((type, index) => `$${RECORD_VALUES + index + 1}::${type}`);
  const statement = {
    sql: `WITH record AS (
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
      INSERT INTO ${table} (id, ${names.join(", ")}) SELECT resource_id, ${values.join(", ")} FROM record
      RETURNING id, ${names.join(", ")}`,
    decode,
  };
  statements.set(insertion, statement);
  return statement;
}

export function idempotentInsertValues(
  record: IdempotencyRecord,
  values: readonly SqlValue[],
): readonly SqlValue[] {
  const { name, fingerprint, now, oldest } = record;
  return [...name, fingerprint, CREATED, now, oldest, ...values];
}
