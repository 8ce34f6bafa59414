import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "./database.ts";
import { sqliteMigrations } from "./migrations/sqlite.ts";
import { openSqlite } from "./sqlite.ts";

/** The four stores of data, each on its own: nothing written in one is ever visible in another. */
export type DatabaseName = "accounts" | "production" | "staging" | "messages";

const KIND = { accounts: "accounts", production: "store", staging: "store", messages: "messages" } as const;

interface OpenOptions {
  /** The folder of the embedded databases; made when it is missing, readable by its owner alone. */
  readonly dataDir: string;
  readonly onCommit?: (batchSize: number) => void;
}

/** Opens one of the databases and brings its tables up to date. */
export async function openDatabase(
  name: DatabaseName,
  { dataDir, onCommit }: OpenOptions,
): Promise<Database> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return openSqlite({
    file: join(dataDir, `${name}.sqlite`),
    migrations: sqliteMigrations[KIND[name]],
    ...(onCommit && { onCommit }),
  });
}
