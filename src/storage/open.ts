import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "./database.ts";
import { postgresMigrations } from "./migrations/postgres.ts";
import { sqliteMigrations } from "./migrations/sqlite.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

/** The four stores of data, each on its own: nothing written in one is ever visible in another. */
export type DatabaseName = "accounts" | "production" | "staging" | "messages";

const KIND = { accounts: "accounts", production: "store", staging: "store", messages: "messages" } as const;

interface OpenOptions {
  /** The folder of the embedded databases; made when it is missing, readable by its owner alone. */
  readonly dataDir: string;
  /** A PostgreSQL address: then nothing is kept in the folder. */
  readonly databaseUrl?: string | undefined;
  readonly onCommit?: (batchSize: number) => void;
}

/** Opens one of the databases and brings its tables up to date. */
export async function openDatabase(name: DatabaseName, options: OpenOptions): Promise<Database> {
  const { dataDir, databaseUrl, onCommit } = options;
  const kind = KIND[name];
  if (databaseUrl !== undefined) {
    return openPostgres({ url: databaseUrl, schema: name, migrations: postgresMigrations[kind] });
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, `${name}.sqlite`);
  return openSqlite({ file, migrations: sqliteMigrations[kind], ...(onCommit && { onCommit }) });
}
