import { existsSync } from "node:fs";
import { unavailable } from "../../errors.ts";
import { flushToDisk } from "../backup/flush.ts";
import { createQuery } from "../sqlite/connection.ts";
import { type DatabaseName, fileOf } from "../store-files.ts";
import { raiseLastIds, readState, setGeneration } from "./stamp.ts";
import {
  askForList,
  changeAccounts,
  connectTo,
  readList,
  transact,
  unmade,
  writeListed,
} from "./store-list.ts";

/** Largest difference that a crash can cause between a file's generation and the one in the accounts' list. */
export const GENERATIONS_APART_MAX = 1;

/**
 * Records in the accounts' list that a file is about to be written, or was closed properly. If the list has generation G, three
 * commits follow, each on disk before the next begins: the file gets G + 1, the list G + 2, the file G + 2. So after a crash the
 * two differ by one at most; if one of them was replaced by an older copy, they differ by two or more. Processes take turns,
 * because each locks the accounts.
 *
 * @throws SQLiteError; ServiceError `unavailable`, if a start finds that the files were replaced
 */
export async function record(name: DatabaseName, dataDir: string, event: "start" | "end"): Promise<void> {
  const [accountsFile, file] = [fileOf("accounts", dataDir), fileOf(name, dataDir)];
  // Nothing was written since the start, so there is nothing to record.
  if (event === "end" && (await askForList(accountsFile))?.get(name)?.isClosed !== false) return;
  const isClosed = event === "end" && !existsSync(`${file}-wal`);
  // Makes the removal of an earlier log durable. SQLite also flushes the folder, but ignores a failure to open it.
  flushToDisk(dataDir);
  using connection = connectTo(file);
  const reached = await changeAccounts(accountsFile, async (query) => {
    const listed = (await readList(query)).get(name) ?? unmade();
    const before = await readState(createQuery(connection));
    const last = listed.generation ?? before?.generation ?? 0;
    const isReplaced = before === undefined || Math.abs(before.generation - last) > GENERATIONS_APART_MAX;
    if (event === "end" && (isReplaced || listed.isClosed)) return undefined;
    if (isReplaced) throw unavailable("The store's files were replaced while it was in use.");
    const { storeId } = before;
    const lastIds = await transact(connection, async (own) => {
      await setGeneration(own, last + 1);
      // After a reset, identifiers have started at 1 again, so the listed ones no longer matter.
      if (storeId === listed.storeId) await raiseLastIds(own, listed.lastIds);
      return (await readState(own))?.lastIds ?? {};
    });
    const generation = last + 2;
    await writeListed(query, name, { storeId, generation, isClosed, lastIds });
    return generation;
  });
  if (reached === undefined) return;
  await transact(connection, async (own) => {
    // Another process may have recorded the same already.
    if ((await readState(own))?.generation === reached - 1) await setGeneration(own, reached);
  });
}
