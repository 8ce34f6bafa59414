import { existsSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { Config } from "../../config.ts";
import { isBucketUrl } from "../../platform/bucket-url.ts";
import { systemClock } from "../../platform/clock.ts";
import { freeBytes, isWritable } from "../../platform/disk.ts";
import { nearestFolder } from "../../platform/file-errors.ts";
import { backupsInFolder } from "../../storage/backup/backup-folder.ts";
import { findInterruptedRestore } from "../../storage/backup/interrupted-restore.ts";
import { isDiskFull } from "../../storage/file-system.ts";
import { examineStore, type Found } from "../../storage/identity/examine.ts";
import { pasteable } from "../terminal/shell-quote.ts";
import { judgeBackups } from "./backup-age.ts";
import { type CheckResult, checkFiles, fail, ok, warn } from "./check-result.ts";
import { compareWithFiles } from "./clock.ts";
import { checkDatabaseServer } from "./database-server.ts";
import { checkFileSystem } from "./file-system.ts";
import { judgeMigrations } from "./migrations.ts";

const DISK_FREE_LOW_BYTES = 5_000_000_000; // amount of free disk space below which `petstore doctor` warns
const DISK_FREE_MIN_BYTES = 500_000_000; // amount of free disk space below which `petstore doctor` fails
const CHOOSE_ANOTHER = "Choose another folder with --data-dir.";

/** The permission bits of a file mode for the file's group and for all other users. */
const OTHERS = 0o077;

/** Checks the store and its scheduled backups. The store may be embedded or on a database server. */
export async function checkStore(config: Config): Promise<readonly CheckResult[]> {
  const now = systemClock.now();
  const isEmbedded = config.databaseUrl === undefined;
  return [
    ...(isEmbedded ? await checkFiles("data folder", () => checkDataFolder(config.dataDir, now)) : []),
    ...(await checkDatabaseServer(config)),
    ...(await checkFiles("backups", () => checkBackups(config, now))),
  ];
}

/**
 * Checks the age of the newest scheduled backup, if a folder or bucket for backups is configured. For a bucket, also checks what
 * the access keys are permitted to do.
 */
async function checkBackups(config: Config, now: number): Promise<readonly CheckResult[]> {
  const { backupDir: place } = config;
  if (place === undefined) return [];
  if (isBucketUrl(place))
    return (await import("./bucket.ts")).checkBucket({ ...config, backupDir: place }, now);
  return judgeBackups(place, await backupsInFolder(place, now), config, now);
}

/**
 * Checks that the current user can use the embedded store's files, that other users cannot read them, and that the disk has space.
 */
async function checkDataFolder(dataDir: string, now: number): Promise<readonly CheckResult[]> {
  const folder = nearestFolder(resolve(dataDir));
  const isThere = folder === resolve(dataDir);
  const isFolder = statSync(folder).isDirectory();
  if (isThere && !isFolder) return [fail("data folder", `${dataDir} is a file`, CHOOSE_ANOTHER)];
  const disk = judgeDisk(freeBytes(folder));
  if (!isFolder || !isWritable(folder)) {
    const access = isThere
      ? notWritable(dataDir)
      : fail("data folder", `${dataDir} cannot be created in ${folder}`, CHOOSE_ANOTHER);
    return [access, disk];
  }
  const found = await examineStore(dataDir);
  const files = found
    .flatMap(({ file }) => [file, `${file}-wal`, `${file}-shm`])
    .filter((file) => existsSync(file));
  const locked = files.find((file) => !isWritable(file));
  const access = () => (locked === undefined ? checkOwners(dataDir, files) : notWritable(locked));
  const results = isThere
    ? [access(), checkPermissions(dataDir), checkLeftovers(dataDir, found), disk]
    : [ok("data folder", `${dataDir} does not exist yet; the service creates it at the first start`), disk];
  if (locked !== undefined) return results;
  const isFull = isDiskFull(folder);
  const newest = Math.max(0, ...files.map((file) => statSync(file).mtimeMs));
  return [
    ...results,
    ...checkFileSystem(dataDir),
    ...found.map((one) => judgeFile(one, isFull)),
    compareWithFiles(now, newest),
  ];
}

/**
 * Checks that the files belong to the owner of the folder. The service runs as that user, and may be unable to open files that
 * root has written.
 */
function checkOwners(dataDir: string, files: readonly string[]): CheckResult {
  const { uid, gid } = statSync(dataDir);
  const ownerOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.uid ?? uid;
  const foreign = files.filter((file) => ownerOf(file) !== uid);
  const [first] = foreign;
  if (first === undefined) return ok("data folder", `${dataDir} is writable`);
  return fail(
    "data folder",
    `${first} belongs to user ${ownerOf(first)}, but its folder belongs to user ${uid}, who may not be able to open the file`,
    `Run: chown ${uid}:${gid} ${foreign.map(pasteable).join(" ")}`,
  );
}

function notWritable(path: string): CheckResult {
  return fail(
    "data folder",
    `${path} is not writable`,
    "Change the owner of this file or folder (chown) to the user that the service runs as.",
  );
}

function checkPermissions(dataDir: string): CheckResult {
  if ((statSync(dataDir).mode & OTHERS) === 0)
    return ok("permissions", "only the owner of this folder can read the data");
  return warn("permissions", `other users can read ${dataDir}`, `Run: chmod 700 ${dataDir}`);
}

function checkLeftovers(dataDir: string, found: readonly Found[]): CheckResult {
  const restore = findInterruptedRestore(dataDir);
  if (restore !== undefined)
    return (restore.isStoreWhole ? warn : fail)("restore", restore.what, `${restore.remedy}.`);
  const orphans = found
    .filter(({ file }) => !existsSync(file) && existsSync(`${file}-wal`))
    .map(({ file }) => `${basename(file)}-wal`);
  if (orphans.length === 0) return ok("restore", "no unfinished restore");
  return fail(
    "restore",
    `these log files have no database file: ${orphans.join(", ")}`,
    "Put the database file back next to its log file, or move the log file away.",
  );
}

function judgeDisk(free: number): CheckResult {
  const message = `${free < 1e9 ? `${Math.round(free / 1e6)} MB` : `${(free / 1e9).toFixed(1)} GB`} free`;
  if (free < DISK_FREE_MIN_BYTES)
    return fail(
      "disk",
      message,
      "Free some space: while the disk is full, the store can be read, but changes are refused with 503.",
    );
  if (free < DISK_FREE_LOW_BYTES) return warn("disk", message, "Free up disk space before the disk is full.");
  return ok("disk", message);
}

/** Decides whether this version of petstore can open a database file. */
function judgeFile({ name, fault, isThere, contents }: Found, isFull: boolean): CheckResult {
  const check = `database ${name}`;
  if (fault?.kind === "avoidable") return fail(check, fault.message, "Nothing was changed.");
  if (fault !== undefined)
    return fail(
      check,
      fault.message,
      "Put the correct database file back, restore a backup (petstore restore FILE --replace), or continue without the lost data: petstore doctor --accept-loss",
    );
  if (isThere && contents === undefined)
    return isFull
      ? warn(
          check,
          "this database could not be checked, because the disk is full",
          "Free some space, and run petstore doctor again.",
        )
      : warn(
          check,
          "this database could not be checked, because another process was changing the file",
          "Run petstore doctor again.",
        );
  return judgeMigrations(check, contents ?? { applied: 0, pending: 0 });
}
