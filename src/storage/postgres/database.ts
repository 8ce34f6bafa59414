import { ACQUIRE_DEADLINE_MS, STORE_QUEUE_MAX } from "../../limits.ts";
import { createSemaphore, withPermit } from "../../platform/semaphore.ts";
import type { ChangeFeed } from "../change-feed.ts";
import {
  type AwaitedQuery,
  type BeforeSending,
  type Database,
  type OnCommit,
  type OnWait,
  type Pool,
  probe,
} from "../database.ts";
import { isInsertion } from "../insertion.ts";
import type { Migration } from "../migrations.ts";
import type { NamedValues, Statement, Values } from "../statement.ts";
import type { DatabaseName } from "../store-files.ts";
import { requireRights } from "./addresses.ts";
import { announceEvents, createAnnouncer } from "./announcer.ts";
import { createChangeFeed } from "./change-feed.ts";
import { executeShared } from "./connection.ts";
import { type ConnectionOptions, type Connections, createConnections, writingTo } from "./connections.ts";
import { asServiceError, isLostConnection } from "./errors.ts";
import { createGroupCommit } from "./group-commit.ts";
import { migrateSchema } from "./migrator.ts";
import { requireUsablePooler } from "./pooler.ts";
import { besideBegin, createQualifier } from "./qualifier.ts";
import { createReads, type ReplicaRead } from "./reads.ts";
import { createReplicas } from "./replicas.ts";
import { knowingOutcome, timed } from "./transaction.ts";
import { createWholeTables } from "./whole-tables.ts";
import { createWriting } from "./writing.ts";

const STATEMENT_CONCURRENCY = 128; // maximum number of statements outside transactions that run at the same time; further statements wait
const TRANSACTION_CONCURRENCY = 4; // maximum number of transactions that one process runs at the same time on one database; further transactions wait

interface PostgresOptions extends Omit<ConnectionOptions, "direct"> {
  /** The URL of the database server itself, if `url` is the URL of a pooler. Migrations and LISTEN do not work through a pooler. */
  readonly direct?: string | undefined;
  /** The connections that all databases of this process share. If absent, this database opens its own connections. */
  readonly connections?: Connections | undefined;
  readonly name: DatabaseName;
  /** The prefix of the schema's name. The schema is created if it does not exist. */
  readonly prefix?: string | undefined;
  readonly migrations: readonly Migration[];
  /** The feed that announces changes by other processes. If absent, this database creates its own feed. */
  readonly changes?: ChangeFeed | undefined;
  readonly onCommit?: OnCommit | undefined;
  readonly onWait?: OnWait | undefined;
  readonly onAnswer?: (() => void) | undefined;
}

