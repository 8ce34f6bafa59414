import { existsSync } from "node:fs";
import { ID_GAP } from "../../limits.ts";
import { DATABASE_NAMES, type DatabaseName, fileOf } from "../store-files.ts";
import type { Found } from "./examine.ts";
import { type FileState, type LastIds, OTHER_TABLES, raiseLastIds, readState, renumber } from "./stamp.ts";
import {
  changeAccounts,
  connectTo,
  createList,
  type Listed,
  readList,
  transact,
  unmade,
  writeListed,
} from "./store-list.ts";

const SIBLINGS = DATABASE_NAMES.slice(1);

/**
 * A file to add to the list of files in the accounts database, with its state, which is undefined if the file has not been
 * created yet.
 */
interface Kept {
  readonly name: DatabaseName;
  readonly state: FileState | undefined;
}

/**
 * Writes the current state of files into the list of files in the accounts database, and makes sure that no identifier is assigned
 * twice. If the previous files were closed properly, new identifiers follow the highest known one. If not, they start `ID_GAP`
 * above it, because a process may have assigned identifiers without recording them.
 *
 * @param found the previous files, as `examineStore` has found them
 */
export async function relist(
  accountsFile: string,
  files: readonly Kept[],
  found: readonly Found[],
): Promise<void> {
  const before = (name: DatabaseName) => found.find((one) => one.name === name)?.contents;
  const list = before("accounts")?.list;
  const isTrusted = found.every(
    ({ name, fault }) => fault === undefined || (name !== "accounts" && fault.kind !== "newer"),
  );
  const isClosed = (name: DatabaseName) => isTrusted && (list?.get(name)?.isClosed ?? false);
  await changeAccounts(accountsFile, async (query) => {
    await createList(query);
    const current = await readList(query);
    for (const { name, state } of files) {
      const known = [state, before(name)?.state, list?.get(name), current.get(name)];
      const listed = { ...unmade(), ...state, lastIds: above(known, isClosed(name)) };
      await writeListed(query, name, listed);
    }
    const known = [await readState(query), before("accounts")?.state];
    await raiseLastIds(query, above(known, SIBLINGS.every(isClosed)));
  });
}

/**
 * Prepares the files of a backup to replace a store's current files. Raises their identifiers above those of the current files, and
 * gives them new generations, so that no older file or log matches them.
 *
 * @param folder the folder that contains the backup's files before they are moved into place
 * @param found the current files, as `examineStore` has found them
 */
export async function carryOver(folder: string, found: readonly Found[]): Promise<void> {
  const files: Kept[] = [];
  for (const name of DATABASE_NAMES) {
    const file = fileOf(name, folder);
    files.push({ name, state: existsSync(file) ? await renumberFile(file) : undefined });
  }
  await relist(fileOf("accounts", folder), files.slice(1), found);
}

async function renumberFile(file: string): Promise<FileState | undefined> {
  using connection = connectTo(file);
  return await transact(connection, async (query) => {
    await renumber(query);
    return readState(query);
  });
}

/**
 * Returns the highest known identifier of each table, or a number that is `ID_GAP` higher if the known identifiers are not exact.
 */
function above(known: readonly (Pick<Listed, "lastIds"> | undefined)[], isExact: boolean): LastIds {
  const gap = isExact ? 0 : ID_GAP;
  const highest = new Map(isExact ? [] : [[OTHER_TABLES, gap]]);
  for (const [table, last] of known.flatMap((one) => Object.entries(one?.lastIds ?? {})))
    highest.set(table, Math.max(highest.get(table) ?? 0, Math.min(last + gap, Number.MAX_SAFE_INTEGER)));
  return Object.fromEntries(highest);
}
