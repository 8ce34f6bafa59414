import { Database as Connection, SQLiteError } from "bun:sqlite";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { freeBytes } from "../platform/disk.ts";
import { DISK_ROOM_BYTES } from "./store-files.ts";

/** The error codes that SQLite returns if the file system cannot lock files or map them into memory. */
const LACKS: readonly (readonly [code: RegExp, what: string])[] = [
  [/^SQLITE_(BUSY|PROTOCOL|IOERR_(LOCK|RDLOCK|UNLOCK|CHECKRESERVEDLOCK|SHMLOCK))/, "cannot lock files"],
  [/^SQLITE_IOERR_SHM(MAP|OPEN)/, "cannot share memory between processes (mmap)"],
];

/** True if the disk that contains a folder is full or nearly full. False if this cannot be determined. */
export function isDiskFull(folder: string): boolean {
  try {
    return freeBytes(folder) < DISK_ROOM_BYTES;
  } catch {
    return false;
  }
}

/**
 * Checks whether the file system of a folder supports what a store needs. To do so, it creates a database in the folder, locks it,
 * maps it into memory, and removes it. Do not call this on a full disk, where writing to mapped memory may kill the process
 * (SIGBUS).
 *
 * @returns what the file system cannot do, such as `cannot lock files`, or undefined if it can do everything
 * @throws SQLiteError if the check fails for another reason
 */
export function findLack(folder: string): string | undefined {
  const file = join(folder, `doctor-${process.pid}.partial`);
  try {
    lockAndMap(file);
    return undefined;
  } catch (error) {
    const code = error instanceof SQLiteError ? (error.code ?? "") : "";
    const lack = LACKS.find(([codes]) => codes.test(code))?.[1];
    if (lack === undefined) throw error;
    return lack;
  } finally {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(file + suffix, { force: true });
  }
}

/**
 * Describes what the file systems of these folders cannot do for a database, and what to do about it. Returns undefined if they can
 * do everything.
 */
export function describeLack(folders: readonly string[]): string | undefined {
  for (const folder of folders) {
    const lack = lackOf(folder);
    if (lack === undefined) continue;
    return `the file system of ${folder} ${lack}; use a local disk, or a store in PostgreSQL (PETSTORE_DATABASE_URL)`;
  }
  return undefined;
}

/**
 * Returns what a folder's file system cannot do, or undefined if it can do everything. Also returns undefined if the check fails,
 * because the check then fails for the same reason as the operation whose error is being explained.
 */
function lackOf(folder: string): string | undefined {
  try {
    return isDiskFull(folder) ? undefined : findLack(folder);
  } catch {
    return undefined;
  }
}

function lockAndMap(file: string): void {
  const connection = new Connection(file, { create: true, readwrite: true });
  try {
    connection.run("BEGIN EXCLUSIVE");
    connection.run("COMMIT");
    connection.run("PRAGMA journal_mode = WAL");
    connection.run("CREATE TABLE tried (row INTEGER) STRICT");
  } finally {
    connection.close();
  }
}
