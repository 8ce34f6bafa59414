import { statSync } from "node:fs";
import { join } from "node:path";

/** The databases of a store, each with its own transactions. Rows of the other databases refer to rows of the first one. */
export const DATABASE_NAMES = ["accounts", "production", "staging", "messages"] as const;
export type DatabaseName = (typeof DATABASE_NAMES)[number];

export function fileOf(name: DatabaseName, dataDir: string): string {
  return join(dataDir, `${name}.sqlite`);
}

/**
 * Free space below which a database is opened only for reading. SQLite keeps the index of its log in a mapped file, and does not
 * allocate all of it: on a full disk with blocks below 4 kB, a write to the mapping ends the process (SIGBUS).
 */
export const DISK_ROOM_BYTES = 1024 * 1024;

interface DatabaseBytes {
  readonly file: number;
  readonly log: number;
}

/**
 * Sizes of the embedded databases on disk. No file is opened, because closing it would release SQLite's locks (see
 * data-version.ts).
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
