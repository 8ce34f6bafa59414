import { Database as Connection } from "bun:sqlite";
import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { INT64_MAX, INT64_MIN } from "exact-json/int64";
import { errorMessage } from "../../errors.ts";
import { BACKUP_LOCK_WAIT_MS } from "../../limits.ts";
import type { Inspected } from "../inspected.ts";
import type { Row } from "../statement.ts";

const INSPECTED_ROWS = 500; // number of rows whose texts are checked in one transaction
const INSPECTED_PIECE_BYTES = 1024 * 1024; // number of bytes of a database file that are read at a time

/** The problems that a check has found, one list for each step. */
type Steps = Generator<readonly string[]>;

/**
 * Reads every byte of a database file, and then checks its structure, tables, indexes and texts. Each check runs in a separate
 * transaction.
 */
export async function* inspectFile(file: string): AsyncGenerator<Inspected> {
  if (!existsSync(file)) {
    yield { share: 1, problems: [], summary: "does not exist yet" };
    return;
  }
  let bytes = 0;
  // The file's bytes are read before SQLite opens the file, because closing a file descriptor releases all locks that this
  // process has on the file.
  for (const { problems, share, size } of readBytes(file)) {
    bytes = size;
    yield { share: share * SHARE_OF_BYTES, problems };
  }
  try {
    yield* inspectTables(file, bytes);
  } catch (error) {
    yield { share: 1, problems: [errorMessage(error)] };
  }
}

function* inspectTables(file: string, bytes: number): Generator<Inspected> {
  const connection = openToRead(file);
  try {
    const tables = tablesOf(connection);
    const parts = [
      () => structureSteps(connection),
      ...tables.map((table) => () => tableSteps(connection, table)),
    ];
    for (const [index, part] of parts.entries()) {
      const share = SHARE_OF_BYTES + (1 - SHARE_OF_BYTES) * (index / parts.length);
      for (const problems of part()) yield { share, problems };
    }
    yield { share: 1, problems: [], summary: `${tables.length} tables, ${(bytes / 1e6).toFixed(1)} MB` };
  } finally {
    connection.close();
  }
}

/** The progress of a check, from 0 to 1, when it has read all bytes of the file. Checks of the content make up the rest. */
const SHARE_OF_BYTES = 0.2;

/**
 * Opens a database. If a service is using it, the connection is read-only, because such a connection never copies the log to the
 * database file, even if it is the last to close.
 */
