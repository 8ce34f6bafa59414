import { statSync } from "node:fs";
import { join } from "node:path";

/** The databases of a store: nothing written in one is visible in another. The first is the one whose rows the others name. */
export const DATABASE_NAMES = ["accounts", "production", "staging", "messages"] as const;
export type DatabaseName = (typeof DATABASE_NAMES)[number];

/** The file of an embedded database. */
export function fileOf(name: DatabaseName, dataDir: string): string {
  return join(dataDir, `${name}.sqlite`);
}

/** The bytes of an embedded database on disk. */
interface DatabaseBytes {
  readonly file: number;
  /** The write-ahead log. */
  readonly log: number;
}

/** The bytes that each embedded database takes on disk. No file is opened: see data-version.ts. */
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
