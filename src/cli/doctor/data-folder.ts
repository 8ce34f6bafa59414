import { existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { freeBytes, isWritable } from "../../platform/disk.ts";
import { restoringFolder } from "../../storage/backup/interrupted-restore.ts";
import { orphanedLogs, storeFiles } from "../../storage/store-files.ts";
import { type CheckResult, fail, ok, warn } from "./check-result.ts";

const DISK_FREE_LOW_BYTES = 5_000_000_000; // below, `petstore doctor` warns
const DISK_FREE_MIN_BYTES = 500_000_000; // below, `petstore doctor` fails

/** The permission bits of the group and of others. */
const OTHERS = 0o077;
const CHOOSE_ANOTHER = "Choose another folder with --data-dir.";

/** Whether the service can write to this folder, other users cannot read it, and the disk has room. */
export function checkDataFolder(dataDir: string): readonly CheckResult[] {
  if (!existsSync(dataDir)) return checkMissing(dataDir);
  if (!isFolder(dataDir)) return [fail("data folder", `${dataDir} is a file`, CHOOSE_ANOTHER)];
  return [checkAccess(dataDir), checkPermissions(dataDir), checkLeftovers(dataDir), checkDisk(dataDir)];
}

function checkMissing(dataDir: string): readonly CheckResult[] {
  let parent = dirname(resolve(dataDir));
  while (!existsSync(parent)) parent = dirname(parent);
  const found =
    isFolder(parent) && isWritable(parent)
      ? ok("data folder", `${dataDir} does not exist yet; the first start creates it`)
      : fail("data folder", `${dataDir} cannot be created in ${parent}`, CHOOSE_ANOTHER);
  return [found, checkDisk(parent)];
}

function checkAccess(dataDir: string): CheckResult {
  const first = isWritable(dataDir) ? storeFiles(dataDir).find((file) => !isWritable(file)) : dataDir;
  return first === undefined
    ? ok("data folder", `${dataDir} is writable`)
    : fail("data folder", `${first} is not writable`, "Make the user that runs the service its owner.");
}

function checkPermissions(dataDir: string): CheckResult {
  if ((statSync(dataDir).mode & OTHERS) === 0) return ok("permissions", "only its owner can read the data");
  return warn("permissions", `other users can read ${dataDir}`, `Run: chmod 700 ${dataDir}`);
}

function checkLeftovers(dataDir: string): CheckResult {
  if (existsSync(restoringFolder(dataDir)))
    return fail(
      "restore",
      `${restoringFolder(dataDir)} exists: a restore is running, or was interrupted`,
      "If no restore is running, remove this folder and the databases beside it, and restore again.",
    );
  const orphans = orphanedLogs(dataDir);
  if (orphans.length === 0) return ok("restore", "no unfinished restore");
  return fail(
    "restore",
    `a log file has no database: ${orphans.join(", ")}`,
    "Put its database back, or move the log file away.",
  );
}

function checkDisk(folder: string): CheckResult {
  const free = freeBytes(folder);
  const message = `${(free / 1e9).toFixed(1)} GB free`;
  if (free < DISK_FREE_MIN_BYTES)
    return fail("disk", message, "Free disk space: on a full disk, writes are refused with 503.");
  if (free < DISK_FREE_LOW_BYTES) return warn("disk", message, "Free disk space before it is full.");
  return ok("disk", message);
}

function isFolder(path: string): boolean {
  return statSync(path).isDirectory();
}
