import { existsSync } from "node:fs";
import { errorMessage } from "../../errors.ts";
import { findLack, isDiskFull } from "../../storage/file-system.ts";
import { type CheckResult, fail, ok, warn } from "./check-result.ts";

const CHECK = "file system";
const ADVICE = "Use a folder on a local disk (--data-dir), or a database server (--database-url).";

/**
 * Checks that the file system of an existing data folder has the features that the databases need. It creates a file for this,
 * and removes it at once.
 */
export function checkFileSystem(dataDir: string): readonly CheckResult[] {
  // A full disk is not reported here, because the check of free disk space reports it.
  if (!existsSync(dataDir) || isDiskFull(dataDir)) return [];
  try {
    const lack = findLack(dataDir);
    if (lack === undefined)
      return [ok(CHECK, "this file system can lock files and share memory between processes")];
    return [fail(CHECK, `${dataDir} is on a file system that ${lack}`, ADVICE)];
  } catch (error) {
    const message = `locks and shared memory could not be tested in ${dataDir}: ${errorMessage(error)}`;
    return [warn(CHECK, message, "Check the disk, and run petstore doctor again.")];
  }
}
