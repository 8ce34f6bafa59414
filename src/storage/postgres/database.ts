import { type ReservedSQL, SQL } from "bun";
import {
  ACQUIRE_DEADLINE_MS,
  CONFLICT_PAUSE_MAX_MS,
  CONFLICT_RETRIES_MAX,
  CONNECT_DEADLINE_SECONDS,
  SERVER_STATEMENT_TIMEOUT_MS,
  STATEMENT_CONCURRENCY,
  STATEMENT_CONNECTIONS,
  STATEMENT_DEADLINE_MS,
  STORE_QUEUE_MAX,
  TRANSACTION_CONNECTIONS,
} from "../../limits.ts";
import { systemRandomBytes } from "../../platform/random.ts";
import { createSemaphore, type Semaphore } from "../../platform/semaphore.ts";
import {
  type Database,
  noRows,
  type OnCommit,
  type OnWait,
  type Pool,
  type Query,
  type Row,
  type SqlValue,
  type Statement,
  statement,
} from "../database.ts";
import type { Migration } from "../migrations/migration.ts";
import { int64Column } from "../row.ts";
import { subscribeToChannel } from "./change-feed.ts";
import { asOutcome, asServiceError, DeadlineError, isConflict, isLostConnection } from "./errors.ts";
import { idempotentInsertStatement, idempotentInsertValues } from "./idempotent-insert.ts";
import { migrateSchema } from "./migrator.ts";

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** Where this database's tables live; made when it is missing. */
  readonly schema: string;
  readonly migrations: readonly Migration[];
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
  const reading = connect(url, STATEMENT_CONNECTIONS, {
    search_path: schema,
    default_transaction_read_only: true,
  });
  const running = connect(url, STATEMENT_CONNECTIONS, { search_path: schema });
  const transacting = connect(url, TRANSACTION_CONNECTIONS, {
    search_path: schema,
    default_transaction_isolation: "repeatable read",
  });
  const readingGate = createSemaphore({
    ...WAITING,
    permits: STATEMENT_CONCURRENCY,
    onWait: waitsFor("read", onWait),
  });
  const runningGate = createSemaphore({
    ...WAITING,
    permits: STATEMENT_CONCURRENCY,
    onWait: waitsFor("run", onWait),
  });
  const transactionGate = createSemaphore({
    ...WAITING,
    permits: TRANSACTION_CONNECTIONS,
    onWait: waitsFor("transaction", onWait),
  });
  const underWay = new Set<Promise<unknown>>();

  const read: Query = (statement, values) => through(readingGate, () => execute(reading, statement, values));
  const run: Query = (statement, values) =>
    through(runningGate, () =>
      timed(onCommit, () => knowingOutcome(() => execute(running, statement, values))),
    );
  const write: Database["write"] = (work) =>
    through(transactionGate, () => inTransaction(transacting, work, onCommit));

  function tracked<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = translated(work);
    const settled = result.catch(() => {}).finally(() => underWay.delete(settled));
    underWay.add(settled);
    return result;
  }

  return {
    read: (statement, values) => tracked(() => retryOnce(() => read(statement, values), isLostConnection)),
    run: (statement, values) => tracked(() => run(statement, values)),
    write: (work) => tracked(() => retryConflicts(() => write(work))),
    subscribe: (topic, onChange) => translated(() => subscribeToChannel(url, topic, run, onChange)),
    async nextId(table) {
      const [next = 1n] = await translated(() => read(selectNextId(table), []));
      return next;
    },
    async setNextId(table, next) {
      await translated(() => run(restartIds, [table, next]));
    },
    insertIdempotent: (statement, values, record) =>
      tracked(() => run(idempotentInsertStatement(statement), idempotentInsertValues(record, values))),
    skipLocked: "FOR UPDATE SKIP LOCKED",
    async close() {
      await Promise.all(underWay);
      await Promise.all([reading, running, transacting].map((sql) => sql.close({ timeout: 0 })));
    },
  };
}

function selectNextId(table: string): Statement<[], bigint> {
  return {
    sql: `SELECT CASE WHEN is_called THEN last_value + 1 ELSE last_value END AS next FROM ${table}_id_seq`,
    decode: (row) => BigInt(int64Column(row, "next")),
  };
}

const restartIds: Statement<[table: string, next: bigint], undefined> = statement(
  "SELECT setval(pg_get_serial_sequence($1, 'id'), $2, false)",
  noRows,
);

function ignore(): void {}

function waitsFor(pool: Pool, onWait: OnWait): (seconds: number, isAdmitted: boolean) => void {
  return (seconds, isAdmitted) => onWait(pool, seconds, isAdmitted);
}

