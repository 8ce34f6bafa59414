import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type BackupInFolder, workFolderOf } from "../storage/backup/backup-folder.ts";
import { runOwnCommand } from "./own-command.ts";

interface BackupTask {
  readonly dataDir: string;
  readonly folder: string;
  readonly keep: number;
}

/**
 * Runs `petstore backup --keep`.
 *
 * @param signal ends it; no half backup is left
 * @throws Error, in words for the operator
 */
export async function backUpInProcess(
  { dataDir, folder, keep }: BackupTask,
  signal: AbortSignal,
): Promise<BackupInFolder> {
  const flags = ["--json", "--keep", String(keep), "--data-dir", dataDir];
  const { pid, code, out, reason } = await runOwnCommand(["backup", ...flags, "--", folder], signal);
  if (code === 0) return JSON.parse(out);
  // Where there is no folder to clear, the reason says so.
  await rm(join(folder, workFolderOf(pid)), { recursive: true, force: true }).catch(() => {});
  throw new Error(reason);
}
