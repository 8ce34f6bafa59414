import { SQLiteError } from "bun:sqlite";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createFolder } from "../../platform/owned-files.ts";
import { lockExclusively } from "../exclusive-lock.ts";
import { describeLack } from "../file-system.ts";
import { reasonOf } from "../sqlite/errors.ts";
import { backUpStore, type OnProgress } from "./backup.ts";
import type { BackupEntry, BackupOrigin } from "./backup-file.ts";
import { backupName, backupsAmong, type NamedBackup, outdated } from "./backup-names.ts";

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
 * Creates a backup in a folder, reads it back, and then removes the oldest ones. One process at a time works in a folder; if it
 * crashes, the next one removes what it has left.
 *
 * @throws Error with a text for the operator; no backup was removed, unless the text says so
 */
export async function backUpIntoFolder(options: FolderOptions): Promise<BackupInFolder> {
  const { folder, keep, origin } = options;
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new Error(`${folder} is not a folder. Name a folder for the backups.`);
  createFolder(folder);
  using _lock = lockFolder(folder);
  removeLeftovers(folder);
  const name = unusedName(folder, origin.startedAt);
  const file = join(folder, name);
  const databases = await backUpStore({
    ...options,
    file,
    workFolder: join(folder, workFolderOf(process.pid)),
  });
  const removed = outdated(scheduledIn(readdirSync(folder), origin.startedAt), name, keep);
  for (const one of removed) rmSync(join(folder, one));
  return { file, databases, removed };
}

/**
 * The name of a backup for this time, or for the next millisecond that has none: a clock that was set back may show a time
 * again.
 */
function unusedName(folder: string, time: number): string {
  const name = backupName(time);
  return existsSync(join(folder, name)) ? unusedName(folder, time + 1) : name;
}

/** Name of the folder in which a process creates a backup. */
export function workFolderOf(pid: number): string {
  return `backup-${pid}.partial`;
}

/** Folder in which a backup is made before it is sent elsewhere. */
export function sendingFolder(dataDir: string): string {
  return join(dataDir, "sending");
}

export function removeLeftovers(folder: string) {
  for (const name of readdirSync(folder))
    if (/^backup-\d+\.partial$/.test(name)) rmSync(join(folder, name), { recursive: true });
}

/** Locks a backup folder until the process ends. @throws Error if another backup is running there, or it cannot be locked */
export function lockFolder(folder: string): Disposable {
  let reason: string | undefined;
  try {
    const lock = lockExclusively(join(folder, LOCK));
    if (lock !== undefined) return lock;
    reason = describeLack([folder]);
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error;
    reason = reasonOf(error, [folder]);
  }
  throw new Error(
    reason === undefined
      ? `Another backup is being written to ${folder}. Wait for it, or choose another folder.`
      : `No backup can be written to ${folder}: ${reason}.`,
  );
}

/** The scheduled backups in a folder, oldest first. @throws Error of the file system, unless there is no such folder */
export async function backupsInFolder(folder: string, now: number): Promise<readonly NamedBackup[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return scheduledIn(names, now);
}

/** Backups that this program made in a folder. A backup with a store's mark was copied there from a bucket. */
function scheduledIn(names: readonly string[], now: number) {
  return backupsAmong(names, now).filter(({ store }) => store === undefined);
}
