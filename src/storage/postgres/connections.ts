import type { ReservedSQL } from "bun";
import { CONNECTIONS_DEFAULT } from "../../limits.ts";
import type { ServerState } from "../../platform/server-state.ts";
import { withDeadline } from "./deadline.ts";
import { type ConnectionPool, createPool, type PooledConnection } from "./pool.ts";
import { primaryAt } from "./primary.ts";
import { openSession, timeOf } from "./session.ts";
import { adoptTimeline } from "./timeline.ts";

/** The number of a process's connections that are not in a pool: one listens for changes, and one looks for a new primary. */
const UNPOOLED = 2;
const TIME_DEADLINE_MS = 1_000; // deadline for reading the server's clock; if the answer takes longer, the time in it is too inaccurate
const STANDBY_REST_MS = 1_000; // period for which a standby is skipped after it has failed or missed a deadline

export interface ConnectionOptions {
  readonly url: string;
  readonly direct: string;
  readonly standbyUrls?: readonly string[] | undefined;
  readonly connectionsMax?: number | undefined;
}

/** A standby that is used for reads. It is skipped for a while after it has failed or missed a deadline. */
export interface Standby {
  readonly pool: ConnectionPool;
  isResting(): boolean;
  rest(): void;
}

/** The connections from this process to its database server. All of its databases share them. */
export interface Connections {
  readonly reading: ConnectionPool;
  readonly running: ConnectionPool;
  readonly transacting: ConnectionPool;
  readonly standbys: readonly Standby[];
  state(): ServerState;
  /** Reads the database server's clock, in milliseconds since 1970. */
  time(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Creates the connection pools. The connections are divided among the pools, at least one for each, so that no pool has to wait for
 * another pool.
 */
export function createConnections(options: ConnectionOptions): Connections {
  const { url, direct, standbyUrls = [], connectionsMax = CONNECTIONS_DEFAULT } = options;
  const primary = primaryAt(url, direct);
  // Connections to a pooler stay open when the server behind the pooler is replaced, so the server itself is watched for
  // failovers.
  const unsubscribe = direct === url ? () => {} : primaryAt(direct).subscribe(primary.suspect);
  const pooled = connectionsMax - UNPOOLED;
  const statements = Math.max(1, Math.round(pooled / 4));
  const createPart = (size: number, connect: Parameters<typeof createPool>[1]) =>
    createPool(size, connect, primary.suspect);
  // The isolation level is set explicitly, because the database may have a different default. At this level, a statement sees
  // everything that was committed before it, and waits for rows that a running transaction has changed.
  const single = { default_transaction_isolation: "read committed" };
  const readOnly = { ...single, default_transaction_read_only: true };
  // PostgreSQL keeps a plan until its connection is closed. These settings make it prefer plans that use an index. Otherwise, a
  // plan made for an empty table would scan the whole table after it has grown, and a plan made for a short queue would later
  // read and sort the whole queue.
  const indexed = { ...single, enable_seqscan: false, enable_bitmapscan: false, enable_sort: false };
  const reading = createPart(statements, () => primary.connect(readOnly));
  const running = createPart(statements, () => primary.connectToWrite(indexed));
  const transacting = createPart(pooled - 2 * statements, () => primary.connectToWrite(single));
  const standbys = standbyUrls.map((standby) => createStandby(standby, statements));
  return {
    ...{ reading, running, transacting, standbys },
    state() {
      const pools = { read: reading, run: running, transaction: transacting };
      const counts = Object.entries(pools).map(([pool, { count }]) => ({ pool, ...count() }));
      const standbysOpen = standbys.reduce((sum, { pool }) => sum + pool.count().open, 0);
      const isReachable = counts.some(({ answering }) => answering > 0);
      return {
        isReachable,
        isWritable: isReachable && !primary.isReadOnly(),
        timeline: primary.timeline(),
        connections: [...counts.map(({ pool, open }) => [pool, open] as const), ["standby", standbysOpen]],
        standbysLeftOut: standbys.filter((standby) => standby.isResting()).length,
      };
    },
    time: () => reading.share(({ sql }) => withDeadline(timeOf(sql), TIME_DEADLINE_MS)),
    async close() {
      unsubscribe();
      const pools = [reading, running, transacting, ...standbys.map(({ pool }) => pool)];
      await Promise.all(pools.map((pool) => pool.close()));
    },
  };
}

function createStandby(url: string, size: number): Standby {
  let restsUntil = Number.NEGATIVE_INFINITY;
  const rest = () => {
    restsUntil = performance.now() + STANDBY_REST_MS;
  };
  const connect = () => openSession(url, { default_transaction_read_only: true });
  return {
    pool: createPool(size, connect, rest),
    isResting: () => performance.now() < restsUntil,
    rest,
  };
}

/**
 * Wraps a pool whose connections write to a schema. Before the first write on a connection, it checks whether the server is a new
 * primary, or whether the schema was restored.
 */
export function writingTo(
  schema: string,
  { share, take }: ConnectionPool,
): Pick<ConnectionPool, "share" | "take"> {
  const adopted = new WeakSet<ReservedSQL>();
  async function adopt(connection: PooledConnection) {
    await adoptTimeline(connection, schema);
    adopted.add(connection.sql);
  }
  const ready =
    <Result>(work: (connection: PooledConnection) => Promise<Result>) =>
    async (connection: PooledConnection) => {
      if (!adopted.has(connection.sql)) await adopt(connection);
      return work(connection);
    };
  return { share: (work) => share(ready(work)), take: (work) => take(ready(work)) };
}
