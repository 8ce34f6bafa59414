import { existsSync } from "node:fs";
import { join } from "node:path";
import { asideName, moveAside } from "../backup/flush.ts";
import type { Database } from "../database.ts";
import { type DatabaseName, fileOf } from "../store-files.ts";
import { examineStore, type Found } from "./examine.ts";
import type { Fault } from "./raw-file.ts";
import { relist } from "./relist.ts";

/** Describes to the operator which data of a database was lost. */
export interface Loss {
  readonly name: DatabaseName;
  readonly loss: string;
  /** The folder that the unusable files were moved to. Absent for a store on a database server. */
  readonly keptIn?: string;
}

const CONTENTS: Readonly<Record<DatabaseName, string>> = {
  accounts: "every account, API key and session. You can create new keys with petstore keys create",
  production: "every animal, category and order of production",
  staging: "every animal, category and order of staging",
  messages: "every message, including those that were not delivered yet",
};

const GONE: Readonly<Record<Exclude<Fault["kind"], "avoidable">, (name: DatabaseName) => string>> = {
  file: (name) => CONTENTS[name],
  log: (name) => `the latest changes to ${name}, which were only in its log file`,
  older: (name) => `every change to ${name} that is newer than this file`,
  newer: () =>
    "later changes to accounts. API keys that were revoked since then may be valid again: check them with petstore keys list",
};

/** Opens the accounts database, and creates it if it is missing. */
type OpenAccounts = () => Promise<Database>;

/**
 * Moves unusable files to a separate folder, and records the current state of the remaining files in the accounts database. If this
 * is interrupted, it can be called again.
 *
 * @returns the losses; empty if nothing was wrong
 * @throws Error with a message for the operator, if a fault can be repaired without losing data
 */
export async function acceptLoss(dataDir: string, openAccounts: OpenAccounts): Promise<readonly Loss[]> {
  const keptIn = join(dataDir, asideName("refused"));
  const losses: Loss[] = [];
  // After a loss is accepted, the store is examined again, because the first fault may have hidden a second one.
  for (;;) {
    const found = await examineStore(dataDir);
    const lost = found.flatMap(({ name, fault }) => (fault === undefined ? [] : { name, ...fault }));
    if (lost.length === 0) return losses;
    for (const { name, kind, message } of lost) {
      if (kind === "avoidable") throw new Error(`${message}.`);
      losses.push({ name, loss: `${message}. Gone: ${GONE[kind](name)}.`, keptIn });
    }
    await acceptAll(dataDir, found, keptIn, openAccounts);
  }
}

async function acceptAll(
  dataDir: string,
  found: readonly Found[],
  aside: string,
  openAccounts: OpenAccounts,
) {
  const [accounts, ...siblings] = found;
  const isListLost = accounts?.fault !== undefined;
  if (isListLost) {
    setAside(accounts, aside);
    await (await openAccounts()).close();
  }
  const changed = siblings.filter(({ fault }) => isListLost || fault !== undefined);
  const files = changed.map(({ name, contents }) => ({ name, state: contents?.state }));
  await relist(fileOf("accounts", dataDir), files, found);
  // The unusable files are moved last. After an interruption, the next run therefore finds the same faults again.
  for (const sibling of changed) setAside(sibling, aside);
}

/** Moves an unusable database file and its log to a separate folder. If only the log is unusable, the database file stays. */
function setAside({ file, fault }: Found, aside: string) {
  const paths = [...(fault?.kind === "file" ? [file] : []), `${file}-wal`, `${file}-shm`];
  if (fault?.kind === "file" || fault?.kind === "log")
    moveAside(
      paths.filter((path) => existsSync(path)),
      aside,
    );
}
