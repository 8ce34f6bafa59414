import { Database as Connection, constants, SQLiteError } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { errorMessage } from "../../errors.ts";
import { SQLITE_BUSY_TIMEOUT_MS } from "../../limits.ts";
import type { Query } from "../database.ts";
import {
  countMigrations,
  findMigrations,
  type JournalEntry,
  KIND,
  type Migrated,
  MigrationError,
  selectJournal,
} from "../migrations.ts";
import { refuseForeign } from "../sqlite/connection.ts";
import { type Row, type SqlValue, type Statement, statement } from "../statement.ts";
import { DATABASE_NAMES, type DatabaseName, fileOf } from "../store-files.ts";
import { absence, bytesOf, type Fault, findFault, isNoFile } from "./raw-file.ts";
import { type FileState, type LastIds, readState, withoutSuffix } from "./stamp.ts";
import { type Listed, readList, type StoreList } from "./store-list.ts";

export interface Found {
  readonly name: DatabaseName;
  readonly file: string;
  readonly isThere: boolean;
  /** Content of the file; undefined if it is missing, unreadable, or (without a fault) used by another process. */
  readonly contents?: Contents | undefined;
  readonly fault?: Fault | undefined;
}

const STORE_LOOKS_MAX = 5; // examinations of a store before a fault is reported: another process may be changing files
const STORE_LOOK_PAUSE_MS = 20; // pause between two examinations

/**
 * Examines every database file of a folder and compares them with each other. Changes nothing. Files that another process is
 * changing are read again: only persistent faults are reported.
 */
export async function examineStore(dataDir: string): Promise<readonly Found[]> {
  for (let look = 1; ; look++) {
    const found = await lookAtAll(dataDir);
    if (look === STORE_LOOKS_MAX || found.every(isSettled)) return found;
    await Bun.sleep(STORE_LOOK_PAUSE_MS);
  }
}

function isSettled({ isThere, contents, fault }: Found): boolean {
  return fault === undefined && isThere === (contents !== undefined);
}

async function lookAtAll(dataDir: string): Promise<readonly Found[]> {
  // A new store creates the accounts first.
  const [accounts, ...siblings] = DATABASE_NAMES;
  const found: Found[] = [];
  for (const name of siblings) found.push(await lookAt(name, dataDir));
  return compareWithList(await lookAt(accounts, dataDir), found);
}

async function lookAt(name: DatabaseName, dataDir: string): Promise<Found> {
  const file = fileOf(name, dataDir);
  const isThere = [file, `${file}-wal`].some((path) => isNoFile(path) || bytesOf(path) > 0);
  if (!isThere) return { name, file, isThere };
  const fault = findFault(name, file);
  if (fault !== undefined && fault.kind !== "log") return { name, file, isThere, fault };
  try {
    return { name, file, isThere, fault, contents: await readContents(name, file, fault !== undefined) };
  } catch (error) {
    // Opening the file for use waits for it, or reports the reason.
    return { name, file, isThere, fault: isPassing(error) ? fault : faultOf(error, file) };
  }
}

function faultOf(error: unknown, file: string): Fault {
  const message = errorMessage(error);
  if (!(error instanceof MigrationError))
    return { kind: "file", message: `${file} cannot be used: it is damaged (${message})` };
  const kind = /(newer|earlier) petstore/.test(message) ? "avoidable" : "file";
  return { kind, message: message.replace(/\.$/, "") };
}

/** Compares database files with the list in the accounts database, and adds the faults found. */
function compareWithList(accounts: Found, siblings: readonly Found[]): readonly Found[] {
  const { file, isThere, contents, fault } = accounts;
  const sibling = siblings.find((found) => found.isThere);
  if (!isThere && sibling !== undefined) {
    const message = `${file} ${absence(file)}, and ${sibling.file} is there`;
    return [{ ...accounts, fault: { kind: "file", message } }, ...siblings];
  }
  if (fault !== undefined || contents === undefined) return [accounts, ...siblings];
  const compared = siblings.map((found) => ({
    ...found,
    fault: found.fault ?? compare(found, contents.list?.get(found.name), file),
  }));
  return [accounts, ...compared];
}

