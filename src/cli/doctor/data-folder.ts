import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DISK_FREE_LOW_BYTES, DISK_FREE_MIN_BYTES } from "../../limits.ts";
import { restoringFolder } from "../../storage/backup/interrupted-restore.ts";
import { orphanedLogs, storeFiles } from "../../storage/store-files.ts";
import { type CheckResult, fail, ok, warn } from "./check-result.ts";

const OTHERS = 0o077;

/** Whether the service can keep its data in this folder, and nobody else reads it. */
export function checkDataFolder(dataDir: string): readonly CheckResult[] {
  if (!existsSync(dataDir)) return checkMissing(dataDir);
  return [checkAccess(dataDir), checkPermissions(dataDir), checkLeftovers(dataDir), checkDisk(dataDir)];
}

function checkMissing(dataDir: string): readonly CheckResult[] {
  let parent = dirname(resolve(dataDir));
  while (!existsSync(parent)) parent = dirname(parent);
  const found = isWritable(parent)
    ? ok("data folder", `${dataDir} is not there yet; it is made at the first start`)
    : fail("data folder", `${dataDir} cannot be made in ${parent}`, "Choose another with --data-dir.");
  return [found, checkDisk(parent)];
}

function checkAccess(dataDir: string): CheckResult {
  const ours = storeFiles(dataDir).filter((file) => !isWritable(file));
  const [first] = isWritable(dataDir) ? ours : [dataDir];
  return first === undefined
    ? ok("data folder", `${dataDir} can be written to`)
    : fail("data folder", `${first} cannot be written to`, "Give it to the user that the service runs as.");
}

function checkPermissions(dataDir: string): CheckResult {
  if ((statSync(dataDir).mode & OTHERS) === 0) return ok("permissions", "the data is its owner's alone");
  return warn("permissions", `others may look into ${dataDir}`, `chmod 700 ${dataDir}`);
}

function checkLeftovers(dataDir: string): CheckResult {
  if (existsSync(restoringFolder(dataDir)))
    return fail(
      "restore",
      `${restoringFolder(dataDir)} is there: a restore is under way, or was interrupted`,
      "If none is under way, remove it and the databases beside it, and restore again.",
    );
  const orphans = orphanedLogs(dataDir);
  if (orphans.length === 0) return ok("restore", "nothing is half restored");
  return fail(
    "restore",
    `there is a log without its database: ${orphans.join(", ")}`,
    "Put the database back that it belongs to, or move the log away.",
  );
}

function checkDisk(folder: string): CheckResult {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const message = `${(free / 1e9).toFixed(1)} GB left`;
  if (free < DISK_FREE_MIN_BYTES)
    return fail("disk", message, "Make room: when the disk is full, writes are refused with 503.");
  if (free < DISK_FREE_LOW_BYTES) return warn("disk", message, "Make room before it is full.");
  return ok("disk", message);
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
