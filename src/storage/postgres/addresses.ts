import type { ReservedSQL } from "bun";
import { CONNECT_DEADLINE_SECONDS } from "../../limits.ts";
import { singleRow } from "../row.ts";
import { createClient } from "./client.ts";
import { withDeadline } from "./deadline.ts";
import { isDriverError } from "./errors.ts";
import { hostsOf, withConnection } from "./migrator.ts";
import { primaryAt } from "./primary.ts";
import { openSession } from "./session.ts";

const SELECT_TOO_FEW = `SELECT FROM pg_class WHERE relnamespace = to_regnamespace($1) AND (
  NOT has_schema_privilege(relnamespace, 'USAGE')
  OR relkind = 'r' AND NOT has_table_privilege(oid, 'SELECT')
  OR relkind = 'r' AND relname <> 'migration' AND NOT (
    has_table_privilege(oid, 'INSERT') AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))
  OR relkind = 'S' AND NOT (
    has_sequence_privilege(oid, 'USAGE') AND has_sequence_privilege(oid, 'SELECT') AND has_sequence_privilege(oid, 'UPDATE'))
) LIMIT 1`;

/**
 * Checks that a database user may read and change the rows of a schema that a different user has migrated. @throws Error for the
 * operator
 */
export async function requireRights(url: string, direct: string, schema: string): Promise<void> {
  const lacking = await withConnection(
    url,
    (connection) => connection.unsafe(SELECT_TOO_FEW, [schema]),
    direct,
  );
  if (lacking.length === 0) return;
  throw new Error(
    `The user ${userOf(url, direct)} at ${hostsOf(url)} has too few rights in the schema ${schema}. Grant this user USAGE on the schema, and rights on all of its tables and sequences (docs/guides/scale).`,
  );
}

const SELECT_MAY_CREATE = `SELECT coalesce(
    has_schema_privilege(to_regnamespace($1)::oid, 'CREATE'),
    has_database_privilege(current_database(), 'CREATE')
  ) AS may`;

/**
 * Checks that the database user may create the schema or, if the schema already exists, create tables in it.
 *
 * @throws Error that tells the operator what to do
 */
export async function requireCreation(url: string, schema: string): Promise<void> {
  const [row] = await withConnection(url, (connection) =>
    connection.unsafe<{ may: boolean }[]>(SELECT_MAY_CREATE, [schema]),
  );
  if (row?.may) return;
  throw new Error(
    `The user ${userOf(url)} at ${hostsOf(url)} may not create the store's schemas and tables. Grant this user CREATE on the database, or let an administrator create the four schemas for this user (docs/guides/managed-database).`,
  );
}

const userOf = (url: string, direct = url): string =>
  decodeURIComponent(new URL(primaryAt(url, direct).server()).username);

export type Encryption = "clear text" | "unverified TLS" | "verified TLS";

/** Determines how connections to an address are encrypted, from the parameters in the URL and from what the server supports. */
export async function readEncryption(
  url: string,
  direct = url,
): Promise<{ readonly server: URL; readonly encryption: Encryption }> {
  const server = new URL(primaryAt(url, direct).server());
  const mode = server.searchParams.get("sslmode") ?? "";
  return { server, encryption: await encryptionBy(mode, server) };
}

async function encryptionBy(mode: string, server: URL): Promise<Encryption> {
  const isBound = server.searchParams.get("channel_binding") === "require";
  if (mode === "disable") return "clear text";
  if (mode.startsWith("verify") || isBound) return "verified TLS";
  if (mode === "require") return "unverified TLS";
  return (await offersTls(server.href)) ? "unverified TLS" : "clear text";
}

async function offersTls(server: string): Promise<boolean> {
  const sql = createClient(server, { tls: "require" });
  try {
    await withDeadline(sql.connect(), CONNECT_DEADLINE_SECONDS * 1000);
    return true;
  } catch (error) {
    return !(isDriverError(error) && error.code === "ERR_POSTGRES_TLS_NOT_AVAILABLE");
  } finally {
    await sql.close({ timeout: 0 });
  }
}

/** Reads the start time of a server, which distinguishes it from other servers. Returns an empty string for a standby. */
const readStart = async (sql: ReservedSQL) =>
  singleRow(
    await sql<{ start: string }[]>`SELECT
      CASE WHEN pg_is_in_recovery() THEN '' ELSE pg_postmaster_start_time()::text END AS start`,
  ).start;

export async function readReplica(url: string, primary: string) {
  const { sql, close } = await openSession(url, {});
  const start = await readStart(sql).finally(close);
  if (!start) return "standby";
  return start === (await withConnection(primary, readStart)) ? "primary" : "neither";
}
