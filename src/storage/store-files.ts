import { statSync } from "node:fs";
import { join } from "node:path";

/**
 * The databases of a store. Each has separate transactions. Rows in the other databases can refer to rows in the accounts database.
 */
export const DATABASE_NAMES = ["accounts", "production", "staging", "messages"] as const;
export type DatabaseName = (typeof DATABASE_NAMES)[number];

export function fileOf(name: DatabaseName, dataDir: string): string {
  return join(dataDir, `${name}.sqlite`);
}

/**
 * If the disk has less free space than this, a database is opened only for reading. SQLite keeps the index of its log in a
 * memory-mapped file that may have no space on the disk yet. If the disk is full and has blocks below 4 kB, writing to that memory
 * would kill the process (SIGBUS).
 */
export const DISK_ROOM_BYTES = 1024 * 1024;

interface DatabaseBytes {
  readonly file: number;
  readonly log: number;
}

/**
 * Returns the sizes of the embedded databases on disk. It must not open a database file, because closing it again would release
 * SQLite's locks (see data-version.ts).
 */
export function databaseBytes(dataDir: string): Readonly<Record<DatabaseName, DatabaseBytes>> {
  const bytesOf = (name: DatabaseName) => {
    const file = fileOf(name, dataDir);
    return { file: sizeOf(file), log: sizeOf(`${file}-wal`) };
  };
  return {
    accounts: bytesOf("accounts"),
    production: bytesOf("production"),
    staging: bytesOf("staging"),
    messages: bytesOf("messages"),
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
