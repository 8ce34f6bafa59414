import { existsSync, lstatSync, statSync } from "node:fs";
import { basename } from "node:path";
import { errorMessage } from "../../errors.ts";
import { isWritable } from "../../platform/disk.ts";
import type { Query } from "../database.ts";
import { MigrationError, refuseUnknownMigrations } from "../migrate.ts";
import { findMigrations, KIND } from "../migrations.ts";
import { DATABASE_NAMES, type DatabaseName, fileOf } from "../store-files.ts";
import { absence, type Contents, compareWithList, type Fault, type Found } from "./compare.ts";
import { isPassing, lookInto, readJournal } from "./look.ts";
import { APPLICATION_IDS, type PageOne, readLog, readPageOne } from "./raw-file.ts";
import { readState } from "./stamp.ts";
import { readList } from "./store-list.ts";

const STORE_LOOKS_MAX = 5; // at the files of a store before a fault counts: another process may be at them
const STORE_LOOK_PAUSE_MS = 20; // between two of them

/**
 * Looks at every database file of a folder and holds them against each other. Changes nothing. What another process is
 * changing meanwhile is looked at again: a fault is only what stays.
 */
export async function examineStore(dataDir: string): Promise<readonly Found[]> {
  for (let look = 1; ; look++) {
    const found = await lookAtAll(dataDir);
    if (look === STORE_LOOKS_MAX || found.every(({ fault }) => fault === undefined)) return found;
    await Bun.sleep(STORE_LOOK_PAUSE_MS);
  }
}

async function lookAtAll(dataDir: string): Promise<readonly Found[]> {
  // The accounts last: a new store has them first.
  const [accountsName, ...others] = DATABASE_NAMES;
  const siblings: Found[] = [];
  for (const name of others) siblings.push(await lookAt(name, fileOf(name, dataDir)));
  return compareWithList(await lookAt(accountsName, fileOf(accountsName, dataDir)), siblings);
}

async function lookAt(name: DatabaseName, file: string): Promise<Found> {
  const isThere = [file, `${file}-wal`].some((path) => isNoFile(path) || bytesOf(path) > 0);
  if (!isThere) return { name, file, isThere };
  const fault = findFault(name, file);
  if (fault !== undefined && fault.kind !== "log") return { name, file, isThere, fault };
  try {
    const contents = await lookInto(file, (query) => readContents(query, name, file), fault !== undefined);
    return { name, file, isThere, contents, fault };
  } catch (error) {
    // Opening it for use waits for it, or says why it cannot.
    return { name, file, isThere, fault: isPassing(error) ? fault : faultOf(error, file) };
  }
}

/** The journal first: another version's tables may differ. */
async function readContents(query: Query, name: DatabaseName, file: string): Promise<Contents> {
  const journal = await readJournal(query);
  refuseUnknownMigrations(journal, findMigrations("sqlite", KIND[name]), file);
  const state = await readState(query);
  const list = state !== undefined && name === "accounts" ? await readList(query) : undefined;
  return { journal, state, list };
}

function faultOf(error: unknown, file: string): Fault {
  const message = errorMessage(error);
  if (!(error instanceof MigrationError))
    return { kind: "file", message: `${file} cannot be used: it is damaged (${message})` };
  const kind = /(newer|earlier) petstore/.test(message) ? "avoidable" : "file";
  return { kind, message: message.replace(/\.$/, "") };
}

/** What is wrong with the bytes of a file and its log, which SQLite changes as soon as it opens them. */
function findFault(name: DatabaseName, file: string): Fault | undefined {
  const fault = (what: string, kind: Fault["kind"] = "file"): Fault => ({ kind, message: `${file} ${what}` });
  const [log, id] = [`${file}-wal`, APPLICATION_IDS[name]];
  const misplaced = [file, log].find(isNoFile);
  if (misplaced !== undefined)
    return fault(
      `cannot be used: ${basename(misplaced)} is not a file but a folder, a link or a device; put the file itself there`,
      "avoidable",
    );
  const bytes = bytesOf(file);
  if (bytes === 0) return fault(`${absence(file)}, and its log is there`);
  if (!isWritable(file))
    return fault(
      "cannot be used: it cannot be opened for writing; look at the permissions of the file and its folder",
      "avoidable",
    );
  const page = readPageOne(file);
  if (page === undefined) return fault("cannot be used: it is not a database of this program");
  if (![0, id].includes(page.applicationId)) return fault(ownerOf(page));
  const frames = readLog(log, page.pageBytes);
  if (frames === undefined || !isOwn(frames.pagesOne, page, id))
    return fault(`has a log (${basename(log)}) that is not its own`, "log");
  // SQLite removes a log after its index.
  if (existsSync(`${file}-shm`) && !existsSync(log))
    return fault(`has lost its log (${basename(log)}), whose index is there`, "log");
  const pages = frames.pages || page.pages;
  for (let number = Math.floor(bytes / page.pageBytes) + 1; number <= pages; number++)
    if (!frames.written.has(number))
      return fault(
        `cannot be used: it is damaged (it was cut off: ${bytes} bytes of ${pages * page.pageBytes})`,
      );
  return undefined;
}

function isNoFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === false;
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function ownerOf({ applicationId }: PageOne): string {
  const other = DATABASE_NAMES.find((name) => APPLICATION_IDS[name] === applicationId);
  return other === undefined ? "belongs to another program" : `holds the data of ${other}`;
}

/**
 * Each generation is one higher than the last, and a log begins after those that the file has had: another store's log, or one
 * from another time, does not fit. A file without an owner says nothing.
 */
function isOwn(pagesOne: readonly PageOne[], page: PageOne, id: number): boolean {
  const [first, last] = [pagesOne[0], pagesOne.at(-1)];
  if (first === undefined || last === undefined) return true;
  if (![first, last].every(({ applicationId }) => applicationId === 0 || applicationId === id)) return false;
  return (
    page.applicationId === 0 ||
    (first.generation <= page.generation + 1 && last.generation >= page.generation)
  );
}
