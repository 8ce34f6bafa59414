import type { ReservedSQL } from "bun";
import { CONNECT_DEADLINE_SECONDS } from "../../limits.ts";
import { singleRow } from "../row.ts";
import { createClient } from "./client.ts";
import { withDeadline } from "./deadline.ts";
import { isDriverError, unlessUnsupported } from "./errors.ts";
import { hostsOf, withConnection } from "./migrator.ts";
import { keepsNamesApart } from "./pooler.ts";
import { primaryAt } from "./primary.ts";
import { openSession } from "./session.ts";

/** Refuses a pooler that leads to another database, or whose sessions cannot be used. @throws Error with a text for the operator */
export async function requireUsablePooler(url: string, direct: string): Promise<void> {
  const pooled = await readSession(url, direct);
  const own = await readSession(direct, direct);
  if (pooled.identity !== own.identity)
    throw new Error(
      `PETSTORE_DATABASE_URL (${hostsOf(url)}) and PETSTORE_DATABASE_DIRECT_URL (${hostsOf(direct)}) lead to different databases. Set both to the same one.`,
    );
  const refusal = await refusalOfTransactions(primaryAt(url, direct).server());
  if (refusal !== undefined)
    throw new Error(
      `The pooler at ${hostsOf(url)} allows no transactions (${refusal}). Set pool_mode = transaction there.`,
    );
  if (pooled.isolation !== ISOLATION)
    throw new Error(
      `The sessions of the pooler at ${hostsOf(url)} are ${pooled.isolation}. Set default_transaction_isolation = '${ISOLATION}' for their user (ALTER ROLE).`,
    );
}

const SELECT_TOO_FEW = `SELECT FROM pg_class WHERE relnamespace = to_regnamespace($1) AND (
  NOT has_schema_privilege(relnamespace, 'USAGE')
  OR relkind = 'r' AND NOT has_table_privilege(oid, 'SELECT')
  OR relkind = 'r' AND relname <> 'migration' AND NOT (
    has_table_privilege(oid, 'INSERT') AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))
  OR relkind = 'S' AND NOT (
    has_sequence_privilege(oid, 'USAGE') AND has_sequence_privilege(oid, 'SELECT') AND has_sequence_privilege(oid, 'UPDATE'))
) LIMIT 1`;

/** Refuses a role that may not read and change the rows of a schema, which another role has migrated. @throws Error for the operator */
export async function requireRights(url: string, direct: string, schema: string): Promise<void> {
  const lacking = await withConnection(
    url,
    (connection) => connection.unsafe(SELECT_TOO_FEW, [schema]),
    direct,
  );
  if (lacking.length === 0) return;
  const { username } = new URL(primaryAt(url, direct).server());
  throw new Error(
    `The user ${decodeURIComponent(username)} at ${hostsOf(url)} has too few rights in the schema ${schema}. Grant it USAGE on the schema, and rights on all its tables and sequences (docs/guides/scale).`,
  );
}

/** How the connections to a server are protected. */
export type Encryption = "clear text" | "unverified TLS" | "verified TLS";

/** Reads how the connections of an address are protected, by its parameters and by what the server offers. */
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

/** The pooler's error if it refuses to begin a transaction, as PgBouncer does in statement mode; undefined if it does not. */
async function refusalOfTransactions(server: string): Promise<string | undefined> {
  const sql = createClient(server, { prepare: false });
  try {
    await withDeadline(
      sql.begin((query) => query`SELECT 1`),
      CONNECT_DEADLINE_SECONDS * 1000,
    );
    return undefined;
  } catch (error) {
    return isDriverError(error) ? error.message : undefined;
  } finally {
    await sql.close({ timeout: 0 });
  }
}

/** Transaction isolation of single statements: each sees what was committed before it, and waits for a row in conflict. */
const ISOLATION = "read committed";

/** Host and port of a pooler, and whether statements may be prepared by name there. */
export async function readPooler(
  url: string,
  direct: string,
): Promise<{ readonly server: string; readonly keepsNames: boolean }> {
  await requireUsablePooler(url, direct);
  const server = primaryAt(url, direct).server();
  return { server: new URL(server).host, keepsNames: await keepsNamesApart(server) };
}

const SELECT_ISOLATION = "SELECT current_setting('default_transaction_isolation') AS isolation";
const SELECT_IDENTITY =
  "SELECT format('%s %s', system_identifier, current_database()) AS identity FROM pg_control_system()";

/** Reads a session's default isolation and its database's identity, which is empty if the server does not reveal one. */
function readSession(url: string, direct: string) {
  const read = async (connection: ReservedSQL) => {
    const isolation = await connection.unsafe<{ isolation: string }[]>(SELECT_ISOLATION);
    const identity = await unlessUnsupported(connection.unsafe<{ identity: string }[]>(SELECT_IDENTITY), [
      { identity: "" },
    ]);
    return { ...singleRow(isolation), ...singleRow(identity) };
  };
  return withConnection(url, read, direct);
}

/** When a server was started, which identifies it; the empty string for a standby. */
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
