import type { ReservedSQL, SQL } from "bun";
import { CONNECT_DEADLINE_SECONDS } from "../../limits.ts";
import { backendOf } from "./backend.ts";
import { createClient } from "./client.ts";
import { withDeadline } from "./deadline.ts";
import { SharedSessionError, unlessUnsupported } from "./errors.ts";
import { keepsNamesApart } from "./prepared-names.ts";

const SERVER_STATEMENT_TIMEOUT_MS = 3_000; // time after which the database server cancels a statement

/**
 * A connection to a database server. After it is closed, every statement on it fails. It never reconnects, so a statement can never
 * go to a different server.
 */
export interface Connection {
  readonly sql: ReservedSQL;
  readonly server: string;
  /**
   * Identifies the server process that serves the connection. Undefined if the process is unknown, or if a pooler can give each
   * transaction a different process.
   */
  readonly backend: string | undefined;
  /** True if a pooler gives each transaction a different session, so that session settings and session locks have no effect. */
  readonly isShared: boolean;
  /** Begins a transaction with the isolation level repeatable read. If a pooler shares the session, this also sets the timeouts. */
  begin(): SQL.Query<unknown>;
  commit(): SQL.Query<unknown>;
  /**
   * The timeline of the server's log. It increases whenever a standby is promoted (PostgreSQL, "Timelines"). It is 0 in recovery.
   */
  readonly timeline: number;
  /** True if the session refuses changes by default. Hosting providers do this when a disk is full. */
  readonly isReadOnly: boolean;
  /** The statements that have missed their deadline, and that the server still has not answered. */
  readonly unanswered: Set<Promise<unknown>>;
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Parameters of the session. They have no effect if a pooler shares the session. */
export type SessionSettings = Readonly<Record<string, string | number | boolean>>;

/**
 * SQL for the timeline of a primary's log. The timeline in the server's control file is not used, because it is updated only by the
 * first checkpoint after a promotion.
 */
export const LOG_TIMELINE = "('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int";
/** Selects the timeline of a server's log. The result is 0 in recovery. */
const SELECT_TIMELINE = `SELECT CASE WHEN pg_is_in_recovery() THEN 0 ELSE ${LOG_TIMELINE} END AS timeline`;

/**
 * A session parameter that petstore sets to detect a pooler. If a transaction does not see the value, it runs in a different
 * session.
 */
const OWN_SESSION = { "petstore.session": "own" };
const SELECT_SESSION = "SELECT current_setting('petstore.session', true) AS session";

const TIMEOUTS = ["statement_timeout", "idle_in_transaction_session_timeout"] as const;
const BEGIN_SHARED = [
  "BEGIN ISOLATION LEVEL REPEATABLE READ",
  ...TIMEOUTS.map((name) => `SET LOCAL ${name} = ${SERVER_STATEMENT_TIMEOUT_MS}`),
].join("; ");

const SHARED_SESSION =
  "the address belongs to a pooler that does not keep the settings of a session. " +
  "Set PETSTORE_DATABASE_DIRECT_URL to the address of the database server itself";

/** Opens a connection with its own session. The server may be a standby. */
export async function openSession(url: string, settings: SessionSettings): Promise<Connection> {
  const parameters = {
    ...OWN_SESSION,
    // Just-in-time compilation is switched off, because petstore's statements gain nothing from it. With `enable_seqscan` off, the
    // server would otherwise compile statements, because their estimated costs are very high. That takes 0.2 s for each connection.
    jit: false,
    statement_timeout: SERVER_STATEMENT_TIMEOUT_MS,
    // If a process dies during a transaction, the server releases its locks after this time.
    idle_in_transaction_session_timeout: SERVER_STATEMENT_TIMEOUT_MS,
    ...settings,
  };
  try {
    return await open(url, { parameters, isPrepared: true });
  } catch (error) {
    // PgBouncer refuses start-up parameters that it does not know.
    const isRefused = error instanceof Error && error.message.includes("unsupported startup parameter");
    throw isRefused ? new SharedSessionError(SHARED_SESSION, { cause: error }) : error;
  }
}

/**
 * The results of `keepsNamesApart`, keyed by URL. Each is determined only once, because a pooler treats all databases in the same
 * way.
 */
const namesKeptApart = new Map<string, Promise<boolean>>();

export async function openShared(url: string, { enable_seqscan }: SessionSettings): Promise<Connection> {
  const known = namesKeptApart.get(url) ?? keepsNamesApart(url);
  namesKeptApart.set(url, known);
  // A caller that sets `enable_seqscan` to false must never get an old plan, which might scan a whole table. Its statements are not
  // prepared, so the server makes a new plan for each execution.
  const isPrepared = (await known) && enable_seqscan !== false;
  return open(url, { parameters: {}, isPrepared });
}

async function open(
  url: string,
  { parameters, isPrepared }: { readonly parameters: SessionSettings; readonly isPrepared: boolean },
) {
  const isShared = !("petstore.session" in parameters);
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const sql = createClient(url, {
    bigint: true,
    prepare: isPrepared,
    onclose: () => resolve(),
    connection: parameters,
  });
  const close = () => sql.close({ timeout: 0 });
  try {
    // The connection stays reserved until it is closed. Otherwise, the driver could reconnect to a different server.
    const reserved = await sql.reserve();
    const looks = Promise.all([
      timelineOf(reserved),
      readsOnly(reserved),
      isShared ? undefined : requireOwn(reserved),
    ]);
    const [timeline, isReadOnly, backend] = await withDeadline(looks, CONNECT_DEADLINE_SECONDS * 1000);
    return {
      sql: reserved,
      server: url,
      backend,
      isShared,
      ...(isShared ? sharedTransactions(reserved) : ownTransactions(reserved)),
      timeline,
      isReadOnly,
      unanswered: new Set<Promise<unknown>>(),
      closed,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Returns the functions that begin and commit a transaction. The driver prepares a statement without values only if it is written
 * as a template literal, and only prepared statements are sent without waiting for earlier answers.
 */
function ownTransactions(sql: ReservedSQL): Pick<Connection, "begin" | "commit"> {
  return {
    begin: () => sql`BEGIN ISOLATION LEVEL REPEATABLE READ`.execute(),
    commit: () => sql`COMMIT`.execute(),
  };
}

function sharedTransactions(sql: ReservedSQL): Pick<Connection, "begin" | "commit"> {
  return {
    begin: () => sql.unsafe(BEGIN_SHARED).execute(),
    commit: () => sql.unsafe("COMMIT").execute(),
  };
}

async function requireOwn(sql: ReservedSQL): Promise<string | undefined> {
  const [row] = await sql.unsafe<{ session: string | null }[]>(SELECT_SESSION);
  if (row?.session !== OWN_SESSION["petstore.session"]) throw new SharedSessionError(SHARED_SESSION);
  return backendOf(sql);
}

async function readsOnly(sql: ReservedSQL): Promise<boolean> {
  const [row] = await sql.unsafe<{ is_on: boolean }[]>(
    "SELECT current_setting('default_transaction_read_only') = 'on' AS is_on",
  );
  return row?.is_on === true;
}

/**
 * Reads the timeline of a server's log. The result is 0 in recovery, and 1 if the server has no timelines or does not reveal them
 * to this user.
 */
async function timelineOf(sql: ReservedSQL): Promise<number> {
  const [row] = await unlessUnsupported(sql.unsafe<{ timeline: number }[]>(SELECT_TIMELINE), [
    { timeline: 1 },
  ]);
  return row?.timeline ?? 0;
}

/** Reads the database server's clock, in milliseconds since 1970. */
export async function timeOf(sql: ReservedSQL): Promise<number> {
  const [row] = await sql.unsafe<{ now: bigint }[]>(
    "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now",
  );
  return Number(row?.now);
}
