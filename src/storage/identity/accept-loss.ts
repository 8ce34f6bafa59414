import type { Database as Connection } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { asideName, moveAside } from "../move-aside.ts";
import { type DatabaseName, fileOf } from "../store-files.ts";
import { examineStore } from "./examine.ts";
import { floorsOf, raiseByGap, withGap } from "./floors.ts";
import type { Fault, Found } from "./found.ts";
import { type OpenFile, openAccounts } from "./open-marked.ts";
import { changeAccounts, type LastIds, type Listed, readList, unmade, writeListed } from "./store-list.ts";

/** What is gone of one database, in words for the operator. */
export interface Loss {
  readonly name: DatabaseName;
  readonly loss: string;
  /** The folder that the files were moved to which are no longer used. */
  readonly keptIn: string;
}

const CONTENTS: Readonly<Record<DatabaseName, string>> = {
  accounts: "every account, API key and session; create keys anew (petstore keys create)",
  production: "every animal, category and order of production",
  staging: "every animal, category and order of staging",
  messages: "every message, those that waited for their delivery too",
};

/**
 * Makes a store usable whose files are not what they should be, one fault after the other. Files that are not used are kept
 * in a folder beside. An interrupted run is done again.
 *
 * @returns nothing when nothing was wrong
 * @throws Error, in words for the operator, where something else than accepting a loss helps
 */
export async function acceptLoss(dataDir: string, openFile: OpenFile): Promise<readonly Loss[]> {
  const aside = join(dataDir, asideName("refused"));
  const losses: Loss[] = [];
  for (;;) {
    const found = await examineStore(dataDir);
    const wrong = found.find(({ fault }) => fault !== undefined);
    if (wrong?.fault === undefined) return losses;
    const { name, fault } = wrong;
    if (fault.remedy === "none") throw new Error(`${fault.message}.`);
    const loss = { name, loss: lossOf(fault), keptIn: aside };
    const isFirst = losses.push(loss) === 1;
    if (name === "accounts") await remedyAccounts(found, fault, loss, aside, openFile);
    else await remedySibling(wrong, fault, loss, { dataDir, aside, isFirst });
  }
}

function lossOf({ name, remedy, message }: Fault): string {
  if (remedy === "new-file") return `${message}. Gone: ${CONTENTS[name]}.`;
  if (remedy === "new-log")
    return `${message}. Gone: what was last written to ${name}, as far as it was in its own log.`;
  if (remedy === "older") return `${message}. Gone: what was written to ${name} since.`;
  return `${message}. Gone: what was changed in the accounts since; API keys that were revoked may be valid again (petstore keys list).`;
}

async function remedyAccounts(
  found: readonly Found[],
  { remedy }: Fault,
  loss: Loss,
  aside: string,
  openFile: OpenFile,
): Promise<void> {
  const [accounts, ...siblings] = found;
  if (accounts === undefined) return;
  putAside(accounts.file, remedy, aside);
  if (remedy === "new-file") await (await openAccounts(openFile, unmade(withGap({})))).close();
  await changeAccounts(accounts.file, async (connection) => {
    insertLoss(connection, loss);
    if (remedy === "new-log") {
      // What the list says of the others may be from before they were written to.
      for (const [sibling, listed] of readList(connection) ?? [])
        writeListed(connection, sibling, { ...listed, isClosed: false });
      return raiseByGap(connection);
    }
    // The list is gone, and with it the record of their identifiers.
    for (const sibling of siblings) {
      const isThere = sibling.page !== undefined && sibling.fault === undefined;
      const lastIds = floorsOf(sibling.contents?.lastIds, undefined);
      writeListed(connection, sibling.name, isThere ? adopted(sibling, lastIds) : unmade(lastIds));
    }
  });
}

interface Place {
  readonly dataDir: string;
  /** The folder for files that are not used any more. */
  readonly aside: string;
  /** Whether this is the first loss of the run. */
  readonly isFirst: boolean;
}

async function remedySibling(found: Found, { remedy }: Fault, loss: Loss, place: Place): Promise<void> {
  const { name, file } = found;
  await changeAccounts(fileOf("accounts", place.dataDir), async (connection) => {
    insertLoss(connection, loss);
    const listed = readList(connection)?.get(name);
    writeListed(connection, name, remedied(found, remedy, listed));
    // The accounts are from a copy: some were made since.
    if (remedy === "newer" && place.isFirst) await raiseByGap(connection);
  });
  putAside(file, remedy, place.aside);
}

function remedied(found: Found, remedy: Fault["remedy"], listed: Listed | undefined): Listed {
  const isTrue = remedy !== "newer";
  const lastIds = floorsOf(
    found.contents?.lastIds,
    listed && { ...listed, isClosed: listed.isClosed && isTrue },
  );
  if (remedy === "new-file") return unmade(lastIds);
  if (remedy === "new-log") return { ...(listed ?? unmade({})), isClosed: true, lastIds };
  return adopted(found, lastIds);
}

/** A file that is used as it is. */
function adopted({ page, contents }: Found, lastIds: LastIds): Listed {
  const { storeId, announced } = unmade({});
  // One that no petstore has marked yet is marked at the next start.
  const confirmed = page?.applicationId === 0 ? undefined : page?.mark;
  return {
    storeId: contents?.storeId ?? storeId,
    announced: confirmed ?? announced,
    confirmed,
    isClosed: true,
    lastIds,
  };
}

function insertLoss(connection: Connection, { name, loss }: Loss): void {
  connection.run("INSERT INTO store_loss (name, loss) VALUES (?, ?)", [name, loss]);
}

/** Moves a file that is not used any more, or its log alone, into a folder where nothing looks for it. */
function putAside(file: string, remedy: Fault["remedy"], aside: string): void {
  const logs = [`${file}-wal`, `${file}-shm`];
  const paths = remedy === "new-file" ? [file, ...logs] : remedy === "new-log" ? logs : [];
  moveAside(
    paths.filter((path) => existsSync(path)),
    aside,
  );
}
