import { readPooler, readReplica } from "./postgres/addresses.ts";
import { readPostgresReplication, readPostgresTime } from "./postgres/migrator.ts";
import type { Replication } from "./replication.ts";

/** What a database server's clock says, in milliseconds since 1970. */
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

/** What a change waits for at a database server before it is acknowledged. */
export function readReplication(databaseUrl: string): Promise<Replication> {
  return readPostgresReplication(databaseUrl);
}