/** A commit that fails tells nothing of how long commits take. */
async function timed<Result>(onCommit: OnCommit, commit: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  const result = await commit();
  onCommit(1, (performance.now() - startedAt) / 1000);
  return result;
}

const WAITING = { queueMax: STORE_QUEUE_MAX, waitMs: ACQUIRE_DEADLINE_MS };

async function through<Result>(semaphore: Semaphore, work: () => Promise<Result>): Promise<Result> {
  const leave = await semaphore.acquire();
  try {
    return await work();
  } finally {
    leave();
  }
}

function connect(url: string, max: number, settings: Readonly<Record<string, string | boolean>>): SQL {
  return new SQL({
    url,
    max,
    bigint: true,
    connectionTimeout: CONNECT_DEADLINE_SECONDS,
    connection: {
      application_name: "petstore",
      statement_timeout: SERVER_STATEMENT_TIMEOUT_MS,
      // A process that dies in the middle of a transaction must not keep its locks.
      idle_in_transaction_session_timeout: SERVER_STATEMENT_TIMEOUT_MS,
      ...settings,
    },
  });
}

/** Runs one statement within its deadline. A server that answers nothing is left to finish on its own. */
async function execute<Result>(
  sql: SQL | ReservedSQL,
  statement: Statement<never, Result>,
  values: readonly SqlValue[],
): Promise<readonly Result[]> {
  const query = sql.unsafe<Row[]>(statement.sql, [...values]);
  const rows = await withDeadline(query, STATEMENT_DEADLINE_MS, () => query.cancel());
  return rows.map(statement.decode);
}

async function withDeadline<Value>(
  promise: Promise<Value>,
  milliseconds: number,
  onLate: () => unknown,
): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new DeadlineError(`No answer within ${milliseconds} ms.`));
    onLate();
  }, milliseconds);
  // Who loses the race may still fail, and nobody is left to hear of it.
  promise.catch(() => {});
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function inTransaction<Result>(
  sql: SQL,
  work: (query: Query) => Promise<Result>,
  onCommit: OnCommit,
): Promise<Result> {
  const connection = await reserve(sql);
  let isBroken = false;
  let isOpen = true;
  const query: Query = (statement, values) => {
    if (!isOpen) throw new Error("A transaction's query was used after its work had ended.");
    return execute(connection, statement, values);
  };
  try {
    // Not waited for: the connection keeps the order, and the first statement goes out with it.
    const begun = command(connection, "BEGIN");
    begun.catch(() => {});
    const result = await work(query);
    isOpen = false;
    await begun;
    await timed(onCommit, () => knowingOutcome(() => command(connection, "COMMIT")));
    return result;
  } catch (error) {
    isOpen = false;
    await command(connection, "ROLLBACK").catch(() => {
      isBroken = true;
    });
    throw error;
  } finally {
    // A connection that could not be rolled back must not be handed to the next one as it is.
    await (isBroken ? connection.close({ timeout: 0 }) : connection.release());
  }
}

/** @throws DeadlineError when no connection is to be had in time */
async function reserve(sql: SQL): Promise<ReservedSQL> {
  const signal = AbortSignal.timeout(ACQUIRE_DEADLINE_MS);
  try {
    return await sql.reserve({ signal });
  } catch (error) {
    if (error !== signal.reason) throw error;
    throw new DeadlineError(`No connection within ${ACQUIRE_DEADLINE_MS} ms.`, { cause: error });
  }
}

async function knowingOutcome<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    throw asOutcome(error);
  }
}

function command(connection: ReservedSQL, sql: string): Promise<unknown> {
  const query = connection.unsafe(sql).execute();
  return withDeadline(query, STATEMENT_DEADLINE_MS, () => query.cancel());
}

async function translated<Value>(run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    throw asServiceError(error);
  }
}

async function retryOnce<Value>(
  run: () => Promise<Value>,
  isWorthIt: (error: unknown) => boolean,
): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    if (!isWorthIt(error)) throw error;
    return run();
  }
}

/** Milliseconds, longer with every try and never the same for two, so that rivals do not meet again. */
function conflictPause(retry: number): number {
  const [byte = 0] = systemRandomBytes(1);
  return Math.min(2 ** retry, CONFLICT_PAUSE_MAX_MS) * (byte / 255);
}

async function retryConflicts<Value>(run: () => Promise<Value>): Promise<Value> {
  for (let retry = 0; ; retry++) {
    try {
      return await run();
    } catch (error) {
      if (retry >= CONFLICT_RETRIES_MAX || !isConflict(error)) throw error;
      await Bun.sleep(conflictPause(retry));
    }
  }
}
