import { parseDatabaseUrl } from "../../platform/database-url.ts";
import { closeDead } from "./backend.ts";
import { isAnswer, NotPrimaryError, ReadOnlyError } from "./errors.ts";
import { type Connection, openSession, openShared, type SessionSettings } from "./session.ts";

const READ_ONLY_PAUSE_MS = 1_000; // interval at which a read-only server is asked whether it accepts changes again
const PRIMARY_LOOK_PAUSE_MS = 500; // interval at which all servers are checked for a new primary while the current server does not answer

/** The primary: the one server in a URL's list of servers that accepts writes. */
export interface Primary {
  /**
   * Connects to the first usable server in the URL. A server is not usable if it is in recovery, or if its timeline is older than a
   * timeline that was already seen.
   */
  connect(settings: SessionSettings): Promise<Connection>;
  /**
   * Connects like `connect`, but to a server that must accept changes.
   *
   * @throws ReadOnlyError if new sessions are read-only, which is checked at most once per second
   */
  connectToWrite(settings: SessionSettings): Promise<Connection>;
  server(): string;
  /** The newest timeline that was seen, or 0 before the first connection. */
  timeline(): number;
  /** True if new sessions of the server were read-only at the last check. */
  isReadOnly(): boolean;
  /** Call this after a missed deadline. It looks for a new primary, and closes connections whose answers can no longer arrive. */
  suspect(): void;
  /**
   * Calls `onPromotion` when a newer timeline is seen, which means that a standby has become the primary. Connections to older
   * timelines have been closed by then. Returns a function that ends the subscription.
   */
  subscribe(onPromotion: () => void): () => void;
}

/**
 * The known primaries, keyed by URL. They are shared by the whole process, because all of its databases are on the same server and
 * are affected by the same failover.
 */
const primaries = new Map<string, Primary>();

/**
 * Returns the primary for a URL. All databases of this process share it.
 *
 * @param direct URL of the database server itself, if `url` is the URL of a pooler
 */
export function primaryAt(url: string, direct = url): Primary {
  const isShared = direct !== url;
  const key = `${isShared} ${url}`;
  const known = primaries.get(key) ?? createPrimary(parseDatabaseUrl(url)?.servers ?? [url], isShared);
  primaries.set(key, known);
  return known;
}

function createPrimary(servers: readonly string[], isShared: boolean): Primary {
  const connections = new Set<Connection>();
  const listeners = new Set<() => void>();
  let inTurn = servers;
  let newest = 0;
  let isLooking = false;
  let isReadOnly = false;
  let lookedAt = Number.NEGATIVE_INFINITY;

  async function connectTo(server: string, settings: SessionSettings): Promise<Connection> {
    const connection = await (isShared ? openShared : openSession)(server, settings);
    const { timeline, closed } = connection;
    if (timeline === 0 || timeline < newest) {
      await connection.close();
      throw notPrimary(connection, newest);
    }
    connections.add(connection);
    void closed.then(() => connections.delete(connection));
    inTurn = [server, ...servers.filter((other) => other !== server)];
    if (timeline > newest) promote(timeline);
    return connection;
  }
  function promote(timeline: number) {
    const isFirst = newest === 0;
    newest = timeline;
    for (const connection of connections) if (connection.timeline < timeline) void connection.close();
    if (!isFirst) for (const listener of listeners) listener();
  }
  /**
   * Looks for a new primary and for dead connections on all servers. The servers are checked at the same time, so an unresponsive
   * server does not delay the others.
   */
  async function look() {
    const looks = servers.map(async (server) => {
      const connection = await connectTo(server, {});
      await closeDead(connection, connections).finally(connection.close);
    });
    await Promise.allSettled(looks);
  }

  async function connect(settings: SessionSettings) {
    // The first server that answers may be an old primary, so all servers have to be checked.
    if (newest === 0 && servers.length > 1) await look();
    const failures: unknown[] = [];
    for (const server of inTurn) {
      try {
        return await connectTo(server, settings);
      } catch (error) {
        failures.push(error);
      }
    }
    throw mostTelling(failures);
  }

  return {
    connect,
    async connectToWrite(settings) {
      const now = performance.now();
      if (isReadOnly && now < lookedAt + READ_ONLY_PAUSE_MS) throw new ReadOnlyError(READ_ONLY);
      lookedAt = now;
      const connection = await connect(settings);
      isReadOnly = connection.isReadOnly;
      if (!isReadOnly) return connection;
      await connection.close();
      throw new ReadOnlyError(READ_ONLY);
    },
    server: () => inTurn[0] ?? "",
    timeline: () => newest,
    isReadOnly: () => isReadOnly,
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

const READ_ONLY = "its sessions are read-only (default_transaction_read_only)";

function notPrimary({ server, timeline }: Connection, newest: number): NotPrimaryError {
  const { host } = new URL(server);
  return new NotPrimaryError(
    timeline === 0
      ? `${host} is a standby`
      : `the data at ${host} is older than the data of the current primary (timeline ${timeline} instead of ${newest})`,
  );
}

/**
 * Returns the error that says the most about the cause: preferably an error sent by a server, otherwise any error except
 * `NotPrimaryError`.
 */
function mostTelling(failures: readonly unknown[]): unknown {
  return (
    failures.find(isAnswer) ?? failures.find((error) => !(error instanceof NotPrimaryError)) ?? failures[0]
  );
}