/**
 * Opens and migrates one schema of a PostgreSQL database. Statements outside transactions are pipelined on a few shared
 * connections. Each transaction has its own connection. Everything has a deadline, even the wait for a connection: if the server is
 * down or frozen, requests are answered with 503 and never hang.
 */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { url, direct = url, name, prefix = "", migrations } = options;
  const { onCommit = ignore, onWait = ignore, onAnswer = ignore } = options;
  const schema = prefix + name;
  const qualified = createQualifier(schema, await migrateSchema(direct, schema, migrations));
  if (direct !== url) {
    await requireUsablePooler(url, direct);
    await requireRights(url, direct, schema);
  }
  const { reading, running, transacting, replicas, closeOwn } = connectTo(schema, options);
  const { readPermits, runPermits, transactionPermits } = createPermits(onWait);
  const { tracked, drain } = trackWork(onAnswer);
  const changes = options.changes ?? createChangeFeed(url, direct, prefix);

  const read: AwaitedQuery = (statement, values) =>
    withReconnection(() =>
      withPermit(readPermits, () => executeShared(reading, qualified(statement), values, "cancel")),
    );
  const commitOne = <Result>(sent: Statement<never, Result>, values: Values, rows = 1) =>
    timed(
      onCommit,
      () => knowingOutcome(() => executeShared(running, qualified(sent), values, "leave")),
      rows,
    );
  const run: AwaitedQuery = (statement, values) => withPermit(runPermits, () => commitOne(statement, values));
  const announcer = createAnnouncer(() => executeShared(running, announceEvents, [prefix, name], "leave"));
  const { onAppended } = announcer;
  const ways = { qualified, besideBegin: besideBegin(qualified), onCommit, onAppended };
  const { insert, changeUnlocked } = createGroupCommit({
    withPermit: (work) => withPermit(runPermits, work),
    run: ({ statement, values, appends }, rows) =>
      commitOne(statement, values, rows).finally(() => appends && onAppended()),
    onRefused: (seconds) => onWait("run", seconds, false),
  });
  const writing = createWriting(transacting, transactionPermits, { read, changeUnlocked, ...ways });
  const runOneWhile = (beforeSending?: BeforeSending): AwaitedQuery => {
    return (statement, values) =>
      tracked(() =>
        isInsertion(statement)
          ? insert(statement, { values: values as NamedValues, entry: undefined }, { beforeSending })
          : run(statement, values),
      );
  };
  const runOne = runOneWhile();
  const readOne: AwaitedQuery = (statement, values) => tracked(() => read(statement, values));

  const readReplica: ReplicaRead | undefined =
    replicas &&
    ((position, statement, values) =>
      tracked(() => withPermit(readPermits, () => replicas.read(position, qualified(statement), values))));

  return {
    ...createReads(readOne, readReplica),
    run: runOne,
    write: async (work, atomic, owner) =>
      atomic === undefined || atomic.readsFirst
        ? tracked(() => writing(work, atomic, owner))
        : work(runOneWhile(atomic.beforeSending)),
    subscribe: (channel, onChange) => translated(() => changes.subscribe(channel, onChange)),
    check: () => readOne(probe, []).then(ignore),
    wholeTables: createWholeTables(schema, readOne, runOne),
    create: ({ insertion, values, entry }, options = {}) =>
      tracked(() => insert(insertion, { values, entry }, options)),
    locks: { claim: "FOR UPDATE SKIP LOCKED", share: "FOR KEY SHARE" },
    async close() {
      await drain();
      await announcer.close();
      if (options.changes === undefined) await changes.close();
      await closeOwn();
    },
  };
}

/** Returns the connections for one schema. Connections for writing are checked before their first write (see `writingTo`). */
function connectTo(schema: string, options: PostgresOptions) {
  const { url, direct = url } = options;
  const connections = options.connections ?? createConnections({ ...options, url, direct });
  const { reading, running, transacting, standbys } = connections;
  return {
    reading,
    running: writingTo(schema, running),
    transacting: writingTo(schema, transacting),
    replicas: standbys.length === 0 ? undefined : createReplicas(standbys, schema),
    closeOwn: async () => (options.connections === undefined ? connections.close() : undefined),
  };
}

function createPermits(onWait: OnWait) {
  const semaphoreFor = (pool: Pool, permits: number) =>
    createSemaphore({
      permits,
      queueMax: STORE_QUEUE_MAX,
      waitMs: ACQUIRE_DEADLINE_MS,
      onWait: (seconds, isAcquired) => onWait(pool, seconds, isAcquired),
    });
  return {
    readPermits: semaphoreFor("read", STATEMENT_CONCURRENCY),
    runPermits: semaphoreFor("run", STATEMENT_CONCURRENCY),
    transactionPermits: semaphoreFor("transaction", TRANSACTION_CONCURRENCY),
  };
}

function ignore(): void {}

/** Keeps track of running operations. `drain` waits for them before the connections are closed. */
function trackWork(onAnswer: () => void) {
  const underWay = new Set<Promise<unknown>>();
  return {
    tracked<Result>(work: () => Promise<Result>): Promise<Result> {
      const result = translated(work);
      const settled = result.then(onAnswer, ignore).finally(() => underWay.delete(settled));
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

/** Runs a read, and tries it once more if the connection broke. */
async function withReconnection<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (!isLostConnection(error)) throw error;
    return read();
  }
}
