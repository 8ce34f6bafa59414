import type { Int64 } from "exact-json/int64";
import { andThen, type Maybe } from "../../platform/maybe.ts";
import type { Creation, Database, IdempotencyRecord, Query } from "../database.ts";
import type { Insertion } from "../insertion.ts";
import { int64Column, singleRow } from "../row.ts";
import { type Row, type Statement, statement } from "../statement.ts";
import type { Writer } from "./group-commit.ts";

const idOf = int64Column("id");

type RecordName = IdempotencyRecord["name"];

const selectValid: Statement<RecordName & { oldest: number }, Int64> = statement(
  `SELECT created_at FROM idempotency_record WHERE account_id = $accountId AND environment = $environment
      AND path = $path AND idempotency_key = $key AND created_at > $oldest`,
  int64Column("created_at"),
);

/** Inserts the idempotency record of a row. If there is an expired record with the same name, replaces it. */
const putRecord: Statement<
  RecordName & { fingerprint: Uint8Array; outcome: number; now: number; rowId: Int64 }
> = statement(
  `INSERT INTO idempotency_record
      (account_id, environment, path, idempotency_key, fingerprint, status, created_at, resource_id)
    VALUES ($accountId, $environment, $path, $key, $fingerprint, $outcome, $now, $rowId)
    ON CONFLICT (account_id, environment, path, idempotency_key) DO UPDATE SET
      fingerprint = excluded.fingerprint, status = excluded.status, location = NULL, body = NULL,
      created_at = excluded.created_at, resource_id = excluded.resource_id`,
);

interface Inserted<Result> {
  readonly id: Int64;
  readonly row: Result;
}

/** Creates the function that commits a row, together with its log entry and, if the request has one, its idempotency record. */
export function createRowsBy(
  write: Database["write"],
  { rollback }: Pick<Writer, "rollback">,
): Database["create"] {
  const identified = new WeakMap<Insertion<never, unknown>, Insertion<never, Inserted<unknown>>>();

  /** Copies an insertion, so that it returns the row together with its identifier. */
  function withId<Result>(insertion: Insertion<never, Result>): Insertion<never, Inserted<Result>> {
    const decode = (row: Row) => ({ id: idOf(row), row: insertion.decode(row) });
    const made = identified.get(insertion) ?? { ...insertion, decode };
    identified.set(insertion, made);
    return made as Insertion<never, Inserted<Result>>;
  }

  function insertRow<Result>(
    query: Query,
    { insertion, values, entry }: Creation<Result>,
    record?: IdempotencyRecord,
  ): Maybe<readonly Result[]> {
    return andThen(query(withId(insertion), values as never), (inserted) => {
      const { id, row } = singleRow(inserted);
      try {
        const { append } = insertion;
        const appended = append && query(append, { ...entry, [append.subject]: id } as never);
        return andThen(appended, () => {
          if (record === undefined) return [row];
          const { name, fingerprint, outcome, now } = record;
          return andThen(query(putRecord, { ...name, fingerprint, outcome, now, rowId: id }), () => [row]);
        });
      } catch (error) {
        // A row must not be stored without its log entry and its idempotency record. For this reason, the whole transaction is
        // rolled back, as it is after a disk failure.
        rollback();
        throw error;
      }
    });
  }

  return (creation, { record, beforeSending } = {}) =>
    write(
      (query) => {
        beforeSending?.();
        if (record === undefined) return insertRow(query, creation);
        return andThen(query(selectValid, { ...record.name, oldest: record.oldest }), (valid) =>
          valid.length > 0 ? [] : insertRow(query, creation, record),
        );
      },
      { isAtomic: true },
    );
}
