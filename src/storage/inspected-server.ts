import { countMigrations, findMigrations, KIND, type Migrated } from "./migrations.ts";
import { readPooler, readReplica } from "./postgres/addresses.ts";
import { readPostgresJournal, readPostgresReplication, readPostgresTime } from "./postgres/migrator.ts";
import type { Replication } from "./replication.ts";
import type { DatabaseName } from "./store-files.ts";

/** A database's migrations on a server. @throws MigrationError if this program may not run beside them */
export async function readServerMigrations(databaseUrl: string, name: DatabaseName): Promise<Migrated> {
  const journal = await readPostgresJournal(databaseUrl, name);
  return countMigrations(journal, findMigrations("postgres", KIND[name]), name);
}

/** Clock of a database server, in milliseconds since 1970. */
export function readServerTime(databaseUrl: string): Promise<number> {
  return readPostgresTime(databaseUrl);
}

/** Reads through both addresses. @throws Error for the operator, if they lead to different databases */
export function inspectPooler(databaseUrl: string, databaseDirectUrl: string): ReturnType<typeof readPooler> {
  return readPooler(databaseUrl, databaseDirectUrl);
}

/** Reads whether a server is a standby. @throws Error if it cannot be reached */
export function inspectReplica(url: string): ReturnType<typeof readReplica> {
  return readReplica(url);
}

/** The standbys that a database server waits for before it acknowledges a commit. */
export function readReplication(databaseUrl: string): Promise<Replication> {
  return readPostgresReplication(databaseUrl);
}
