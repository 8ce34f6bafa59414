import type { IdempotencyRecord } from "../database.ts";
import type { InsertedColumn, Insertion } from "../insertion.ts";
import { bigintColumn, columnOf, numberColumn } from "../row.ts";
import type { NamedValues, Row, SqlValue } from "../statement.ts";
import type { Group, Placed } from "./group-queue.ts";

/** A row to insert, with its log entry, and with the idempotency record that will contain the row's identifier. */
export interface InsertedRow {
  readonly values: NamedValues;
  readonly entry: NamedValues | undefined;
  readonly record: IdempotencyRecord | undefined;
}

const RECORD_NAME = ["account_id", "environment", "path", "idempotency_key"];
const RECORD_NAMES = RECORD_NAME.join(", ");
const RECORD_COLUMNS = `${RECORD_NAMES}, fingerprint, status, created_at`;
const RECORD_ARRAYS = ["bigint", "text", "text", "text", "bytea", "bigint", "bigint"];

/**
 * Creates statements that insert several rows into a table and return their identifiers. The SQL text is the same for any number
 * of rows. A row that already has a valid idempotency record is skipped and uses up no identifier. If two statements contain the
 * same record at the same time, the second statement waits for the first, and then finds the record.
 */
export function createGroupInsert(insertion: Insertion<never, unknown>) {
  const plain = { sql: plainSql(insertion), decode: decodePlaced };
  const recorded = { sql: recordedSql(insertion), decode: decodePlaced };
  const entryColumns = entryColumnsOf(insertion);
  const appends = insertion.append !== undefined;
  return (rows: readonly InsertedRow[]): Group<bigint> => {
    const values = [
      ...insertion.columns.map(({ member }) => arrayOf(rows.map((row) => row.values[member]))),
      ...entryColumns.map(({ member }) => arrayOf(rows.map((row) => row.entry?.[member]))),
    ];
    const records = rows.flatMap(({ record = [] }) => record);
    if (records.length === 0) return { statement: plain, values, appends };
    // A record has expired if it is not newer than `oldest`. Each row has its own `oldest`, but the statement takes only one, so
    // it gets the highest.
    const oldest = String(Math.max(...records.map((record) => record.oldest)));
    const cells = rows.map(({ record }) => (record === undefined ? [] : cellsOf(record)));
    const recordValues = RECORD_ARRAYS.map((_, index) => arrayOf(cells.map((cell) => cell[index])));
    return { statement: recorded, values: [oldest, ...recordValues, ...values], appends };
  };
}

export const placeOf = numberColumn("place");
const idOf = bigintColumn("id");

function decodePlaced(row: Row): Placed<bigint> {
  return [placeOf(row), idOf(row)];
}

function cellsOf({ name, fingerprint, outcome, now }: IdempotencyRecord): readonly SqlValue[] {
  return [name.accountId, name.environment, name.path, name.key, fingerprint, outcome, now];
}

/**
 * Creates the SQL for rows without idempotency records. If another transaction is inserting the same unique value, the statement
 * waits for that transaction before it locks the log, because that transaction may hold the lock on the log.
 */
function plainSql(insertion: Insertion<never, unknown>): string {
  const { table, columns, list, isUnique } = insertion;
  const given = givenColumns(insertion);
  const cells = cellNames(given);
  return `WITH given AS MATERIALIZED (
      SELECT place, nextval('${table}_id_seq') AS id, ${cells}
      FROM unnest(${arrays(given, 1)}) WITH ORDINALITY AS u(${cells}, place)
    ), inserted AS (
      INSERT INTO ${table} (${list}) SELECT id, ${cellNames(columns)} FROM given${isUnique ? " RETURNING id" : ""}
    )
    ${appended(insertion, isUnique ? "given JOIN inserted USING (id)" : "given")}
    SELECT place, id FROM given`;
}

/**
 * Creates the SQL for rows with idempotency records. It is written so that PostgreSQL always looks the records up by their key. The
 * records are written in the order of their names, which makes deadlocks impossible.
 */
