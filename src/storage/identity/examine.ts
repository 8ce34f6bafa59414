import { existsSync, lstatSync, statSync } from "node:fs";
import { basename } from "node:path";
import { errorMessage } from "../../errors.ts";
import { STORE_LOOK_PAUSE_MS, STORE_LOOKS_MAX } from "../../limits.ts";
import { isWritable } from "../../platform/disk.ts";
import { MigrationError, refuseUnknownMigrations } from "../migrate.ts";
import { findMigrations, KIND } from "../migrations.ts";
import { DATABASE_NAMES, type DatabaseName, fileOf } from "../store-files.ts";
import { compareWithList } from "./compare.ts";
import { absence, type Fault, type Found } from "./found.ts";
import { isPassing, lookInto } from "./look.ts";
import { APPLICATION_IDS, type PageOne, readPageOne } from "./page-one.ts";
import { readLog } from "./write-ahead-log.ts";

/**
 * Looks at every database file of a folder and holds them against each other. Changes nothing. What another process is
 * changing meanwhile is looked at again: a fault is only what stays.
 */
export async function examineStore(dataDir: string): Promise<readonly Found[]> {
  for (let look = 1; ; look++) {
    const found = lookAtAll(dataDir);
    if (look === STORE_LOOKS_MAX || found.every(({ fault }) => fault === undefined)) return found;
    await Bun.sleep(STORE_LOOK_PAUSE_MS);
  }
}

function lookAtAll(dataDir: string): readonly Found[] {
  // The accounts last: a new store has them first.
  const [accountsName, ...others] = DATABASE_NAMES;
  const siblings = others.map((name) => lookAt(name, fileOf(name, dataDir)));
  const accounts = lookAt(accountsName, fileOf(accountsName, dataDir));
  return compareWithList(accounts, siblings);
}

function lookAt(name: DatabaseName, file: string): Found {
  const found = { name, file, page: undefined, contents: undefined };
  const failed = (what: string, remedy: Fault["remedy"] = "new-file"): Found => ({
    ...found,
    fault: { name, remedy, message: `${file} ${what}` },
  });
  const misplaced = [file, `${file}-wal`].find((path) => !isFileOrNothing(path));
  if (misplaced !== undefined)
    return failed(
      `cannot be used: ${basename(misplaced)} is not a file but a folder, a link or a device; put the file itself there`,
      "none",
    );
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes === 0) {
    const log = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (log > 0) return failed(`${absence(file)}, and its log is there`);
    return { ...found, fault: undefined };
  }
  if (!isWritable(file))
    return failed(
      "cannot be used: it cannot be opened for writing; look at the permissions of the file and its folder",
      "none",
    );
  const page = readPageOne(file);
  if (page === undefined) return failed("cannot be used: it is not a database of this program");
  if (![0, APPLICATION_IDS[name]].includes(page.applicationId)) return failed(ownerOf(page));
  const log = readLog(`${file}-wal`, page.pageBytes);
  if (log === undefined || !isOwn(log.first, log.last, page, APPLICATION_IDS[name]))
    return failed(`has a log (${basename(file)}-wal) that is not its own`, "new-log");
  // SQLite removes a log after its index.
  if (existsSync(`${file}-shm`) && !existsSync(`${file}-wal`))
    return failed(`has lost its log (${basename(file)}-wal), whose index is there`, "new-log");
  const pages = log.pages || (page.pages ?? 0);
  for (let number = Math.floor(bytes / page.pageBytes) + 1; number <= pages; number++) {
    if (log.written.has(number)) continue;
    return failed(
      `cannot be used: it is damaged (it was cut off: ${bytes} bytes of ${pages * page.pageBytes})`,
    );
  }
  return readContents({ ...found, page: log.last ?? page, fault: undefined }, failed);
}

function isFileOrNothing(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
}

function ownerOf({ applicationId }: PageOne): string {
  const other = DATABASE_NAMES.find((name) => APPLICATION_IDS[name] === applicationId);
  return other === undefined ? "belongs to another program" : `holds the data of ${other}`;
}

/**
 * Each mark is one higher than the last, and the log begins after the marks that the file has had: another store's, or one
 * from another time, does not fit. A file without a mark says nothing.
 */
function isOwn(first: PageOne | undefined, last: PageOne | undefined, page: PageOne, id: number): boolean {
  if (first === undefined || last === undefined) return true;
  if (![first, last].every(({ applicationId }) => applicationId === 0 || applicationId === id)) return false;
  return page.applicationId === 0 || (first.mark <= page.mark + 1 && last.mark >= page.mark);
}

function readContents(found: Found, failed: (what: string, remedy?: Fault["remedy"]) => Found): Found {
  const { name, file } = found;
  try {
    const contents = lookInto(file);
    refuseUnknownMigrations(contents.journal, findMigrations("sqlite", KIND[name]), file);
    return { ...found, contents };
  } catch (error) {
    if (error instanceof MigrationError) {
      const isOfAnotherVersion = /(newer|earlier) petstore/.test(error.message);
      const message = errorMessage(error).replace(/\.$/, "");
      return { ...found, fault: { name, remedy: isOfAnotherVersion ? "none" : "new-file", message } };
    }
    // Opening it for use waits for it, or says why it cannot.
    if (isPassing(error)) return found;
    return failed(`cannot be used: it is damaged (${errorMessage(error)})`);
  }
}
