import { Database as Connection, SQLiteError } from "bun:sqlite";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { freeBytes } from "../platform/disk.ts";
import { DISK_ROOM_BYTES } from "./store-files.ts";

/** The error codes with which SQLite reports that a file cannot be locked or memory-mapped. */
const LACKS: readonly (readonly [code: RegExp, what: string])[] = [
  [/^SQLITE_(BUSY|PROTOCOL|IOERR_(LOCK|RDLOCK|UNLOCK|CHECKRESERVEDLOCK|SHMLOCK))/, "cannot lock files"],
  [/^SQLITE_IOERR_SHM(MAP|OPEN)/, "cannot share memory between processes (mmap)"],
];

/** True if a folder's disk is full or nearly full, and false if that cannot be determined. */
export function isDiskFull(folder: string): boolean {
  try {
    return freeBytes(folder) < DISK_ROOM_BYTES;
  } catch {
    return false;
  }
}

/**
 * Checks whether a folder's file system supports what a store needs: creates a database there, locks and maps it as the service
 * does, and removes it. It must not run on a full disk, where writing to mapped memory may end the process (SIGBUS).
 *
 * @returns what the file system cannot do, such as `cannot lock files`, or undefined if it can do everything
 * @throws SQLiteError if the check itself fails
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
 * Describes what the file system of one of these folders cannot do for a database. Returns undefined if no folder has such a
 * problem.
 */
export function describeLack(folders: readonly string[]): string | undefined {
  for (const folder of folders) {
    const lack = lackOf(folder);
    if (lack === undefined) continue;
    return `the file system of ${folder} ${lack}; use a local disk, or a store in PostgreSQL (PETSTORE_DATABASE_URL)`;
  }
  return undefined;
}

/** Returns undefined even if the check itself fails, because the original error then has the same cause. */
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
