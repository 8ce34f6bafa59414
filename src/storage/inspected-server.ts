import { countMigrations, findMigrations, KIND, type Migrated } from "./migrations.ts";
import { readPooler, readReplica } from "./postgres/addresses.ts";
import { readPostgresJournal, readPostgresReplication, readPostgresTime } from "./postgres/migrator.ts";
import type { Replication } from "./replication.ts";
import type { DatabaseName } from "./store-files.ts";

/**
 * Reads the migrations of a database on a server.
 *
 * @throws MigrationError when this program may not run beside it
 */
export async function readServerMigrations(databaseUrl: string, name: DatabaseName): Promise<Migrated> {
  const journal = await readPostgresJournal(databaseUrl, name);
  return countMigrations(journal, findMigrations("postgres", KIND[name]), name);
}

/** Clock of a database server, in milliseconds since 1970. */
export function readServerTime(databaseUrl: string): Promise<number> {
  return readPostgresTime(databaseUrl);
}

/** @throws Error, in words for the operator, when the two addresses do not lead to one database */
export function inspectPooler(databaseUrl: string, databaseDirectUrl: string): ReturnType<typeof readPooler> {
  return readPooler(databaseUrl, databaseDirectUrl);
}

/** @throws Error when the server cannot be reached */
export function inspectReplica(url: string): ReturnType<typeof readReplica> {
  return readReplica(url);
}

/** Reads which standbys a database server waits for before it acknowledges a commit. */
export function readReplication(databaseUrl: string): Promise<Replication> {
  return readPostgresReplication(databaseUrl);
}
