import { existsSync } from "node:fs";
import { errorMessage } from "../../errors.ts";
import { MigrationError } from "../migrate.ts";
import { DATABASE_NAMES, type DatabaseName, fileOf } from "../store-files.ts";
import { type Contents, isPassing, readContents } from "./look.ts";
import { absence, bytesOf, type Fault, findFault, isNoFile } from "./raw-file.ts";
import { type LastIds, withoutSuffix } from "./stamp.ts";
import type { Listed } from "./store-list.ts";

/** One database file as it was found. */
export interface Found {
  readonly name: DatabaseName;
  readonly file: string;
  readonly isThere: boolean;
  /** Undefined where nothing is there, or it cannot be read; without a fault because another process is at it. */
  readonly contents?: Contents | undefined;
  readonly fault?: Fault | undefined;
}

const STORE_LOOKS_MAX = 5; // at the files of a store before a fault counts: another process may be at them
const STORE_LOOK_PAUSE_MS = 20; // between two of them

/**
 * Looks at every database file of a folder and holds them against each other. Changes nothing. What another process is
 * changing meanwhile is looked at again: a fault is only what stays.
 */
export async function examineStore(dataDir: string): Promise<readonly Found[]> {
  for (let look = 1; ; look++) {
    const found = await lookAtAll(dataDir);
    if (look === STORE_LOOKS_MAX || found.every(isSettled)) return found;
    await Bun.sleep(STORE_LOOK_PAUSE_MS);
  }
}

function isSettled({ isThere, contents, fault }: Found): boolean {
  return fault === undefined && isThere === (contents !== undefined);
}

async function lookAtAll(dataDir: string): Promise<readonly Found[]> {
  // The accounts last: a new store has them first.
  const [accounts, ...siblings] = DATABASE_NAMES;
  const found: Found[] = [];
  for (const name of siblings) found.push(await lookAt(name, dataDir));
  return compareWithList(await lookAt(accounts, dataDir), found);
}

async function lookAt(name: DatabaseName, dataDir: string): Promise<Found> {
  const file = fileOf(name, dataDir);
  const isThere = [file, `${file}-wal`].some((path) => isNoFile(path) || bytesOf(path) > 0);
  if (!isThere) return { name, file, isThere };
  const fault = findFault(name, file);
  if (fault !== undefined && fault.kind !== "log") return { name, file, isThere, fault };
  try {
    return { name, file, isThere, fault, contents: await readContents(name, file, fault !== undefined) };
  } catch (error) {
    // Opening it for use waits for it, or says why it cannot.
    return { name, file, isThere, fault: isPassing(error) ? fault : faultOf(error, file) };
  }
}

function faultOf(error: unknown, file: string): Fault {
  const message = errorMessage(error);
  if (!(error instanceof MigrationError))
    return { kind: "file", message: `${file} cannot be used: it is damaged (${message})` };
  const kind = /(newer|earlier) petstore/.test(message) ? "avoidable" : "file";
  return { kind, message: message.replace(/\.$/, "") };
}

/** Adds to what was found what the accounts' list of the files says against it. */
function compareWithList(accounts: Found, siblings: readonly Found[]): readonly Found[] {
  const { file, isThere, contents, fault } = accounts;
  const sibling = siblings.find((found) => found.isThere);
  if (!isThere && sibling !== undefined) {
    const message = `${file} ${absence(file)}, and ${sibling.file} is there`;
    return [{ ...accounts, fault: { kind: "file", message } }, ...siblings];
  }
  if (fault !== undefined || contents === undefined) return [accounts, ...siblings];
  const compared = siblings.map((found) => ({
    ...found,
    fault: found.fault ?? compare(found, contents.list?.get(found.name), file),
  }));
  return [accounts, ...compared];
}

function compare(found: Found, listed: Listed | undefined, accountsFile: string): Fault | undefined {
  const { file, isThere, contents } = found;
  const fault = (kind: Fault["kind"], what: string): Fault => ({ kind, message: `${file} ${what}` });
  const last = listed?.generation;
  if (!isThere) return last === undefined ? undefined : fault("file", absence(file));
  if (contents === undefined) return undefined;
  const { state } = contents;
  const isOlder = `is older than it was when ${accountsFile} last recorded it`;
  if (state === undefined) return last === undefined ? undefined : fault("older", isOlder);
  if (listed === undefined)
    return fault("newer", `is not in the list in ${accountsFile}: one of the two was replaced`);
  if (withoutSuffix(state.storeId) !== withoutSuffix(listed.storeId))
    return fault("newer", `is of another store than ${accountsFile}`);
  if (last === undefined || state.generation === last) return undefined;
  if (state.generation < last) return fault("older", isOlder);
  if (state.generation === last + 1 && isCutOff(file, state.lastIds, listed)) return undefined;
  return fault("newer", `is newer than ${accountsFile}, which was put back from a copy`);
}

/**
 * Whether a crash can have kept the list from following the file: at a start nothing was given out since the list was closed; at
 * an end, and at the start after a crash, the log is still there.
 */
function isCutOff(file: string, lastIds: LastIds, listed: Listed): boolean {
  if (!listed.isClosed) return existsSync(`${file}-wal`);
  return Object.entries(listed.lastIds).every(([table, last]) => (lastIds[table] ?? 0) <= last);
}
