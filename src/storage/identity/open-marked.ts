import { resolve } from "node:path";
import type { Database, Query } from "../database.ts";
import { type DatabaseName, fileOf } from "../store-files.ts";
import { examineStore } from "./examine.ts";
import { confirmMark, withMarks } from "./marks.ts";
import { createList, readStamp, stamp } from "./stamp.ts";
import { askForList, changeListed, type Listed, unmade } from "./store-list.ts";

/** Opens the engine's database on a file; `finish` is the end of the transaction that migrates it. */
export type OpenFile = (name: DatabaseName, finish: (query: Query) => Promise<void>) => Promise<Database>;

/** Databases that this process has open, by folder: see page-one.ts. */
const open = new Map<string, number>();

/**
 * Opens a database whose file is what it should be, and keeps account of it.
 *
 * @throws Error, in one line for the operator, when any file of the store is not; nothing was changed then
 */
export async function openMarked(
  name: DatabaseName,
  dataDir: string,
  openFile: OpenFile,
  onFatalIoError?: (error: unknown) => void,
): Promise<Database> {
  const folder = resolve(dataDir);
  if (!open.has(folder)) await refuseUnfit(dataDir);
  const database =
    name === "accounts"
      ? await openAccounts(openFile)
      : await openListed(name, dataDir, openFile, onFatalIoError);
  open.set(folder, (open.get(folder) ?? 0) + 1);
  return {
    ...database,
    async close() {
      await database.close();
      const others = (open.get(folder) ?? 1) - 1;
      if (others > 0) open.set(folder, others);
      else open.delete(folder);
    },
  };
}

/**
 * @param isCopied whether the files are only read, which a newer program's, and those that may not be written to, can be
 * @throws Error, in one line for the operator, when a file of the store is not what it should be
 */
export async function refuseUnfit(dataDir: string, { isCopied = false } = {}): Promise<void> {
  const faults = (await examineStore(dataDir)).flatMap(({ fault }) => fault ?? []);
  const fault = faults.find(({ remedy }) => !isCopied || remedy !== "none");
  if (fault === undefined) return;
  const advice =
    fault.remedy === "none"
      ? "."
      : ". Put the right file back, restore a backup (petstore restore FILE --replace), or go on with what there is: petstore doctor --accept-loss says what is gone.";
  throw new Error(fault.message + advice);
}

/** The accounts have the list of the others. */
export function openAccounts(
  openFile: OpenFile,
  { storeId, announced: mark, lastIds }: Listed = unmade({}),
): Promise<Database> {
  return openFile("accounts", async (query) => {
    await createList(query);
    await stamp(query, { name: "accounts", storeId, mark, lastIds });
  });
}

async function openListed(
  name: DatabaseName,
  dataDir: string,
  openFile: OpenFile,
  onFatalIoError: ((error: unknown) => void) | undefined,
): Promise<Database> {
  const [file, accountsFile] = [fileOf(name, dataDir), fileOf("accounts", dataDir)];
  if (askForList(accountsFile) === undefined) await (await openAccounts(openFile)).close();
  const listed =
    askForList(accountsFile)?.get(name) ??
    // Another process may have listed it meanwhile.
    (await changeListed(accountsFile, name, (theirs) => theirs ?? unmade({})));
  const { storeId, announced, lastIds } = listed;
  const database = await openFile(name, (query) => stamp(query, { name, storeId, mark: announced, lastIds }));
  try {
    if (listed.confirmed === undefined)
      await confirmMark(accountsFile, name, { announced, ...(await database.write(readStamp)) });
  } catch (error) {
    await database.close();
    throw error;
  }
  return withMarks(database, { name, file, accountsFile, onFatalIoError });
}
