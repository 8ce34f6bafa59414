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
 * Creates a backup in a folder, reads it back to verify it, and then removes the oldest backups. Only one process at a time can
 * work in a folder. If that process crashes, the next one removes the files that it left behind.
 *
 * @throws Error with a message for the operator; unless the message says otherwise, no backup was removed
 */
export async function backUpIntoFolder(options: FolderOptions): Promise<BackupInFolder> {
  const { folder, keep, origin } = options;
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new Error(`${folder} is not a folder. Give the path of a folder for the backups.`);
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
 * Returns a name for a backup made at this time. If that name is taken, tries the following milliseconds until it finds a free
 * name. (The same time can occur twice if the clock was set back.)
 */
function unusedName(folder: string, time: number): string {
  const name = backupName(time);
  return existsSync(join(folder, name)) ? unusedName(folder, time + 1) : name;
}

/** Returns the name of the folder that a process uses to prepare its backup. */
export function workFolderOf(pid: number): string {
  return `backup-${pid}.partial`;
}

/** Returns the folder that is used to prepare a backup before it is uploaded. */
export function sendingFolder(dataDir: string): string {
  return join(dataDir, "sending");
}

export function removeLeftovers(folder: string) {
  for (const name of readdirSync(folder))
    if (/^backup-\d+\.partial$/.test(name)) rmSync(join(folder, name), { recursive: true });
}

/**
 * Locks a backup folder until the lock is disposed or the process ends.
 *
 * @throws Error if the folder cannot be locked, for example because another backup is being written to it
 */
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
      ? `Another backup is being written to ${folder}. Wait until that backup is complete, or choose another folder.`
      : `No backup can be written to ${folder}: ${reason}.`,
  );
}

/**
 * Lists the scheduled backups in a folder, oldest first. The list is empty if the folder does not exist. @throws the file system's
 * errors
 */
export async function backupsInFolder(folder: string, now: number): Promise<readonly NamedBackup[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return scheduledIn(names, now);
}

/**
 * Returns only the backups that were made in this folder. A backup whose name contains the beginning of a store's identifier was
 * copied from a bucket, and is left out.
 */
function scheduledIn(names: readonly string[], now: number) {
  return backupsAmong(names, now).filter(({ store }) => store === undefined);
}
