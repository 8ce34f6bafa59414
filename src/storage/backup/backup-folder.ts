import { SQLiteError } from "bun:sqlite";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { formatTime } from "../../platform/clock.ts";
import { createFolder } from "../../platform/owned-files.ts";
import { lockExclusively } from "../exclusive-lock.ts";
import { describeLack } from "../file-system.ts";
import { reasonOf } from "../sqlite/errors.ts";
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
 * Creates a backup in a folder, and removes the oldest ones after it has been read back. A backup named later than now was
 * made by a clock that was ahead, and counts as the oldest: otherwise it would outlive every right one. One process at a
 * time works in a folder; a crashed one's remains are removed by the next.
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
  const others = backupsIn(readdirSync(folder), origin.startedAt).filter((one) => one.name !== name);
  const oldestFirst = [
    ...others.filter(({ isAhead }) => isAhead),
    ...others.filter(({ isAhead }) => !isAhead),
  ];
  const removed = oldestFirst.slice(0, Math.max(0, others.length - (keep - 1))).map((one) => one.name);
  for (const one of removed) rmSync(join(folder, one));
  return { file, databases, removed };
}

/** The name of a backup's time, or of the next millisecond without one: a clock that was set back may show a time again. */
function unusedName(folder: string, time: number): string {
  const name = `petstore-${formatTime(time).replaceAll(/[-:]/g, "")}.backup`;
  return existsSync(join(folder, name)) ? unusedName(folder, time + 1) : name;
}

interface NamedBackup {
  readonly name: string;
  /** Start of the backup by its name, in milliseconds since 1970. */
  readonly time: number;
  /** True if the time is yet to come. */
  readonly isAhead: boolean;
}

/** The backups among a folder's files, by time. */
function backupsIn(names: readonly string[], now: number): readonly NamedBackup[] {
  return names
    .filter((name) => NAME.test(name))
    .map((name) => ({ name, time: Date.parse(name.replace(NAME, "$1-$2-$3T$4:$5:$6")) }))
    .filter(({ time }) => !Number.isNaN(time))
    .sort((one, other) => one.time - other.time)
    .map((backup) => ({ ...backup, isAhead: backup.time > now }));
}

/** Name of the folder in which a process creates a backup. */
export function workFolderOf(pid: number): string {
  return `backup-${pid}.partial`;
}

function removeLeftovers(folder: string) {
  for (const name of readdirSync(folder))
    if (/^backup-\d+\.partial$/.test(name)) rmSync(join(folder, name), { recursive: true });
}

/** Locks a folder of backups until its process ends. @throws Error if another backup holds it, or it cannot be locked */
function lockFolder(folder: string): Disposable {
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

/**
 * Start of a folder's newest backup, in milliseconds since 1970, and the number of those that are named later than `now`,
 * which do not count: nobody knows when they were made.
 *
 * @throws Error of the file system, unless there is no such folder
 */
export async function newestBackup(
  folder: string,
  now: number,
): Promise<{ readonly time: number | undefined; readonly ahead: number }> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const backups = backupsIn(names, now);
  return {
    time: backups.findLast(({ isAhead }) => !isAhead)?.time,
    ahead: backups.filter(({ isAhead }) => isAhead).length,
  };
}
