import { existsSync } from "node:fs";
import { join } from "node:path";

/** The folder into which a restore unpacks, inside the data folder: while it exists, the restore is not complete. */
export function restoringFolder(dataDir: string): string {
  return join(dataDir, "restoring");
}

/** Refuses a data folder whose restore was interrupted: missing databases would be created empty. @throws Error */
export function refuseInterruptedRestore(dataDir: string): void {
  const folder = restoringFolder(dataDir);
  if (!existsSync(folder)) return;
  throw new Error(
    `${folder} is there: a restore is under way, or was interrupted. If none is, remove that folder and the databases beside it, and restore again.`,
  );
}
