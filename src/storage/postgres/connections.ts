import type { ReservedSQL } from "bun";
import { CONNECTIONS_DEFAULT } from "../../limits.ts";
import type { ServerState } from "../../platform/server-state.ts";
import { withDeadline } from "./deadline.ts";
import { type ConnectionPool, createPool, type PooledConnection } from "./pool.ts";
import { primaryAt } from "./primary.ts";
import { openSession, timeOf } from "./session.ts";
import { adoptTimeline } from "./timeline.ts";

/** Connections of a process outside its pools: one listens for changes, and one looks for another primary. */
const UNPOOLED = 2;
const TIME_DEADLINE_MS = 1_000; // an answer that takes longer says too little about the time
const STANDBY_REST_MS = 1_000; // time for which a late standby is skipped

export interface ConnectionOptions {
  readonly url: string;
  /** The address of the database server itself, if `url` is that of a pooler. */
  readonly direct: string;
  readonly standbyUrls?: readonly string[] | undefined;
  /** The maximum number of connections of the process to one server. */
  readonly most?: number | undefined;
}

/** A standby that serves reads. It is skipped for a while when it fails or is late. */
export interface Standby {
  readonly pool: ConnectionPool;
  isResting(): boolean;
  rest(): void;
}

/** The connections to a database server. All databases of a process share them. */
export interface Connections {
  readonly reading: ConnectionPool;
  readonly running: ConnectionPool;
  readonly transacting: ConnectionPool;
  readonly standbys: readonly Standby[];
  state(): ServerState;
  /** The clock of the database server, in milliseconds since 1970. */
  time(): Promise<number>;
  close(): Promise<void>;
}

/** Creates the pools. Each pool gets a part of the connections, at least one, so that no pool waits for another pool. */
export function createConnections(options: ConnectionOptions): Connections {
  const { url, direct, standbyUrls = [], most = CONNECTIONS_DEFAULT } = options;
  const primary = primaryAt(url, direct);
  // The clients of a pooler stay connected when the server behind the pooler changes.
  const unsubscribe = direct === url ? () => {} : primaryAt(direct).subscribe(primary.suspect);
  const pooled = most - UNPOOLED;
  const statements = Math.max(1, Math.round(pooled / 4));
  const createPart = (size: number, connect: Parameters<typeof createPool>[1]) =>
    createPool(size, connect, primary.suspect);
  // The isolation level does not depend on the database's default. A statement sees everything that was committed before it, and
  // waits for a row that a running transaction has changed.
  const single = { default_transaction_isolation: "read committed" };
  const readOnly = { ...single, default_transaction_read_only: true };
  // A plan is kept for as long as its connection. A plan that was made for an empty table must not read the whole table after it
  // has grown. A plan made from the statistics of a short queue must not read and sort the whole queue, because an index has the
  // order.
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

/** A pool for writes to a schema. Before the first write on a connection, it checks for a new primary and for a restore. */
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
