import { countMigrations, findMigrations, KIND, type Migrated } from "./migrations.ts";
import { readEncryption, readPooler, readReplica, requireRights } from "./postgres/addresses.ts";
import { readPostgresJournal, readPostgresReplication, readPostgresTime } from "./postgres/migrator.ts";
import type { DatabaseName } from "./store-files.ts";

/**
 * Counts the migrations of a database on a server, whose schemas may have a prefix.
 *
 * @throws MigrationError if this program must not run beside them
 */
export async function readServerMigrations(
  databaseUrl: string,
  name: DatabaseName,
  prefix: string,
): Promise<Migrated> {
  const journal = await readPostgresJournal(databaseUrl, prefix + name);
  return countMigrations(journal, findMigrations("postgres", KIND[name]), name);
}

/** Clock of a database server, in milliseconds since 1970. */
export const readServerTime = readPostgresTime;

/** Reads a pooler's host, and whether it supports named statements. @throws Error for the operator if the pooler is unusable */
export const inspectPooler = readPooler;

/** Checks that a user may read and change the rows of a database. @throws Error for the operator */
export const inspectRights = requireRights;

/** Reads how connections to an address are protected: by TLS, and whether the server's certificate is verified. */
export const inspectEncryption = readEncryption;

/** Reads whether a server is a standby or the primary itself. @throws Error if it cannot be reached */
export const inspectReplica = readReplica;

/** Reads how a database server replicates, and for which standbys it waits before it acknowledges a commit. */
export const readReplication = readPostgresReplication;
