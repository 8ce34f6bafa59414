import { Database as Connection, constants, SQLiteError } from "bun:sqlite";
import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { SQLITE_BUSY_TIMEOUT_MS } from "../../limits.ts";
import type { Query } from "../database.ts";
import { countMigrations, type JournalEntry, type Migrated, selectJournal } from "../migrate.ts";
import { findMigrations, KIND } from "../migrations.ts";
import { refuseForeign } from "../sqlite/file.ts";
import { type Row, type SqlValue, type Statement, statement } from "../statement.ts";
import type { DatabaseName } from "../store-files.ts";
import { type FileState, readState } from "./stamp.ts";
import { readList, type StoreList } from "./store-list.ts";

const selectJournalTable: Statement<[]> = statement(
  "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migration'",
);

/** The contents of a database file, as far as other files are compared with it. */
export interface Contents extends Migrated {
  /** Undefined in a file without tables: its process died while it made the file. */
  readonly state: FileState | undefined;
  /** The accounts' list of the other files. */
  readonly list?: StoreList | undefined;
}

/**
 * Reads a database without changing a byte of it or its log.
 *
 * @param isLogIgnored true where the log is not the file's own
 * @throws SQLiteError when it is damaged
 * @throws MigrationError when it is of another program, or of a version that this one may not run beside
 */
export async function readContents(
  name: DatabaseName,
  file: string,
  isLogIgnored: boolean,
): Promise<Contents> {
  return lookInto(file, isLogIgnored, async (query) => {
    // First: another version's tables may differ.
    const migrated = countMigrations(await journalOf(query), findMigrations("sqlite", KIND[name]), file);
    const state = await readState(query);
    const list = state !== undefined && name === "accounts" ? await readList(query) : undefined;
    return { ...migrated, state, list };
  });
}

/** The migrations that a database has had; none in a file without tables. */
export function readJournal(file: string): Promise<readonly JournalEntry[]> {
  return lookInto(file, false, journalOf);
}

async function journalOf(query: Query): Promise<readonly JournalEntry[]> {
  return (await query(selectJournalTable, [])).length === 0 ? [] : query(selectJournal, []);
}

async function lookInto<Result>(
  file: string,
  isLogIgnored: boolean,
  read: (query: Query) => Promise<Result>,
): Promise<Result> {
  using connection = openToLook(file, isLogIgnored);
  connection.run(`PRAGMA busy_timeout = ${SQLITE_BUSY_TIMEOUT_MS}`);
  connection.run("PRAGMA trusted_schema = OFF");
  refuseForeign(connection, file);
  return await read(({ sql, decode }, values) =>
    connection
      .query<Row, SqlValue[]>(sql)
      .safeIntegers(true)
      .all(...values)
      .map(decode),
  );
}

/** With a log SQLite needs its index beside it; without one it would make both, unless the file counts as immutable. */
function openToLook(file: string, isLogIgnored: boolean): Connection {
  const log = isLogIgnored ? undefined : statSync(`${file}-wal`, { throwIfNoEntry: false });
  if (log !== undefined && log.size > 0) return new Connection(file, { readonly: true });
  const { SQLITE_OPEN_READONLY, SQLITE_OPEN_URI } = constants;
  return new Connection(`${pathToFileURL(file)}?immutable=1`, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

/** Whether another process is at the file, so that this look proves nothing. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof SQLiteError && /^SQLITE_(BUSY|CANTOPEN|READONLY|IOERR|PROTOCOL)/.test(error.code ?? "")
  );
}
