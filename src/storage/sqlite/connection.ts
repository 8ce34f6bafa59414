import { Database as Connection, constants, type Statement as PreparedStatement } from "bun:sqlite";
import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { SQLITE_BUSY_TIMEOUT_MS } from "../../limits.ts";
import type { Maybe } from "../../platform/maybe.ts";
import { createMissingFile } from "../../platform/owned-files.ts";
import type { Query } from "../database.ts";
import { type Append, isInsertion } from "../insertion.ts";
import { MigrationError } from "../migrations.ts";
import type { Row, SqlValue, Statement } from "../statement.ts";
import { asServiceError, isLocked } from "./errors.ts";

export const LOG_BYTES_KEPT = 8 * 1024 * 1024; // a write-ahead log that restarts is truncated to this size
const LOCK_WAIT_MS = 2_000; // longest wait of a write for another process's lock; then 503
const LOCK_RETRY_MS = 5; // poll interval of a lock held by another process

export async function connect(file: string, isWriting = true): Promise<Connection> {
  if (isWriting) createMissingFile(file);
  const connection = new Connection(file, { create: false, readwrite: isWriting, safeIntegers: true });
  try {
    // SQLite's own wait blocks the whole process; a writer that finds a lock waits in untilUnlocked instead.
    connection.run(`PRAGMA busy_timeout = ${SQLITE_BUSY_TIMEOUT_MS}`);
    // While another process sets a new file to WAL, SQLite does not wait at all.
    await untilUnlocked(() => {
      refuseForeign(connection, file);
      configure(connection);
      // kB of pages: at most 64 MB for the readers of both environments.
      if (!isWriting) connection.run("PRAGMA cache_size = -32768");
    });
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Connects to a database without a log, for reading: SQLite creates no file beside it. */
export function connectImmutable(file: string): Connection {
  const { SQLITE_OPEN_READONLY, SQLITE_OPEN_URI } = constants;
  return new Connection(`${pathToFileURL(file)}?immutable=1`, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

/** True if a database has a log with content. */
export function hasLog(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function configure(connection: Connection) {
  connection.run("PRAGMA journal_mode = WAL");
  connection.run("PRAGMA synchronous = FULL");
  connection.run("PRAGMA foreign_keys = ON");
  connection.run("PRAGMA trusted_schema = OFF");
  // Another program that reads keeps the log from restarting; it may grow without bound until then.
  connection.run(`PRAGMA journal_size_limit = ${LOG_BYTES_KEPT}`);
}

/** A query on a connection. @param onFailure called with a statement's error, and a function that runs it again */
export function createQuery(
  connection: Connection,
  onFailure: (error: unknown, retry: () => Maybe<unknown>) => void = () => {},
): Query {
  const prepared = new WeakMap<Statement<never, unknown>, PreparedStatement<Row, SqlValue[]>>();

  function prepare(statement: Statement<never, unknown>): PreparedStatement<Row, SqlValue[]> {
    // bun:sqlite binds `$2` by order of appearance and `?2` by number.
    const ready = connection.query<Row, SqlValue[]>(statement.sql.replaceAll(/\$(\d+)/g, "?$1"));
    ready.safeIntegers(true);
    prepared.set(statement, ready);
    return ready;
  }

  function rowsOf(statement: Statement<never, unknown>, values: readonly SqlValue[]): readonly Row[] {
    return (prepared.get(statement) ?? prepare(statement)).all(...values);
  }

  /** Inserts a row, then its log entry; if that fails, the whole transaction is rolled back, as after a disk failure. */
  function insertAndAppend(
    statement: Statement<never, unknown>,
    append: Append<never>,
    values: readonly SqlValue[],
  ): readonly Row[] {
    const own = values.length - append.columns.length + 1;
    const rows = rowsOf(statement, values.slice(0, own));
    try {
      rowsOf(append, [rows[0]?.["id"] ?? null, ...values.slice(own)]);
    } catch (error) {
      if (connection.inTransaction) connection.run("ROLLBACK");
      throw error;
    }
    return rows;
  }

  const query: Query = (statement, values) => {
    try {
      const append = isInsertion(statement) ? statement.append : undefined;
      const rows =
        append === undefined ? rowsOf(statement, values) : insertAndAppend(statement, append, values);
      return rows.map(statement.decode);
    } catch (error) {
      onFailure(error, () => query(statement, values));
      throw asServiceError(error);
    }
  };
  return query;
}

/** Runs `work`, again while another process holds the lock, without blocking this process. */
export async function untilUnlocked(work: () => void): Promise<void> {
  const deadline = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isLocked(error) || performance.now() > deadline) throw error;
      await Bun.sleep(LOCK_RETRY_MS);
    }
  }
}

/** Refuses a database with another program's tables. @throws MigrationError with one line for the operator */
export function refuseForeign(connection: Connection, file: string): void {
  const tables = connection
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .all()
    .map(({ name }) => name);
  if (tables.length === 0 || tables.includes("migration")) return;
  throw new MigrationError(`${file} belongs to another program: it has a table ${tables[0]}.`);
}
