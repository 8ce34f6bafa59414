import { statSync } from "node:fs";
import { join } from "node:path";

/** The databases of a store. Each has its own transactions. Rows in the other databases refer to rows in the accounts database. */
export const DATABASE_NAMES = ["accounts", "production", "staging", "messages"] as const;
export type DatabaseName = (typeof DATABASE_NAMES)[number];

export function fileOf(name: DatabaseName, dataDir: string): string {
  return join(dataDir, `${name}.sqlite`);
}

/**
 * If the disk has less free space than this, a database is opened only for reading. SQLite keeps the index of its log in a
 * memory-mapped file, and does not allocate all of that file. On a full disk with blocks below 4 kB, a write to the mapping would
 * end the process (SIGBUS).
 */
export const DISK_ROOM_BYTES = 1024 * 1024;

interface DatabaseBytes {
  readonly file: number;
  readonly log: number;
}

/**
 * Returns the sizes of the embedded databases on disk. It opens no file, because closing the file again would release SQLite's
 * locks (see data-version.ts).
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
