import { countMigrations, findMigrations, KIND, type Migrated } from "./migrations.ts";
import { readEncryption, readReplica, requireCreation, requireRights } from "./postgres/addresses.ts";
import { readPostgresJournal, readPostgresReplication, readPostgresTime } from "./postgres/migrator.ts";
import { readPooler } from "./postgres/pooler.ts";
import type { DatabaseName } from "./store-files.ts";

/**
 * Counts the applied and pending migrations of a database on a server.
 *
 * @param prefix the prefix of the store's schema names
 * @throws MigrationError if the database has a migration that this program cannot work with
 */
export async function readServerMigrations(
  databaseUrl: string,
  name: DatabaseName,
  prefix: string,
): Promise<Migrated> {
  const journal = await readPostgresJournal(databaseUrl, prefix + name);
  return countMigrations(journal, findMigrations("postgres", KIND[name]), name);
}

export const readServerTime = readPostgresTime;

/**
 * Reads a pooler's host, and whether the pooler supports named prepared statements. @throws Error for the operator if the pooler is
 * unusable
 */
export const inspectPooler = readPooler;

export const inspectRights = requireRights;

export const inspectCreation = requireCreation;

export const inspectEncryption = readEncryption;

/**
 * Finds out whether a server that is configured as a standby is in fact a standby, the primary itself, or neither.
 *
 * @throws Error if the server cannot be reached
 */
export const inspectReplica = readReplica;

/** Reads how a database server replicates, and which standbys it waits for before it acknowledges a commit. */
export const readReplication = readPostgresReplication;
