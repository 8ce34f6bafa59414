import {
  ACQUIRE_DEADLINE_MS,
  STATEMENT_CONCURRENCY,
  STATEMENT_CONNECTIONS,
  STORE_QUEUE_MAX,
  TRANSACTION_CONNECTIONS,
} from "../../limits.ts";
import { createSemaphore, withPermit } from "../../platform/semaphore.ts";
import { tablesFrom } from "../catalogue.ts";
import type { ChangeSource } from "../change-feed.ts";
import {
  type AwaitedQuery,
  type BeforeSending,
  type Database,
  isInsertion,
  type OnCommit,
  type OnWait,
  type Pool,
  probe,
} from "../database.ts";
import type { Migration } from "../migrations.ts";
import { restartIds, selectColumns, selectNextId } from "./catalogue.ts";
import { createChangeSource } from "./change-feed.ts";
import { executeShared } from "./connection.ts";
import { createReadIndex } from "./data-version.ts";
import { asServiceError, isLostConnection } from "./errors.ts";
import { createGroupCommit } from "./group-commit.ts";
import { migrateSchema } from "./migrator.ts";
import { createPool } from "./pool.ts";
import { type Connection, primaryAt, type SessionSettings } from "./primary.ts";
import { adoptTimeline } from "./timeline.ts";
import { inTransaction, knowingOutcome, retryConflicts, timed } from "./transaction.ts";

interface PostgresOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** Where this database's tables live; made when it is missing. */
  readonly schema: string;
  readonly migrations: readonly Migration[];
  /** Left out, this database has one of its own. */
  readonly changes?: ChangeSource;
  readonly onCommit?: OnCommit;
  readonly onWait?: OnWait;
}

/**
 * Opens, and brings up to date, one schema of a PostgreSQL database. Single statements share a few connections, one
 * behind the other; transactions have connections to themselves. Everything has a deadline, the wait for a
 * connection included: a server that is gone, or frozen, costs a 503 and never a hanging request.
 */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { url, schema, migrations, onCommit = ignore, onWait = ignore } = options;
  await migrateSchema(url, schema, migrations);
  const { reading, running, transacting } = createPools(url, schema);
  const semaphoreFor = (pool: Pool, permits: number) =>
    createSemaphore({
      permits,
      queueMax: STORE_QUEUE_MAX,
      waitMs: ACQUIRE_DEADLINE_MS,
      onWait: (seconds, isAcquired) => onWait(pool, seconds, isAcquired),
    });
  const readPermits = semaphoreFor("read", STATEMENT_CONCURRENCY);
  const runPermits = semaphoreFor("run", STATEMENT_CONCURRENCY);
  const transactionPermits = semaphoreFor("transaction", TRANSACTION_CONNECTIONS);
  const { tracked, drain } = trackWork();
  const changes = options.changes ?? createChangeSource(url);

  const read: AwaitedQuery = (statement, values) =>
    withPermit(readPermits, () => executeShared(reading, statement, values, "cancel"));
  const run: AwaitedQuery = (statement, values) =>
    withPermit(runPermits, () =>
      timed(onCommit, () => knowingOutcome(() => executeShared(running, statement, values, "leave"))),
    );
  const write: Database["write"] = (work) =>
    withPermit(transactionPermits, () => inTransaction(transacting, work, onCommit));

  const insert = createGroupCommit({
    withPermit: (work) => withPermit(runPermits, work),
    run: ({ statement, values }, rows) =>
      timed(onCommit, () => knowingOutcome(() => executeShared(running, statement, values, "leave")), rows),
    onRefused: (seconds) => onWait("run", seconds, false),
  });
  const runOneWhile = (beforeSending?: BeforeSending): AwaitedQuery => {
    return (statement, values) =>
      tracked(() =>
        isInsertion(statement) ? insert(statement, values, { beforeSending }) : run(statement, values),
      );
  };
  const readOne: AwaitedQuery = (statement, values) =>
    tracked(() => withReconnection(() => read(statement, values)));

  return {
    read: readOne,
    ...createReadIndex(readOne),
    run: runOneWhile(),
    writeOne: async (work, beforeSending) => work(runOneWhile(beforeSending)),
    write: (work) => tracked(() => retryConflicts(() => write(work))),
    subscribe: (channel, onChange) => translated(() => changes.subscribe(channel, onChange)),
    check: () => readOne(probe, []).then(ignore),
    tables: async () => tablesFrom(await translated(() => read(selectColumns, []))),
    async nextId(table) {
      const [next = 1n] = await translated(() => read(selectNextId(table), []));
      return next;
    },
    async setNextId(table, next) {
      await translated(() => run(restartIds, [table, next]));
    },
    insertIdempotent: (insertion, values, record, beforeSending) =>
      tracked(() => insert(insertion, values, { record, beforeSending })),
    skipLocked: "FOR UPDATE SKIP LOCKED",
    lockShared: "FOR KEY SHARE",
    async close() {
      await drain();
      if (options.changes === undefined) await changes.close();
      await Promise.all([reading, running, transacting].map((pool) => pool.close()));
    },
  };
}

/** Connections that may write look first whether the primary is a new one: its identifiers go on higher. */
function createPools(url: string, schema: string) {
  const primary = primaryAt(url);
  async function connectToWrite(settings: SessionSettings): Promise<Connection> {
    const connection = await primary.connect({ search_path: schema, ...settings });
    try {
      await adoptTimeline(connection, schema);
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }
  // Whatever the database's default is: a statement sees what was committed before it, and waits for a row in conflict.
  const single = { default_transaction_isolation: "read committed" };
  const readOnly = { search_path: schema, ...single, default_transaction_read_only: true };
  // A plan is kept as long as its connection: one made for an empty table must not read it whole once it has grown.
  const indexed = { ...single, enable_seqscan: false };
  const repeatable = { default_transaction_isolation: "repeatable read" };
  return {
    reading: createPool(STATEMENT_CONNECTIONS, () => primary.connect(readOnly), primary.suspect),
    running: createPool(STATEMENT_CONNECTIONS, () => connectToWrite(indexed), primary.suspect),
    transacting: createPool(TRANSACTION_CONNECTIONS, () => connectToWrite(repeatable), primary.suspect),
  };
}

function ignore(): void {}

/** Work that is waited for before the connections are closed. */
function trackWork() {
  const underWay = new Set<Promise<unknown>>();
  return {
    tracked<Result>(work: () => Promise<Result>): Promise<Result> {
      const result = translated(work);
      const settled = result.catch(() => {}).finally(() => underWay.delete(settled));
      underWay.add(settled);
      return result;
    },
    drain: () => Promise.all(underWay),
  };
}

async function translated<Value>(run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    throw asServiceError(error);
  }
}

/** Runs a read once more when its connection broke. */
async function withReconnection<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (!isLostConnection(error)) throw error;
    return read();
  }
}
