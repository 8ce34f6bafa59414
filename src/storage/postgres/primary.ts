import { type ReservedSQL, SQL } from "bun";
import {
  CONNECT_DEADLINE_SECONDS,
  PRIMARY_LOOK_PAUSE_MS,
  SERVER_STATEMENT_TIMEOUT_MS,
} from "../../limits.ts";
import { parseDatabaseUrl } from "../../platform/database-url.ts";
import { withDeadline } from "./deadline.ts";
import { isUnsupported, NotPrimaryError, SharedSessionError } from "./errors.ts";
import { keepsNamesApart } from "./pooler.ts";

/** A connection to a server that takes writes. Once it is closed, each statement on it fails: it never leads elsewhere. */
export interface Connection {
  readonly sql: ReservedSQL;
  /** Begins a transaction: repeatable read, with the timeouts that the session may lack. */
  readonly begin: string;
  /** Higher after each promotion of a standby (PostgreSQL, "Timelines"). */
  readonly timeline: number;
  /** Resolves once it is closed, by whichever side. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/**
 * Whether a connection has a session to itself, or another one for each transaction: a pooler's in transaction mode. That one
 * has no parameters, listens to nothing and holds no lock.
 */
export type Sessions = "own" | "shared";

/** Session parameters of a connection; without an effect in a shared session. */
export type SessionSettings = Readonly<Record<string, string | number | boolean>>;

/** The server that takes writes, among those of a URL. */
export interface Primary {
  /** Tries the servers in turn. One that is in recovery, or of an older timeline than one already seen, is refused. */
  connect(settings: SessionSettings): Promise<Connection>;
  /** The URL of the server that was the primary when it was last seen. */
  server(): string;
  /** The newest that was seen; 0 before the first connection. */
  timeline(): number;
  /** Looks, after a server that does not answer, whether another one is the primary by now. */
  suspect(): void;
  /** Calls `onPromotion` once a newer timeline is seen, after the connections of older ones are closed. */
  subscribe(onPromotion: () => void): () => void;
}

const primaries = new Map<string, Primary>();

/** One for all databases of the process at a URL: what a connection of one sees counts for those of all. */
export function primaryAt(url: string, sessions: Sessions = "own"): Primary {
  const key = `${sessions} ${url}`;
  const known = primaries.get(key) ?? createPrimary(parseDatabaseUrl(url)?.servers ?? [url], sessions);
  primaries.set(key, known);
  return known;
}

/** 0 in recovery. The control file has a new timeline only after its first checkpoint. */
const SELECT_TIMELINE = `SELECT CASE WHEN pg_is_in_recovery() THEN 0
  ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END AS timeline`;

/** A parameter that no server knows: only in a session of its own does a connection find it again. */
const OWN_SESSION = { "petstore.session": "own" };
const SELECT_SESSION = "SELECT current_setting('petstore.session', true) AS session";

const BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ";
const TIMEOUTS = ["statement_timeout", "idle_in_transaction_session_timeout"] as const;
const BEGIN_SHARED = [
  BEGIN,
  ...TIMEOUTS.map((name) => `SET LOCAL ${name} = ${SERVER_STATEMENT_TIMEOUT_MS}`),
].join("; ");

const SHARED_SESSION =
  "it leads to a pooler that keeps no session settings. " +
  "Set PETSTORE_DATABASE_DIRECT_URL to the address of the database server itself";

function createPrimary(servers: readonly string[], sessions: Sessions): Primary {
  const connections = new Set<Connection>();
  const listeners = new Set<() => void>();
  let inTurn = servers;
  let newest = 0;
  let isLooking = false;

  async function connectTo(server: string, settings: SessionSettings): Promise<Connection> {
    const connection = await (sessions === "own"
      ? openSession(server, settings)
      : openShared(server, settings));
    const { timeline, closed } = connection;
    if (timeline === 0 || timeline < newest) {
      await connection.close();
      const { host } = new URL(server);
      throw new NotPrimaryError(
        timeline === 0
          ? `${host} is a standby`
          : `${host} is on timeline ${timeline}, and ${newest} is already in use`,
      );
    }
    connections.add(connection);
    void closed.then(() => connections.delete(connection));
    inTurn = [server, ...servers.filter((other) => other !== server)];
    if (timeline > newest) promote(timeline);
    return connection;
  }
  function promote(timeline: number): void {
    const isFirst = newest === 0;
    newest = timeline;
    for (const connection of connections) if (connection.timeline < timeline) void connection.close();
    if (!isFirst) for (const listener of listeners) listener();
  }
  /** At all servers side by side: one that hangs holds up no other. */
  async function look(): Promise<void> {
    const looks = servers.map(async (server) => (await connectTo(server, {})).close());
    await Promise.allSettled(looks);
  }

  return {
    async connect(settings) {
      // The first server in turn may be an old primary.
      if (newest === 0 && servers.length > 1) await look();
      const failures: unknown[] = [];
      for (const server of inTurn) {
        try {
          return await connectTo(server, settings);
        } catch (error) {
          failures.push(error);
        }
      }
      throw failures.find((error) => !(error instanceof NotPrimaryError)) ?? failures[0];
    },
    server: () => inTurn[0] ?? "",
    timeline: () => newest,
    suspect() {
      if (isLooking) return;
      isLooking = true;
      void look().then(async () => {
        await Bun.sleep(PRIMARY_LOOK_PAUSE_MS);
        isLooking = false;
      });
    },
    subscribe(onPromotion) {
      listeners.add(onPromotion);
      return () => void listeners.delete(onPromotion);
    },
  };
}

/** A connection with a session of its own, to whichever server is at the URL. */
export async function openSession(url: string, settings: SessionSettings): Promise<Connection> {
  const parameters = {
    ...OWN_SESSION,
    statement_timeout: SERVER_STATEMENT_TIMEOUT_MS,
    // A process that dies in the middle of a transaction must not keep its locks.
    idle_in_transaction_session_timeout: SERVER_STATEMENT_TIMEOUT_MS,
    ...settings,
  };
  try {
    return { ...(await open(url, { parameters, isPrepared: true })), begin: BEGIN };
  } catch (error) {
    // PgBouncer knows no other start-up parameters than its own.
    const isRefused = error instanceof Error && error.message.includes("unsupported startup parameter");
    throw isRefused ? new SharedSessionError(SHARED_SESSION, { cause: error }) : error;
  }
}

/** By server: for as long as the process runs. */
const namesKeptApart = new Map<string, Promise<boolean>>();

async function openShared(url: string, { enable_seqscan }: SessionSettings): Promise<Connection> {
  const known = namesKeptApart.get(url) ?? keepsNamesApart(url);
  namesKeptApart.set(url, known);
  // A plan that must not read a table whole, as one that is kept might, is made anew each time.
  const isPrepared = (await known) && enable_seqscan !== false;
  return { ...(await open(url, { parameters: {}, isPrepared })), begin: BEGIN_SHARED };
}

async function open(
  url: string,
  { parameters, isPrepared }: { readonly parameters: SessionSettings; readonly isPrepared: boolean },
) {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const sql = new SQL({
    url,
    max: 1,
    bigint: true,
    prepare: isPrepared,
    connectionTimeout: CONNECT_DEADLINE_SECONDS,
    onclose: () => resolve(),
    connection: { application_name: "petstore", ...parameters },
  });
  const close = () => sql.close({ timeout: 0 });
  try {
    // Reserved for good: the driver would connect again by itself, to whatever answers then.
    const reserved = await sql.reserve();
    const looks = Promise.all([
      timelineOf(reserved),
      "petstore.session" in parameters && requireOwn(reserved),
    ]);
    const [timeline] = await withDeadline(looks, CONNECT_DEADLINE_SECONDS * 1000);
    return { sql: reserved, timeline, closed, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function requireOwn(sql: ReservedSQL): Promise<void> {
  const [row] = await sql.unsafe<{ session: string | null }[]>(SELECT_SESSION);
  if (row?.session !== OWN_SESSION["petstore.session"]) throw new SharedSessionError(SHARED_SESSION);
}

/** 1 for ever on an engine that has none, or does not tell this user. */
async function timelineOf(sql: ReservedSQL): Promise<number> {
  try {
    const [row] = await sql.unsafe<{ timeline: number }[]>(SELECT_TIMELINE);
    return row?.timeline ?? 0;
  } catch (error) {
    if (isUnsupported(error)) return 1;
    throw error;
  }
}
