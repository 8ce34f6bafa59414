import type { Int64 } from "exact-json/int64";
import { andThen, type Maybe } from "../../platform/maybe.ts";
import type { Creation, Database, IdempotencyRecord, Query } from "../database.ts";
import type { Insertion } from "../insertion.ts";
import { int64Column, singleRow } from "../row.ts";
import { type Row, type Statement, statement } from "../statement.ts";
import type { Writer } from "./group-commit.ts";

const idOf = int64Column("id");

const selectValid: Statement<[...IdempotencyRecord["name"], oldest: number], Int64> = statement(
  `SELECT created_at FROM idempotency_record
    WHERE account_id = $1 AND environment = $2 AND path = $3 AND idempotency_key = $4 AND created_at > $5`,
  int64Column("created_at"),
);

/** Inserts the idempotency record of a row, or replaces an expired one. */
const putRecord: Statement<
  [...IdempotencyRecord["name"], fingerprint: Uint8Array, outcome: number, createdAt: number, rowId: Int64]
> = statement(
  `INSERT INTO idempotency_record
      (account_id, environment, path, idempotency_key, fingerprint, status, created_at, resource_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (account_id, environment, path, idempotency_key) DO UPDATE SET
      fingerprint = excluded.fingerprint, status = excluded.status, location = NULL, body = NULL,
      created_at = excluded.created_at, resource_id = excluded.resource_id`,
);

/** An inserted row, decoded, and its identifier. */
interface Inserted<Result> {
  readonly id: Int64;
  readonly row: Result;
}

/** Creates the function that commits a row with its log entry and, if there is one, its idempotency record. */
export function createRowsBy(
  write: Database["write"],
  { rollback }: Pick<Writer, "rollback">,
): Database["create"] {
  const identified = new WeakMap<Insertion<never, unknown>, Insertion<never, Inserted<unknown>>>();

  /** Copies an insertion so that its rows come with their identifiers. */
  function withId<Result>(insertion: Insertion<never, Result>): Insertion<never, Inserted<Result>> {
    const decode = (row: Row) => ({ id: idOf(row), row: insertion.decode(row) });
    const made = identified.get(insertion) ?? { ...insertion, decode };
    identified.set(insertion, made);
    return made as Insertion<never, Inserted<Result>>;
  }

  function insertRecorded<Result>(
    query: Query,
    { insertion, values }: Creation<Result>,
    { name, fingerprint, outcome, now, oldest }: IdempotencyRecord,
  ): Maybe<readonly Result[]> {
    return andThen(query(selectValid, [...name, oldest]), (valid) => {
      if (valid.length > 0) return [];
      return andThen(query(withId(insertion), values as never), (inserted) => {
        const { id, row } = singleRow(inserted);
        try {
          return andThen(query(putRecord, [...name, fingerprint, outcome, now, id]), () => [row]);
        } catch (error) {
          // The row must not be stored without its record, so the whole transaction is rolled back, as after a disk failure.
          rollback();
          throw error;
        }
      });
    });
  }

  return (creation, { record, beforeSending } = {}) =>
    write(
      (query) => {
        beforeSending?.();
        if (record !== undefined) return insertRecorded(query, creation, record);
        return query(creation.insertion, creation.values as never);
      },
      { isSingle: true },
    );
}