function openToRead(file: string): Connection {
  const options = existsSync(`${file}-wal`) ? { readonly: true } : { create: false, readwrite: true };
  const connection = new Connection(file, { ...options, safeIntegers: true });
  try {
    connection.run(`PRAGMA busy_timeout = ${BACKUP_LOCK_WAIT_MS}`);
    connection.run("PRAGMA trusted_schema = OFF");
    connection.run("PRAGMA query_only = ON");
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function tablesOf(connection: Connection): readonly string[] {
  return connection
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => name);
}

/** Checks the pages of all tables and indexes, and the free pages. */
function* structureSteps(connection: Connection): Steps {
  yield problemsOf(() => checked(connection, "PRAGMA quick_check(20)"));
}

function* tableSteps(connection: Connection, table: string): Steps {
  const inTable = (problem: string) => `${table}: ${problem}`;
  // `checkIndexes` checks the types of columns, NOT NULL and CHECK constraints, the order of the rows, and each index against its
  // table.
  yield problemsOf(() => checkIndexes(connection, table)).map(inTable);
  yield problemsOf(() => orphans(connection, table)).map(inTable);
  const texts = textColumns(connection, table);
  if (texts.length === 0) return;
  for (let next: bigint | undefined = INT64_MIN; next !== undefined; ) {
    const from: bigint = next;
    const batch = { problems: [] as string[], next: undefined as bigint | undefined };
    const failed = problemsOf(() => {
      Object.assign(batch, checkTexts(connection, table, texts, from));
      return batch.problems;
    });
    next = batch.next;
    yield failed.map(inTable);
  }
}

/**
 * Checks a table and its indexes. If an index has an unreadable entry, `integrity_check` fails. The table is then checked with
 * `quick_check`, which reads no indexes.
 */
function checkIndexes(connection: Connection, table: string): readonly string[] {
  try {
    return checked(connection, `PRAGMA integrity_check(${quoted(table)})`);
  } catch (error) {
    const problems = checked(connection, `PRAGMA quick_check(${quoted(table)})`);
    return problems.length > 0 ? problems : [`${errorMessage(error)}, in an index`];
  }
}

function checked(connection: Connection, pragma: string): readonly string[] {
  return connection
    .query<Row, []>(pragma)
    .all()
    .flatMap((row) => String(Object.values(row)[0]).split("\n"))
    .filter((line) => line !== "ok" && !line.startsWith("***"));
}

function orphans(connection: Connection, table: string): readonly string[] {
  return connection
    .query<{ rowid: bigint; parent: string }, []>(`PRAGMA foreign_key_check(${quoted(table)})`)
    .all()
    .map(({ rowid, parent }) => `row ${rowid} refers to a row that does not exist in the table ${parent}`);
}

/**
 * Returns the text columns of a table. A table declared as `WITHOUT ROWID` has none to check, because its content is always derived
 * from other tables.
 */
function textColumns(connection: Connection, table: string): readonly string[] {
  return connection
    .query<{ name: string }, [string]>(
      "SELECT name FROM pragma_table_info(?1) WHERE type = 'TEXT' AND NOT (SELECT wr FROM pragma_table_list(?1))",
    )
    .all(table)
    .map(({ name }) => name);
}

/**
 * Checks that the texts of a table are valid UTF-8. SQLite does not check this, although a single wrong bit often makes a text
 * invalid.
 */
function checkTexts(connection: Connection, table: string, columns: readonly string[], from: bigint) {
  const list = columns.map((column) => `CAST(${quoted(column)} AS BLOB) AS ${quoted(column)}`).join(", ");
  const rows = connection
    .query<Row, [bigint, number]>(
      `SELECT rowid AS _rowid, ${list} FROM ${quoted(table)} WHERE rowid >= ?1 ORDER BY rowid LIMIT CAST(?2 AS BIGINT)`,
    )
    .all(from, INSPECTED_ROWS);
  const problems = rows.flatMap((row) =>
    columns
      .filter((column) => row[column] instanceof Uint8Array && !isText(row[column]))
      .map((column) => `row ${row["_rowid"]}: ${column} is not UTF-8 text`),
  );
  const end = rows.length < INSPECTED_ROWS ? undefined : rows.at(-1)?.["_rowid"];
  return { problems, next: typeof end === "bigint" && end < INT64_MAX ? end + 1n : undefined };
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function isText(bytes: Uint8Array): boolean {
  try {
    return !decoder.decode(bytes).includes("\0");
  } catch {
    return false;
  }
}

/**
 * Runs a check and returns the problems that it finds. If the check throws an error, for example because a page cannot be read, the
 * error is returned as a problem.
 */
function problemsOf(check: () => readonly string[]): readonly string[] {
  try {
    return check();
  } catch (error) {
    return [errorMessage(error)];
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Reads a file in pieces. Yields a problem for each piece that cannot be read. */
function* readBytes(file: string): Generator<{ problems: string[]; share: number; size: number }> {
  const descriptor = openSync(file, "r");
  try {
    const { size } = fstatSync(descriptor);
    const piece = new Uint8Array(INSPECTED_PIECE_BYTES);
    for (let offset = 0; offset < size; offset += piece.length) {
      const problems: string[] = [];
      try {
        readSync(descriptor, piece, 0, piece.length, offset);
      } catch (error) {
        problems.push(
          `the disk cannot read the bytes from ${offset} to ${offset + piece.length}: ${errorMessage(error)}`,
        );
      }
      yield { problems, share: Math.min(1, offset / size), size };
    }
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Matches a problem that affects only the entries of an index, so that the index can be rebuilt. An index whose pages are damaged
 * must not be rebuilt, because that could free pages of another table.
 */
const DIFFERING_INDEX =
  /(missing from|differ from|wrong # of entries in|end-of-record for row -?\d+ of) index \S+$|in an index$/;

export function remedyOf(file: string, problems: readonly string[]): readonly string[] | undefined {
  return problems.every((problem) => DIFFERING_INDEX.test(problem))
    ? ["sqlite3", file, "REINDEX"]
    : undefined;
}