function recordedSql(insertion: Insertion<never, unknown>): string {
  const { table, columns, list } = insertion;
  const given = givenColumns(insertion);
  const cells = cellNames(given);
  const isSame = RECORD_NAME.map((name) => `r.${name} = u.${name}`).join(" AND ");
  const recordArrays = RECORD_ARRAYS.map((type, index) => `$${index + 2}::${type}[]`).join(", ");
  return `WITH given AS MATERIALIZED (
      SELECT unrecorded.*, nextval('${table}_id_seq') AS id FROM (
        SELECT * FROM unnest(${recordArrays}, ${arrays(given, RECORD_ARRAYS.length + 2)})
          WITH ORDINALITY AS u(${RECORD_COLUMNS}, ${cells}, place)
        WHERE (SELECT r.created_at > $1::bigint FROM idempotency_record AS r WHERE ${isSame}) IS NOT TRUE
        ORDER BY place
      ) AS unrecorded
    ), record AS (
      INSERT INTO idempotency_record AS r (${RECORD_COLUMNS}, resource_id)
      SELECT ${RECORD_COLUMNS}, id FROM given WHERE idempotency_key IS NOT NULL ORDER BY ${RECORD_NAMES}
      ON CONFLICT (${RECORD_NAMES}) DO UPDATE SET
        fingerprint = excluded.fingerprint, status = excluded.status, created_at = excluded.created_at,
        resource_id = excluded.resource_id, location = NULL, body = NULL
      WHERE r.created_at <= $1::bigint
      RETURNING resource_id
    ), inserted AS (
      INSERT INTO ${table} (${list}) SELECT id, ${cellNames(columns)} FROM given
      WHERE idempotency_key IS NULL OR id IN (SELECT resource_id FROM record) ORDER BY id
      RETURNING id
    )
    ${appended(insertion, "given JOIN inserted USING (id)")}
    SELECT place, id FROM given JOIN inserted USING (id)`;
}

/** The columns of an inserted row, followed by the columns of its log entry. The two may have columns with the same name. */
function givenColumns(insertion: Insertion<never, unknown>): readonly InsertedColumn[] {
  return [...insertion.columns, ...entryColumnsOf(insertion)];
}

/** The columns of a log entry, except the column for the row's identifier. The caller supplies their values. */
function entryColumnsOf({ append }: Insertion<never, unknown>): readonly InsertedColumn[] {
  return append?.columns.filter(({ member }) => member !== append.subject) ?? [];
}

/** SQL that adds a log entry for each inserted row, in the order of the rows. Empty if the insertion has no log. */
function appended(insertion: Insertion<never, unknown>, rows: string): string {
  const { columns, append } = insertion;
  if (append === undefined) return "";
  const entry = entryColumnsOf(insertion);
  const names = entry.map(({ name }) => name).join(", ");
  return `, appended AS (
      INSERT INTO ${append.log} (${columnOf(append.subject)}, ${names})
      SELECT id, ${cellNames(entry, columns.length)} FROM ${rows} ORDER BY id
    )`;
}

/**
 * Lists names for the inserted columns: `cell_0`, `cell_1` and so on. They differ from all column names of an idempotency record.
 */
function cellNames(columns: readonly InsertedColumn[], first = 0): string {
  return columns.map((_, index) => `cell_${first + index}`).join(", ");
}

function arrays(columns: readonly InsertedColumn[], first: number): string {
  return columns.map(({ type }, index) => `$${first + index}::${type}[]`).join(", ");
}

/**
 * Writes an array as text in PostgreSQL's syntax. With the driver's own arrays, different kinds of values would have different
 * types, and so would need different prepared statements.
 */
export function arrayOf(values: readonly (SqlValue | undefined)[]): string {
  return `{${values.map(elementOf).join()}}`;
}

function elementOf(value: SqlValue | undefined): string {
  if (value === null || value === undefined) return "NULL";
  if (typeof value === "string") return `"${value.replace(/["\\]/g, "\\$&")}"`;
  return value instanceof Uint8Array ? `"\\\\x${Buffer.from(value).toString("hex")}"` : String(value);
}
