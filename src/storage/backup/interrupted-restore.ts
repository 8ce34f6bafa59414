import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where a restore unpacks, inside the data folder: as long as it is there, the restore has not ended. */
export function restoringFolder(dataDir: string): string {
  return join(dataDir, "restoring");
}

/** @throws Error when only some of the databases may be in place: an empty one must not be made for the others */
export function refuseInterruptedRestore(dataDir: string): void {
  const folder = restoringFolder(dataDir);
  if (!existsSync(folder)) return;
  throw new Error(
    `${folder} is there: a restore is under way, or was interrupted. If none is, remove that folder and the databases beside it, and restore again.`,
  );
}
