import { Database as Connection } from "bun:sqlite";
import { existsSync } from "node:fs";
import { SQLITE_BUSY_TIMEOUT_MS } from "../../limits.ts";
import { randomBase62, systemRandomBytes } from "../../platform/random.ts";
import { untilUnlocked } from "../sqlite/connection.ts";
import type { DatabaseName } from "../store-files.ts";

/** The last identifier of each table that gives them out. */
export type LastIds = Readonly<Record<string, number>>;

/** 131 bits. */
export const STORE_ID_LENGTH = 22;

/** The identifier of a store without what a reset adds to it. */
export function storeOf(storeId: string): string {
  return storeId.slice(0, STORE_ID_LENGTH);
}

/** The name under which `LastIds` have a number for tables that they do not name. */
export const OTHER_TABLES = "*";

/** What the accounts database says of another database file of the store. */
export interface Listed {
  /** Of the file when `lastIds` were recorded: after a reset its contents have another suffix. */
  readonly storeId: string;
  /** The mark that the file may have by now: written here before it is written there. */
  readonly announced: number;
  /** The mark that it has at least; undefined until it is made. */
  readonly confirmed: number | undefined;
  /** Whether `lastIds` are all: false while a process writes, or when it did not end properly. */
  readonly isClosed: boolean;
  readonly lastIds: LastIds;
}

/** SQLite keeps these texts, spaces included, in every file: own-schema.ts compares them. */
export const LIST_TABLES = [
  `CREATE TABLE IF NOT EXISTS store_file (
    name TEXT PRIMARY KEY,
    store_id TEXT NOT NULL,
    announced INTEGER NOT NULL,
    confirmed INTEGER,
    is_closed INTEGER NOT NULL,
    last_ids TEXT NOT NULL
  ) STRICT`,
  `CREATE TABLE IF NOT EXISTS store_loss (
    accepted_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
    name TEXT NOT NULL,
    loss TEXT NOT NULL
  ) STRICT`,
];

export const IDENTITY_TABLE =
  "CREATE TABLE IF NOT EXISTS store_identity (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), id TEXT NOT NULL) STRICT";

/** The tables that say which file of which store a file is; migrations make none of them. */
export const IDENTITY_TABLES = [IDENTITY_TABLE, ...LIST_TABLES];

/** A number from which no other file counts its marks. */
export function firstMark(): number {
  const { buffer } = systemRandomBytes(4).slice();
  return 1 + (new DataView(buffer).getUint32(0) >>> 2);
}

interface ListRow {
  name: DatabaseName;
  store_id: string;
  announced: number | bigint;
  confirmed: number | bigint | null;
  is_closed: number | bigint;
  last_ids: string;
}

/** @returns undefined when the accounts database is of a program that made no list */
export function readList(connection: Connection): ReadonlyMap<DatabaseName, Listed> | undefined {
  if (!hasTable(connection, "store_file")) return undefined;
  const rows = connection.query<ListRow, []>("SELECT * FROM store_file").all();
  return new Map(
    rows.map((row): [DatabaseName, Listed] => [
      row.name,
      {
        storeId: row.store_id,
        announced: Number(row.announced),
        confirmed: row.confirmed === null ? undefined : Number(row.confirmed),
        isClosed: Number(row.is_closed) === 1,
        lastIds: parseLastIds(row.last_ids),
      },
    ]),
  );
}

/** The text may be a forged backup's. */
function parseLastIds(text: string): LastIds {
  if (!/^\{("\w+":\d{1,16},?)*\}$/.test(text.replace('"*"', '"_"'))) return {};
  const stored: LastIds = JSON.parse(text);
  const tables = Object.entries(stored);
  return Object.fromEntries(tables.map(([table, last]) => [table, Math.min(last, Number.MAX_SAFE_INTEGER)]));
}

export function hasTable(connection: Connection, name: string): boolean {
  return connection.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== null;
}

export function writeListed(connection: Connection, name: DatabaseName, listed: Listed): void {
  const { storeId, announced, confirmed = null, isClosed, lastIds } = listed;
  connection.run("INSERT OR REPLACE INTO store_file VALUES (?, ?, ?, ?, ?, ?)", [
    name,
    storeId,
    announced,
    confirmed,
    Number(isClosed),
    JSON.stringify(lastIds),
  ]);
}

/** What the accounts database says of the other files; undefined when it is not there, or has no list. */
export function askForList(accountsFile: string): ReadonlyMap<DatabaseName, Listed> | undefined {
  if (!existsSync(accountsFile)) return undefined;
  const connection = connectToList(accountsFile);
  try {
    return readList(connection);
  } finally {
    connection.close();
  }
}

/** Changes what the accounts database says of one file, and is on disk with it when it resolves. */
export async function changeListed(
  accountsFile: string,
  name: DatabaseName,
  change: (listed: Listed | undefined) => Listed,
): Promise<Listed> {
  return changeAccounts(accountsFile, async (connection) => {
    const listed = change(readList(connection)?.get(name));
    writeListed(connection, name, listed);
    return listed;
  });
}

/** One transaction in the accounts database, beside its group commits. `work` awaits nothing but queries. */
export async function changeAccounts<Result>(
  accountsFile: string,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = connectToList(accountsFile);
  try {
    await untilUnlocked(() => void connection.run("BEGIN IMMEDIATE"));
    const result = await work(connection);
    countUp(connection);
    connection.run("COMMIT");
    return result;
  } finally {
    connection.close();
  }
}

function connectToList(accountsFile: string): Connection {
  // Never made here: an empty file would pass for accounts that were lost.
  const connection = new Connection(accountsFile, { create: false, readwrite: true, safeIntegers: true });
  connection.run(`PRAGMA busy_timeout = ${SQLITE_BUSY_TIMEOUT_MS}`);
  connection.run("PRAGMA synchronous = FULL");
  return connection;
}

/** The accounts are in no list, but their own log can be distinguished from another one. */
function countUp(connection: Connection): void {
  const { user_version: mark = 0n } =
    connection.query<{ user_version: bigint }, []>("PRAGMA user_version").get() ?? {};
  connection.run(`PRAGMA user_version = ${mark + 1n}`);
}

/** What the list says of a file that is to be made. */
export function unmade(lastIds: LastIds): Listed {
  const storeId = randomBase62(systemRandomBytes, STORE_ID_LENGTH);
  return { storeId, announced: firstMark(), confirmed: undefined, isClosed: true, lastIds };
}
