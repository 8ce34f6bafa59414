import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { errorMessage } from "../../errors.ts";
import { createFolder } from "../../platform/owned-files.ts";
import { DATABASE_NAMES } from "../store-files.ts";
import { asideName, flushToDisk } from "./flush.ts";

// A restore unpacks the backup into the folder `restoring` inside the data folder, while the current store stays complete. After
// that, `restoring` is renamed to `replacing`. The current databases are then moved to `replacing/old`, which is renamed to
// `replaced-TIME`, and the restored databases take their place. If a step is interrupted, it can be repeated.

export const unpackingFolder = (dataDir: string) => join(dataDir, "restoring");
const replacingFolder = (dataDir: string) => join(dataDir, "replacing");
const OLD = "old";
const NOTHING_LOST =
  "Nothing is lost: the old databases and the databases from the backup are in this folder. If no restore is running, run the command again: petstore restore FILE --replace";

/**
 * Matches the names of a store's files: the databases, their logs, and the rollback journals that other programs may have left
 * behind.
 */
const OURS = new RegExp(`^(${DATABASE_NAMES.join("|")})\\.sqlite(-wal|-shm|-journal)?$`);

/** Returns the paths of all files in a folder that belong to a store. */
export function filesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => OURS.test(name))
    .sort()
    .map((name) => join(folder, name));
}

export interface InterruptedRestore {
  readonly what: string;
  readonly remedy: string;
  /** True if the current store is still complete, because the restore has not replaced anything yet. */
  readonly isStoreWhole: boolean;
}

/** Finds a restore that is running or was interrupted. */
export function findInterruptedRestore(dataDir: string): InterruptedRestore | undefined {
  if (existsSync(replacingFolder(dataDir)))
    return {
      what: `A restore is running, or was interrupted while it was replacing the databases in ${dataDir}.`,
      remedy: NOTHING_LOST,
      isStoreWhole: false,
    };
  const folder = unpackingFolder(dataDir);
  if (!existsSync(folder)) return undefined;
  return {
    what: `A restore to ${dataDir} is running, or was interrupted before it replaced anything.`,
    remedy: `If no restore is running, run the command again: petstore restore FILE. To cancel the interrupted restore instead, remove the folder ${folder}`,
    isStoreWhole: filesIn(dataDir).length > 0,
  };
}

/**
 * Throws an error while a store's databases are being replaced, or if an interrupted restore has left the data folder without
 * databases. Without this check, opening the store would create an empty one.
 *
 * @throws Error with a message for the operator
 */
export function refuseInterruptedRestore(dataDir: string): void {
  const found = findInterruptedRestore(dataDir);
  if (found !== undefined && !found.isStoreWhole) throw new Error(`${found.what} ${found.remedy}`);
}

/**
 * Records that a restore has unpacked all databases. If the restore is interrupted after this, the next restore first completes it.
 */
export function beginReplacing(dataDir: string): void {
  createFolder(join(unpackingFolder(dataDir), OLD));
  flushToDisk(unpackingFolder(dataDir));
  renameSync(unpackingFolder(dataDir), replacingFolder(dataDir));
  flushToDisk(dataDir);
}

function moveFiles(from: string, to: string): void {
  for (const path of filesIn(from)) renameSync(path, join(to, basename(path)));
}

/** If a restore has begun to replace the databases, completes the replacement. @throws Error with a message for the operator */
export function finishReplacing(dataDir: string): void {
  if (!existsSync(replacingFolder(dataDir))) return;
  try {
    replace(dataDir);
  } catch (error) {
    throw new Error(
      `Some databases in ${dataDir} were not replaced: ${errorMessage(error)}. ${NOTHING_LOST}`,
      { cause: error },
    );
  }
}

function replace(dataDir: string): void {
  const folder = replacingFolder(dataDir);
  const old = join(folder, OLD);
  if (existsSync(old)) {
    moveFiles(dataDir, old);
    flushToDisk(old);
    flushToDisk(dataDir);
    if (filesIn(old).length === 0) rmdirSync(old);
    else renameSync(old, join(dataDir, asideName("replaced")));
    flushToDisk(dataDir);
  }
  moveFiles(folder, dataDir);
  flushToDisk(dataDir);
  rmSync(folder, { recursive: true });
  flushToDisk(dataDir);
}
