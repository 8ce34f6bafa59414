import { Database as Connection, SQLiteError } from "bun:sqlite";
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
  OtherVersionError,
  selectJournal,
} from "../migrations.ts";
import { connectImmutable, hasLog, refuseForeign } from "../sqlite/connection.ts";
import { hasRoom } from "../sqlite/full-disk.ts";
import { inOrder, type Row, type SqlValue, type Statement, statement, type Values } from "../statement.ts";
import { DATABASE_NAMES, type DatabaseName, fileOf } from "../store-files.ts";
import { absence, bytesOf, type Fault, findFault, isNoFile } from "./raw-file.ts";
import { GENERATIONS_APART_MAX } from "./record.ts";
import { type FileState, readState, withoutSuffix } from "./stamp.ts";
import { type Listed, readList, type StoreList } from "./store-list.ts";

export interface Found {
  readonly name: DatabaseName;
  readonly file: string;
  readonly isThere: boolean;
  /**
   * The file's content. Undefined if the file is missing or could not be read. If an existing file has no fault, but its content
   * is undefined, another process is using the file, or the disk is full.
   */
  readonly contents?: Contents | undefined;
  readonly fault?: Fault | undefined;
}

const STORE_LOOKS_MAX = 5; // number of times that a store's files are examined before a fault is reported, because another process may be changing them
const STORE_LOOK_PAUSE_MS = 20; // pause between two examinations of a store's files

/**
 * Examines every database file in a folder, and compares the files with each other. It changes nothing. If there is a fault, the
 * files are examined again, because another process may be changing them: only faults that remain are reported.
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
  // The accounts database is read last, although a new store creates it first. This way, it is never reported as missing in a store
  // that is created during the examination.
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
  // Reading a log also writes the WAL index file (-shm), and a full disk may have no space for it (see full-disk.ts).
  if (hasLog(file) && !hasRoom(file)) return { name, file, isThere, fault };
  try {
    return { name, file, isThere, fault, contents: await readContents(name, file, fault !== undefined) };
  } catch (error) {
    // An error that another process may have caused is not reported as a fault. When the file is later opened, this program waits
    // for that process, or reports the error.
    return { name, file, isThere, fault: isPassing(error) ? fault : faultOf(error, file) };
  }
}

function faultOf(error: unknown, file: string): Fault {
  const message = errorMessage(error);
  if (!(error instanceof MigrationError))
    return { kind: "file", message: `${file} cannot be used: it is damaged (${message})` };
  const kind = error instanceof OtherVersionError ? "avoidable" : "file";
  return { kind, message: message.replace(/\.$/, "") };
}

/** Compares the database files with the list of files in the accounts database, and adds the faults that the comparison reveals. */
function compareWithList(accounts: Found, siblings: readonly Found[]): readonly Found[] {
  const { file, isThere, contents, fault } = accounts;
  const sibling = siblings.find((found) => found.isThere);
  if (!isThere && sibling !== undefined) {
    const message = `${file} ${absence(file)}, but ${sibling.file} exists`;
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
  const isOlder = `is older than the version that ${accountsFile} has recorded`;
  if (state === undefined) return last === undefined ? undefined : fault("older", isOlder);
  if (listed === undefined || withoutSuffix(state.storeId) !== withoutSuffix(listed.storeId))
    return fault("newer", `belongs to a different store than ${accountsFile}`);
  if (last === undefined || Math.abs(state.generation - last) <= GENERATIONS_APART_MAX) return undefined;
  return state.generation < last
    ? fault("older", isOlder)
    : fault("newer", `is newer than ${accountsFile}, which was probably replaced by an old copy`);
}

const selectJournalTable: Statement<[]> = statement(
  "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migration'",
);

/** The part of a database file's content that must agree with the store's other files. */
interface Contents extends Migrated {
  /**
   * The file's identity, generation number and last identifiers. Undefined for a file without tables, which is left behind if a
   * process dies while it creates the file.
   */
  readonly state: FileState | undefined;
  /** The list of the store's other files. Present only in the accounts database. */
  readonly list?: StoreList | undefined;
}

/**
 * Reads the migrations that were applied to a database file, the file's state, and the list of the store's files. It changes
 * neither the file nor its log.
 *
 * @param isLogIgnored true if the log does not belong to the file
 * @throws SQLiteError if the file is damaged
 * @throws MigrationError if the file belongs to another program, or to a version of petstore whose files this version cannot use
 */
async function readContents(name: DatabaseName, file: string, isLogIgnored: boolean): Promise<Contents> {
  return lookInto(file, isLogIgnored, async (query) => {
    // The migrations are checked before anything else is read, because another version may have different tables.
    const migrated = countMigrations(await journalOf(query), findMigrations("sqlite", KIND[name]), file);
    const state = await readState(query);
    const list = state !== undefined && name === "accounts" ? await readList(query) : undefined;
    return { ...migrated, state, list };
  });
}

/** Reads which migrations have been applied to a database file. The list is empty if the file has no tables. */
export function readJournal(file: string): Promise<readonly JournalEntry[]> {
  return lookInto(file, false, journalOf);
}

/** Reads rows from a database file without changing the file or its log. */
export function readRows<Given extends Values, Result>(
  file: string,
  wanted: Statement<Given, Result>,
  values: NoInfer<Given>,
): Promise<readonly Result[]> {
  return lookInto(file, false, async (query) => query(wanted, values));
}

async function journalOf(query: Query): Promise<readonly JournalEntry[]> {
  return (await query(selectJournalTable, [])).length === 0 ? [] : query(selectJournal, []);
}

async function lookInto<Result>(
  file: string,
  isLogIgnored: boolean,
  read: (query: Query) => Promise<Result>,
): Promise<Result> {
  using connection =
    isLogIgnored || !hasLog(file) ? connectImmutable(file) : new Connection(file, { readonly: true });
  connection.run(`PRAGMA busy_timeout = ${SQLITE_BUSY_TIMEOUT_MS}`);
  connection.run("PRAGMA trusted_schema = OFF");
  refuseForeign(connection, file);
  return await read((statement, values) =>
    connection
      .query<Row, SqlValue[]>(statement.sql)
      .safeIntegers(true)
      .all(...inOrder(statement, values))
      .map(statement.decode),
  );
}

/**
 * True for an error that another process may have caused by using the file. Such an error does not prove that the file has a fault.
 */
function isPassing(error: unknown): boolean {
  return (
    error instanceof SQLiteError && /^SQLITE_(BUSY|CANTOPEN|READONLY|IOERR|PROTOCOL)/.test(error.code ?? "")
  );
}
