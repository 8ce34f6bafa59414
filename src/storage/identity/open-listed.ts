import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Database, Query } from "../database.ts";
import { type DatabaseName, fileOf } from "../store-files.ts";
import { examineStore } from "./examine.ts";
import { newStoreId, raiseGeneration, raiseLastIds, readState, stamp } from "./stamp.ts";
import {
  askForList,
  changeAccounts,
  connectTo,
  createList,
  readList,
  transact,
  unmade,
  writeListed,
} from "./store-list.ts";

/** Opens the engine's database on a file; `finish` runs at the end of the transaction that migrates it. */
export type OpenFile = (name: DatabaseName, finish: (query: Query) => Promise<void>) => Promise<Database>;

/** Data folder of each database that this process has open; its files are not examined again: see raw-file.ts. */
const open: string[] = [];

/**
 * Opens a database after a check of its file, and keeps its entry in the accounts' list of files up to date.
 *
 * @throws Error with one line for the operator, if any file of the store is unfit; nothing was changed
 */
export async function openChecked(
  name: DatabaseName,
  dataDir: string,
  openFile: OpenFile,
): Promise<Database> {
  const folder = resolve(dataDir);
  if (!open.includes(folder)) await refuseUnfit(dataDir);
  const database = await (name === "accounts" ? openAccounts(openFile) : openListed(name, dataDir, openFile));
  open.push(folder);
  return {
    ...database,
    async close() {
      // An empty transaction fails if the file is gone, or a failed commit has left its log unknown.
      const isSound = await database.write(() => true).catch(() => false);
      await database.close();
      // If it fails, the next start is as after a power loss.
      if (isSound && name !== "accounts") await record(name, dataDir, true).catch(() => {});
      open.splice(open.indexOf(folder), 1);
    },
  };
}

/** Refuses a store with an unfit file. @param isCopied true to open read-only, also newer or write-protected files */
export async function refuseUnfit(dataDir: string, { isCopied = false } = {}): Promise<void> {
  const faults = (await examineStore(dataDir)).flatMap(({ fault }) => fault ?? []);
  const fault = faults.find(({ kind }) => !isCopied || kind !== "avoidable");
  if (fault === undefined) return;
  const advice =
    fault.kind === "avoidable"
      ? "."
      : ". Put the right file back, restore a backup (petstore restore FILE --replace), or go on with what there is: petstore doctor --accept-loss says what is gone.";
  throw new Error(fault.message + advice);
}

/** Opens the accounts database, which has the list of the store's other files. */
export function openAccounts(openFile: OpenFile): Promise<Database> {
  return openFile("accounts", async (query) => {
    await createList(query);
    await stamp(query, "accounts", newStoreId());
  });
}

async function openListed(name: DatabaseName, dataDir: string, openFile: OpenFile): Promise<Database> {
  const accountsFile = fileOf("accounts", dataDir);
  let list = await askForList(accountsFile);
  if (list === undefined) {
    await (await openAccounts(openFile)).close();
    list = await askForList(accountsFile);
  }
  const { storeId } = list?.get(name) ?? unmade();
  const database = await openFile(name, (query) => stamp(query, name, storeId));
  try {
    await record(name, dataDir, false);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Records a process's start or end: raises a file's generation, and then that in the accounts' list, whose lock serializes
 * processes. This precedes the first write to the file, or follows the last, so that a stale file or list is detected.
 */
async function record(name: DatabaseName, dataDir: string, isEnd: boolean) {
  const file = fileOf(name, dataDir);
  // Closed last: SQLite removes the log with the last connection, see isCutOff in examine.ts.
  using held = new DisposableStack();
  await changeAccounts(fileOf("accounts", dataDir), async (query) => {
    const listed = (await readList(query)).get(name) ?? unmade();
    const isClosed = isEnd && !existsSync(`${file}-wal`);
    const state = await transact(held.use(connectTo(file)), async (own) => {
      // Files or list may have been replaced since the start, by a restore for example.
      const before = await readState(own);
      const isOther = listed.isClosed || before?.generation !== listed.generation;
      if (isEnd && isOther) return undefined;
      await raiseGeneration(own, listed.generation ?? 0);
      // A reset since then has restarted identifiers at 1.
      if (before?.storeId === listed.storeId) await raiseLastIds(own, listed.lastIds);
      return readState(own);
    });
    if (state !== undefined) await writeListed(query, name, { ...state, isClosed });
  });
}