function compare(found: Found, listed: Listed | undefined, accountsFile: string): Fault | undefined {
  const { file, isThere, contents } = found;
  const fault = (kind: Fault["kind"], what: string): Fault => ({ kind, message: `${file} ${what}` });
  const last = listed?.generation;
  if (!isThere) return last === undefined ? undefined : fault("file", absence(file));
  if (contents === undefined) return undefined;
  const { state } = contents;
  const isOlder = `is older than it was when ${accountsFile} last recorded it`;
  if (state === undefined) return last === undefined ? undefined : fault("older", isOlder);
  if (listed === undefined)
    return fault("newer", `is not in the list in ${accountsFile}: one of the two was replaced`);
  if (withoutSuffix(state.storeId) !== withoutSuffix(listed.storeId))
    return fault("newer", `is of another store than ${accountsFile}`);
  if (last === undefined || state.generation === last) return undefined;
  if (state.generation < last) return fault("older", isOlder);
  if (state.generation === last + 1 && isCutOff(file, state.lastIds, listed)) return undefined;
  return fault("newer", `is newer than ${accountsFile}, which was put back from a copy`);
}

/**
 * True if a crash can explain that the accounts' list is one generation behind a file: at a start no identifier was assigned
 * since the list was closed; at an end, and at the start after a crash, the log still exists.
 */
function isCutOff(file: string, lastIds: LastIds, listed: Listed): boolean {
  if (!listed.isClosed) return existsSync(`${file}-wal`);
  return Object.entries(listed.lastIds).every(([table, last]) => (lastIds[table] ?? 0) <= last);
}

const selectJournalTable: Statement<[]> = statement(
  "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migration'",
);

/** The part of a database file's content that is compared with other files. */
interface Contents extends Migrated {
  /** Identity, generation and last ids in a file; undefined for one without tables: its process died while creating it. */
  readonly state: FileState | undefined;
  /** List of the store's other files; only in the accounts database. */
  readonly list?: StoreList | undefined;
}

/**
 * Reads a database file's migrations, state and list without changing a byte of it or its log.
 *
 * @param isLogIgnored true if the log is not the file's own
 * @throws SQLiteError if it is damaged
 * @throws MigrationError if it is another program's, or of a version that this one may not run beside
 */
async function readContents(name: DatabaseName, file: string, isLogIgnored: boolean): Promise<Contents> {
  return lookInto(file, isLogIgnored, async (query) => {
    // First, because another version's tables may differ.
    const migrated = countMigrations(await journalOf(query), findMigrations("sqlite", KIND[name]), file);
    const state = await readState(query);
    const list = state !== undefined && name === "accounts" ? await readList(query) : undefined;
    return { ...migrated, state, list };
  });
}

/** Reads the migrations applied to a database; none in a file without tables. */
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

/** Opens a database read-only: with its index if there is a log, otherwise as immutable, so that SQLite creates neither. */
function openToLook(file: string, isLogIgnored: boolean): Connection {
  const log = isLogIgnored ? undefined : statSync(`${file}-wal`, { throwIfNoEntry: false });
  if (log !== undefined && log.size > 0) return new Connection(file, { readonly: true });
  const { SQLITE_OPEN_READONLY, SQLITE_OPEN_URI } = constants;
  return new Connection(`${pathToFileURL(file)}?immutable=1`, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

/** True for an error that proves no fault, because another process is using the file. */
function isPassing(error: unknown): boolean {
  return (
    error instanceof SQLiteError && /^SQLITE_(BUSY|CANTOPEN|READONLY|IOERR|PROTOCOL)/.test(error.code ?? "")
  );
}
