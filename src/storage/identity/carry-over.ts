import { Database as Connection } from "bun:sqlite";
import { createQuery } from "../sqlite/connection.ts";
import { DATABASE_NAMES, type DatabaseName, fileOf } from "../store-files.ts";
import { floorsOf, highest } from "./floors.ts";
import type { Found } from "./found.ts";
import { type Contents, lookInto } from "./look.ts";
import { createList, raiseLastIds } from "./stamp.ts";
import { changeAccounts, firstMark, type Listed, unmade, writeListed } from "./store-list.ts";

/**
 * Prepares the files of a backup to take the place of others: their identifiers go on above all that the others tell, and
 * their marks are new, so that neither a file nor a log of the time before fits any more.
 *
 * @param folder where the files are, before they are moved into place
 * @param names those that are there; the accounts are
 * @param replaced the files that were in use until now, as far as they are there
 */
export async function carryOver(
  folder: string,
  names: readonly DatabaseName[],
  replaced: readonly Found[],
): Promise<void> {
  const restored = new Map(names.map((name) => [name, lookInto(fileOf(name, folder))]));
  const listedIn = (contents: Contents | undefined, name: DatabaseName) => contents?.list?.get(name);
  const [accountsName, ...siblings] = DATABASE_NAMES;
  const replacedAccounts = replaced.find(({ name }) => name === accountsName);
  const isAllClosed = siblings.every((name) => listedIn(replacedAccounts?.contents, name)?.isClosed ?? true);
  const isTrusted =
    replacedAccounts?.page !== undefined && replaced.every(({ fault }) => fault?.remedy !== "newer");

  const floors = (name: DatabaseName) => {
    const record = listedIn(replacedAccounts?.contents, name);
    const isClosed = isTrusted && (name === accountsName ? isAllClosed : (record?.isClosed ?? false));
    const listed = { ...unmade(record?.lastIds ?? {}), isClosed };
    const sources = [
      restored.get(name)?.lastIds,
      listedIn(restored.get(accountsName), name)?.lastIds,
      replaced.find((found) => found.name === name)?.contents?.lastIds,
    ];
    return floorsOf(sources.reduce((all = {}, one = {}) => highest(all, one), {}) ?? {}, listed);
  };

  const marks = new Map(names.map((name) => [name, markAnew(fileOf(name, folder))]));
  await changeAccounts(fileOf(accountsName, folder), async (connection) => {
    const query = createQuery(connection);
    await createList(query);
    for (const name of siblings) {
      const mark = marks.get(name);
      const { storeId, announced } = unmade({});
      const listed: Listed = {
        storeId: restored.get(name)?.storeId ?? storeId,
        announced: mark ?? announced,
        confirmed: mark,
        isClosed: true,
        lastIds: floors(name),
      };
      writeListed(connection, name, listed);
    }
    await raiseLastIds(query, floors(accountsName));
  });
}

/** @returns undefined for a file that no petstore has marked: the next start does */
function markAnew(file: string): number | undefined {
  const connection = new Connection(file, { create: false, readwrite: true });
  try {
    const id = connection.query<{ application_id: number }, []>("PRAGMA application_id").get();
    if (id?.application_id === 0) return undefined;
    const mark = firstMark();
    connection.run(`PRAGMA user_version = ${mark}`);
    return mark;
  } finally {
    connection.close();
  }
}
