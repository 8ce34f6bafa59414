import { createHash } from "node:crypto";
import { writeJson } from "../../contract/json/json.ts";
import type { Maybe } from "../../platform/maybe.ts";
import type { Database, Table } from "../database.ts";
import { exactRow, numberColumn, singleRow, textColumn } from "../row.ts";
import { noRows, type Row, type SqlValue, type Statement, statement } from "../statement.ts";

const COPY_BATCH_ROWS = 1_000; // number of rows that are inserted by one statement; SQLite allows at most 32,766 values in a statement

export interface Digest {
  readonly rows: number;
  /** The SHA-256 hash of all values in a table, in the order of the primary key. */
  readonly checksum: string;
}

/**
 * The tables that contain the storage layer's own records: the journal of migrations, the unfinished copy, and the identity of the
 * database files.
 */
const STORAGE = ["migration", "copy_run", "store_identity", "store_file"];
const NOT_COPIED = [...STORAGE, "rehearsal", "simulation"];

/** Returns the tables to copy. Each table comes after the tables that it refers to. */
export async function tablesToCopy(database: Database): Promise<readonly Table[]> {
  return (await database.wholeTables.tables()).filter(({ name }) => !NOT_COPIED.includes(name));
}

export async function countRows(database: Database, table: Table): Promise<number> {
  const statement = {
    sql: `SELECT count(*) AS rows FROM ${table.name}`,
    decode: numberColumn("rows"),
  };
  return singleRow(await database.read(statement, []));
}

/** Called after each batch of rows with the number of rows processed so far. If the callback throws, the work stops. */
type OnRows = (rows: number) => Maybe<void>;

/**
 * Copies one table. If an earlier run was interrupted, it continues after the rows that were already copied. The rows keep their
 * identifiers, and the identifier for the next new row is copied, too.
 */
export async function copyTable(from: Database, to: Database, table: Table, onRows: OnRows): Promise<void> {
  let rows = await countRows(to, table);
  let last = await lastKey(to, table);
  for await (const batch of readBatches(from, table, last)) {
    await to.write((query) =>
      query(
        insertStatement(table, batch.length),
        batch.flatMap((row) => valuesOf(row, table)),
      ),
    );
    rows += batch.length;
    last = keyOf(batch.at(-1), table);
    await onRows(rows);
  }
  if (table.hasIdentity)
    await to.wholeTables.setNextId(table.name, await from.wholeTables.nextId(table.name));
}

export async function digestTable(database: Database, table: Table, onRows: OnRows): Promise<Digest> {
  const hash = createHash("sha256");
  let rows = 0;
  for await (const batch of readBatches(database, table, undefined)) {
    for (const row of batch) hash.update(writeJson(valuesOf(row, table).map(readable)));
    rows += batch.length;
    await onRows(rows);
  }
  return { rows, checksum: hash.digest("hex") };
}

/** Selects the address of the store that is being copied into this one, if the copy is unfinished. Otherwise, returns no rows. */
export const selectCopyRun: Statement<[], string> = statement(
  "SELECT source FROM copy_run",
  textColumn("source"),
);

/** Throws an error if this store is the target of an unfinished copy. @throws Error with one line for the operator */
export async function refuseUnfinishedCopy(accounts: Pick<Database, "read">): Promise<void> {
  const [source] = await accounts.read(selectCopyRun, []);
  if (source === undefined) return;
  throw new Error(
    `This store is an unfinished copy of ${source}. To finish the copy, run the same petstore copy command again. Until then, use ${source}.`,
  );
}

export const insertCopyRun: Statement<[source: string]> = statement(
  "INSERT INTO copy_run (only_row, source) VALUES (1, $1)",
);
export const removeCopyRun: Statement<[]> = statement("DELETE FROM copy_run");

async function* readBatches(
  database: Database,
  table: Table,
  after: readonly SqlValue[] | undefined,
): AsyncGenerator<readonly Row[]> {
  const first = pageStatement(table, false);
  const following = pageStatement(table, true);
  let last = after;
  for (;;) {
    const batch = await (last === undefined
      ? database.read(first, [COPY_BATCH_ROWS])
      : database.read(following, [COPY_BATCH_ROWS, ...last]));
    if (batch.length > 0) yield batch;
    if (batch.length < COPY_BATCH_ROWS) return;
    last = keyOf(batch.at(-1), table);
  }
}

function pageStatement(
  { name, key, columns }: Table,
  isFollowing: boolean,
): Statement<readonly SqlValue[], Row> {
  const numbers = key.map((_, index) => `$${index + 2}`).join(", ");
  const where = isFollowing ? ` WHERE (${key.join(", ")}) > (${numbers})` : "";
  return {
    sql: `SELECT ${columns.join(", ")} FROM ${name}${where} ORDER BY ${key.join(", ")} LIMIT CAST($1 AS BIGINT)`,
    decode: exactRow,
  };
}

async function lastKey(database: Database, table: Table): Promise<readonly SqlValue[] | undefined> {
  const { name, key } = table;
  const descending = key.map((column) => `${column} DESC`).join(", ");
  const sql = `SELECT ${key.join(", ")} FROM ${name} ORDER BY ${descending} LIMIT 1`;
  const [row] = await database.read({ sql, decode: exactRow }, []);
  return keyOf(row, table);
}

function keyOf(row: Row | undefined, { key }: Table): readonly SqlValue[] | undefined {
  return row && key.map((column) => row[column] ?? null);
}

function valuesOf(row: Row, { columns }: Table): readonly SqlValue[] {
  return columns.map((column) => row[column] ?? null);
}

/**
 * Insertion statements, keyed by table and number of rows. They are reused, because the engine would have to prepare each new
 * statement. The map is never cleared, because the process ends after the copy.
 */
const insertStatements = new Map<string, Statement<readonly SqlValue[]>>();

function insertStatement({ name, columns }: Table, rows: number): Statement<readonly SqlValue[]> {
  const cached = insertStatements.get(`${name} ${rows}`);
  if (cached !== undefined) return cached;
  const row = (index: number) =>
    `(${columns.map((_, column) => `$${index * columns.length + column + 1}`).join(", ")})`;
  const statement = {
    sql: `INSERT INTO ${name} (${columns.join(", ")}) VALUES ${Array.from({ length: rows }, (_, index) => row(index)).join(", ")}`,
    decode: noRows,
  };
  insertStatements.set(`${name} ${rows}`, statement);
  return statement;
}

function readable(value: SqlValue): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value;
}
