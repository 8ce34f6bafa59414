import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { formatTime } from "../../platform/clock.ts";
import { createFolder } from "../../platform/owned-files.ts";
import { lockExclusively } from "../exclusive-lock.ts";
import { backUpStore, type OnProgress } from "./backup.ts";
import type { BackupEntry, BackupOrigin } from "./backup-file.ts";

// Names of backups in a folder: petstore-20261122T120000.000Z.backup

const NAME = /^petstore-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3}Z)\.backup$/;
const LOCK = "backups.lock";

interface FolderOptions {
  readonly dataDir: string;
  readonly folder: string;
  readonly keep: number;
  readonly origin: BackupOrigin;
  readonly onProgress: OnProgress;
}

export interface BackupInFolder {
  readonly file: string;
  readonly databases: readonly BackupEntry[];
  readonly removed: readonly string[];
}

/**
 * Creates a backup in a folder, and removes the oldest ones after it has been read back. One process at a time works in a
 * folder; a crashed one's remains are removed by the next.
 *
 * @throws Error with a text for the operator; no backup was removed, unless the text says so
 */
export async function backUpIntoFolder(options: FolderOptions): Promise<BackupInFolder> {
  const { folder, keep, origin } = options;
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new Error(`${folder} is not a folder. Name one for the backups.`);
  createFolder(folder);
  using lock = lockExclusively(join(folder, LOCK));
  if (lock === undefined)
    throw new Error(`Another backup is being written to ${folder}. Wait for it, or choose another folder.`);
  removeLeftovers(folder);
  const name = `petstore-${formatTime(origin.startedAt).replaceAll(/[-:]/g, "")}.backup`;
  const file = join(folder, name);
  const databases = await backUpStore({
    ...options,
    file,
    workFolder: join(folder, workFolderOf(process.pid)),
  });
  // The clock may have been set back: the new backup is kept in any case.
  const older = readdirSync(folder).filter((one) => NAME.test(one) && one !== name);
  const removed = older.sort().slice(0, Math.max(0, older.length - (keep - 1)));
  for (const one of removed) rmSync(join(folder, one));
  return { file, databases, removed };
}

/** Name of the folder in which a process creates a backup. */
export function workFolderOf(pid: number): string {
  return `backup-${pid}.partial`;
}

function removeLeftovers(folder: string) {
  for (const name of readdirSync(folder))
    if (/^backup-\d+\.partial$/.test(name)) rmSync(join(folder, name), { recursive: true });
}

/** Start of a folder's newest backup, in milliseconds since 1970; undefined without any. */
export async function newestBackupTime(folder: string): Promise<number | undefined> {
  const names = await readdir(folder).catch(() => []);
  const newest = names
    .filter((name) => NAME.test(name))
    .sort()
    .at(-1);
  return newest === undefined ? undefined : Date.parse(newest.replace(NAME, "$1-$2-$3T$4:$5:$6"));
}
