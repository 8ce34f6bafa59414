import { countMigrations, findMigrations, KIND, type Migrated } from "./migrations.ts";
import { readPooler, readReplica } from "./postgres/addresses.ts";
import { readPostgresJournal, readPostgresReplication, readPostgresTime } from "./postgres/migrator.ts";
import type { Replication } from "./replication.ts";
import type { DatabaseName } from "./store-files.ts";

/** @throws MigrationError if this program may not run beside the database's migrations */
export async function readServerMigrations(databaseUrl: string, name: DatabaseName): Promise<Migrated> {
  const journal = await readPostgresJournal(databaseUrl, name);
  return countMigrations(journal, findMigrations("postgres", KIND[name]), name);
}

/** Clock of a database server, in milliseconds since 1970. */
export function readServerTime(databaseUrl: string): Promise<number> {
  return readPostgresTime(databaseUrl);
}

/** @throws Error with a text for the operator, if the two addresses lead to different databases */
export function inspectPooler(databaseUrl: string, databaseDirectUrl: string): ReturnType<typeof readPooler> {
  return readPooler(databaseUrl, databaseDirectUrl);
}

/** @throws Error if the server cannot be reached */
export function inspectReplica(url: string): ReturnType<typeof readReplica> {
  return readReplica(url);
}

/** The standbys that a database server waits for before it acknowledges a commit. */
export function readReplication(databaseUrl: string): Promise<Replication> {
  return readPostgresReplication(databaseUrl);
}
