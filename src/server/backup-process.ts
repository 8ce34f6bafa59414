import { rm } from "node:fs/promises";
import { join } from "node:path";
import { environmentWithoutSettings } from "../config.ts";
import { selfCommand } from "../platform/executable.ts";
import { type BackupInFolder, workFolderOf } from "../storage/backup/backup-folder.ts";

interface BackupTask {
  readonly dataDir: string;
  readonly folder: string;
  readonly keep: number;
}

/**
 * Runs `petstore backup --keep`, because a backup is work for seconds or minutes that the event loop would wait for, and
 * because closing a database's file would release the locks that this process has on it (POSIX).
 *
 * @param signal ends it; no half backup is left
 * @throws Error, in words for the operator
 */
export async function backUpInProcess(
  { dataDir, folder, keep }: BackupTask,
  signal: AbortSignal,
): Promise<BackupInFolder> {
  const flags = ["--json", "--keep", String(keep), "--data-dir", dataDir];
  const child = Bun.spawn([...selfCommand(), "backup", ...flags, "--", folder], {
    env: environmentWithoutSettings(),
    stdio: ["ignore", "pipe", "pipe"],
    signal,
    killSignal: "SIGKILL",
  });
  const [code, out, err] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  if (code === 0) return JSON.parse(out);
  // Where there is no folder to clear, the child's reason says so.
  await rm(join(folder, workFolderOf(child.pid)), { recursive: true, force: true }).catch(() => {});
  const reason = err.trim().replace(/^petstore: /, "");
  throw new Error(reason || `The backup's process ended with ${child.signalCode ?? code}.`);
}
