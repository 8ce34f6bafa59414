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

/**
 * The largest difference that a crash can cause between a file's two generation numbers: the one in the file itself, and the one
 * in the list in the accounts database.
 */
export const GENERATIONS_APART_MAX = 1;

/**
 * Updates the list of files in the accounts database: a file will now be written to (`start`), or was closed properly (`end`).
 *
 * This takes three commits. If the list has generation G, the first commit sets the file to G+1, the second sets the list to G+2,
 * and the third sets the file to G+2. Each commit is on disk before the next one begins, so after a crash, the two generations
 * differ by at most one. If they differ by more, one of the two files was replaced by an older copy.
 *
 * Only one process at a time can do this, because it locks the accounts database.
 *
 * @throws SQLiteError
 * @throws ServiceError `unavailable` if the event is `start` and the files were replaced
 */
export async function record(name: DatabaseName, dataDir: string, event: "start" | "end"): Promise<void> {
  const [accountsFile, file] = [fileOf("accounts", dataDir), fileOf(name, dataDir)];
  // If the start was not recorded, nothing was written to the file, so its end need not be recorded, either.
  if (event === "end" && (await askForList(accountsFile))?.get(name)?.isClosed !== false) return;
  const isClosed = event === "end" && !existsSync(`${file}-wal`);
  // Flushing the folder makes sure that a removed log does not come back after a power cut. SQLite does this too, but ignores the
  // error if it cannot open the folder.
  flushToDisk(dataDir);
  using connection = connectTo(file);
  const reached = await changeAccounts(accountsFile, async (query) => {
    const listed = (await readList(query)).get(name) ?? unmade();
    const before = await readState(createQuery(connection));
    const last = listed.generation ?? before?.generation ?? 0;
    const isReplaced = before === undefined || Math.abs(before.generation - last) > GENERATIONS_APART_MAX;
    if (event === "end" && (isReplaced || listed.isClosed)) return undefined;
    if (isReplaced) throw unavailable("The store's files were replaced while the store was in use.");
    const { storeId } = before;
    const lastIds = await transact(connection, async (own) => {
      await setGeneration(own, last + 1);
      // After a reset, identifiers start again at 1, so the identifiers in the list of files no longer matter.
      if (storeId === listed.storeId) await raiseLastIds(own, listed.lastIds);
      return (await readState(own))?.lastIds ?? {};
    });
    const generation = last + 2;
    await writeListed(query, name, { storeId, generation, isClosed, lastIds });
    return generation;
  });
  if (reached === undefined) return;
  await transact(connection, async (own) => {
    // Another process may already have raised the file's generation number to `reached`.
    if ((await readState(own))?.generation === reached - 1) await setGeneration(own, reached);
  });
}
