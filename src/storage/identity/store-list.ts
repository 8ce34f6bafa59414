import { Database as Connection } from "bun:sqlite";
import { existsSync } from "node:fs";
import { SQLITE_BUSY_TIMEOUT_MS } from "../../limits.ts";
import type { Query } from "../database.ts";
import { flagColumn, members, numberColumn, optional, textColumn } from "../row.ts";
import { createQuery, untilUnlocked } from "../sqlite/connection.ts";
import { type Statement, statement } from "../statement.ts";
import { DATABASE_NAMES } from "../store-files.ts";
import { CONTENTS, type FileState, newStoreId, raiseGeneration, readState } from "./stamp.ts";

/** A row of the accounts database: the state of another file of the store at its last start or end. */
export interface Listed extends Omit<FileState, "generation"> {
  /** Generation that the file itself reaches last (see `record`); undefined until its first write. */
  readonly generation: number | undefined;
  /** True if `lastIds` are exact. False while a process has the file open, and after an improper end. */
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

/** Adds missing databases to the accounts' list of files. */
export async function createList(query: Query): Promise<void> {
  const list = await readList(query);
  for (const name of DATABASE_NAMES.slice(1)) if (!list.has(name)) await writeListed(query, name, unmade());
}

/** A row of the accounts' list for a file that is still to be created, with a new store identifier. */
export function unmade(): Listed {
  return { storeId: newStoreId(), generation: undefined, isClosed: true, lastIds: {} };
}

/** Reads the accounts' list of files. @returns undefined if the accounts are missing or have no tables */
export async function askForList(accountsFile: string): Promise<StoreList | undefined> {
  if (!existsSync(accountsFile)) return undefined;
  using connection = connectTo(accountsFile);
  const query = createQuery(connection);
  return (await readState(query)) && (await readList(query));
}

/** Runs `work` in a transaction of the accounts database, besides its group commits. Resolves when the transaction is on disk. */
export async function changeAccounts<Result>(
  accountsFile: string,
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  using connection = connectTo(accountsFile);
  return await transact(connection, async (query) => {
    const result = await work(query);
    // No list contains the accounts, but their generation identifies their own log.
    await raiseGeneration(query);
    return result;
  });
}

export function connectTo(file: string): Connection {
  // The file must exist already. A new, empty one would hide that the real one was lost.
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
