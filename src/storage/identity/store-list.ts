import { Database as Connection } from "bun:sqlite";
import { existsSync } from "node:fs";
import { SQLITE_BUSY_TIMEOUT_MS } from "../../limits.ts";
import type { Query } from "../database.ts";
import { flagColumn, members, numberColumn, optional, textColumn } from "../row.ts";
import { createQuery, untilUnlocked } from "../sqlite/connection.ts";
import { type Statement, statement } from "../statement.ts";
import { DATABASE_NAMES } from "../store-files.ts";
import { CONTENTS, type FileState, newStoreId, raiseGeneration, readState } from "./stamp.ts";

/**
 * A row of the list of files in the accounts database. Each row describes one of the store's other database files, in the state it
 * had when it was last opened for writing, or closed.
 */
export interface Listed extends Omit<FileState, "generation"> {
  /** The file's generation number, as `record` last set it. Undefined for a file that was never written to. */
  readonly generation: number | undefined;
  /**
   * True if the last identifiers (`lastIds`) are exact. False while a process has the file open, and also later if that process
   * died without closing the file.
   */
  readonly isClosed: boolean;
}

export type StoreList = ReadonlyMap<string, Listed>;

const nameOf = textColumn("name");
const decodeListed = members({ ...CONTENTS, generation: optional(numberColumn), isClosed: flagColumn });

const selectList: Statement<[], [name: string, listed: Listed]> = statement(
  "SELECT * FROM store_file",
  (row) => [nameOf(row), decodeListed(row)],
);
const replaceListed: Statement<{
  name: string;
  storeId: string;
  generation: bigint | null;
  isClosed: bigint;
  lastIds: string;
}> = statement(
  `INSERT OR REPLACE INTO store_file (name, store_id, generation, is_closed, last_ids)
    VALUES ($name, $storeId, $generation, $isClosed, $lastIds)`,
);

export async function readList(query: Query): Promise<StoreList> {
  return new Map(await query(selectList, []));
}

export async function writeListed(query: Query, name: string, listed: Listed): Promise<void> {
  const { storeId, generation, isClosed, lastIds } = listed;
  await query(replaceListed, {
    name,
    storeId,
    generation: generation === undefined ? null : BigInt(generation),
    isClosed: isClosed ? 1n : 0n,
    lastIds: JSON.stringify(lastIds),
  });
}

/** Adds missing databases to the list of files in the accounts database. */
export async function createList(query: Query): Promise<void> {
  const list = await readList(query);
  for (const name of DATABASE_NAMES.slice(1)) if (!list.has(name)) await writeListed(query, name, unmade());
}

/** Creates the list entry of a database file that has not been created yet. The entry contains a new store identifier. */
export function unmade(): Listed {
  return { storeId: newStoreId(), generation: undefined, isClosed: true, lastIds: {} };
}

/** Reads the list of files in the accounts database. @returns undefined if that database is missing or has no tables */
export async function askForList(accountsFile: string): Promise<StoreList | undefined> {
  if (!existsSync(accountsFile)) return undefined;
  using connection = connectTo(accountsFile);
  const query = createQuery(connection);
  return (await readState(query)) && (await readList(query));
}

/**
 * Runs `work` in a transaction on the accounts database. Uses a separate connection, not the group commit. Resolves when the
 * transaction is on disk.
 */
export async function changeAccounts<Result>(
  accountsFile: string,
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  using connection = connectTo(accountsFile);
  return await transact(connection, async (query) => {
    const result = await work(query);
    // The list does not contain the generation number of the accounts database itself. The number is raised so that another
    // file's log is never mistaken for the log of this file.
    await raiseGeneration(query);
    return result;
  });
}

export function connectTo(file: string): Connection {
  // Does not create a missing file, because a new, empty file would hide the loss of the real one.
  const connection = new Connection(file, { create: false, readwrite: true, safeIntegers: true });
  connection.run(`PRAGMA busy_timeout = ${SQLITE_BUSY_TIMEOUT_MS}`);
  connection.run("PRAGMA synchronous = FULL");
  return connection;
}

export async function transact<Result>(
  connection: Connection,
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  await untilUnlocked(() => void connection.run("BEGIN IMMEDIATE"));
  const result = await work(createQuery(connection));
  connection.run("COMMIT");
  return result;
}
