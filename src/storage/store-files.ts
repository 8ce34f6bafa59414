import { statSync } from "node:fs";
import { join } from "node:path";

/** The databases of a store, each with its own transactions. Rows of the others refer to rows of the first. */
export const DATABASE_NAMES = ["accounts", "production", "staging", "messages"] as const;
export type DatabaseName = (typeof DATABASE_NAMES)[number];

export function fileOf(name: DatabaseName, dataDir: string): string {
  return join(dataDir, `${name}.sqlite`);
}

interface DatabaseBytes {
  readonly file: number;
  readonly log: number;
}

/** Sizes of the embedded databases on disk. No file is opened: see data-version.ts. */
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
