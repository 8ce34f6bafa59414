import { Database as Connection, constants, type Statement as PreparedStatement } from "bun:sqlite";
import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { SQLITE_BUSY_TIMEOUT_MS } from "../../limits.ts";
import type { Maybe } from "../../platform/maybe.ts";
import { createMissingFile } from "../../platform/owned-files.ts";
import type { Query } from "../database.ts";
import { type Insertion, isInsertion, rowOf } from "../insertion.ts";
import { MigrationError } from "../migrations.ts";
import { InexactError } from "../row.ts";
import {
  type Compared,
  inOrder,
  type NamedValues,
  type Row,
  type SqlValue,
  type Statement,
  type Values,
} from "../statement.ts";
import { asServiceError, isLocked } from "./errors.ts";

export const LOG_BYTES_KEPT = 8 * 1024 * 1024; // SQLite truncates a write-ahead log to this size when it starts to overwrite the log from the beginning
const LOCK_WAIT_MS = 2_000; // longest time that a write waits for the lock of another process, before the response is 503
const LOCK_RETRY_MS = 5; // interval at which a write that waits for another process's lock tries to get it

export async function connect(file: string, isWriting = true): Promise<Connection> {
  if (isWriting) createMissingFile(file);
  const connection = new Connection(file, { create: false, readwrite: isWriting, safeIntegers: true });
  try {
    // SQLite's own timeout for locks is short, because the whole process is blocked while SQLite waits. A longer wait for a lock
    // happens in `untilUnlocked`, which blocks nothing.
    connection.run(`PRAGMA busy_timeout = ${SQLITE_BUSY_TIMEOUT_MS}`);
    // SQLite does not wait while another process switches a new file to WAL, so the following steps are retried.
    await untilUnlocked(() => {
      refuseForeign(connection, file);
      configure(connection);
      // Each reader gets a cache of 32 MB. There are two environments, so their readers use at most 64 MB.
      if (!isWriting) connection.run("PRAGMA cache_size = -32768");
    });
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Opens a read-only connection to a database that has no log. The database is opened as immutable, so SQLite creates no files next
 * to it.
 */
export function connectImmutable(file: string): Connection {
  const { SQLITE_OPEN_READONLY, SQLITE_OPEN_URI } = constants;
  return new Connection(`${pathToFileURL(file)}?immutable=1`, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

/** True if a database has a write-ahead log that is not empty. */
export function hasLog(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function configure(connection: Connection) {
  connection.run("PRAGMA journal_mode = WAL");
  connection.run("PRAGMA synchronous = FULL");
  connection.run("PRAGMA foreign_keys = ON");
  connection.run("PRAGMA trusted_schema = OFF");
  // SQLite truncates the log to this size when it starts to overwrite the log from the beginning. It cannot do this while another
  // program is reading, so the log may grow until then.
  connection.run(`PRAGMA journal_size_limit = ${LOG_BYTES_KEPT}`);
}

interface QueryOptions {
  /** Called when a statement fails, with the error and with a function that runs the statement again. */
  readonly onFailure?: (error: unknown, retry: () => Maybe<unknown>) => void;
  /**
   * True if none of the statements change anything. Integers are then read as numbers, not as `bigint`s, which makes reading a page
   * one third cheaper.
   */
  readonly isReading?: boolean;
}

interface Prepared {
  readonly ready: PreparedStatement<Row, SqlValue[]>;
  readonly hasRows: boolean;
}

function prepareText(connection: Connection, text: string, isReading: boolean): Prepared {
  const ready = connection.query<Row, SqlValue[]>(text);
  ready.safeIntegers(!isReading);
  return { ready, hasRows: ready.columnNames.length > 0 };
}

export function createQuery(
  connection: Connection,
  { onFailure = () => {}, isReading = false }: QueryOptions = {},
): Query {
  const prepared = new WeakMap<Statement<never, unknown>, Prepared>();
  const byText = new Map<string, Prepared>();

  function prepare(statement: Statement<never, unknown>): Prepared {
    // `RETURNING` is not needed for an insertion: the row's values are known, and `lastInsertRowid` is its identifier.
    const sql = isInsertion(statement) ? statement.insertSql : statement.sql;
    // bun:sqlite binds `$2` by the order of the placeholders in the text, but `?2` by its number.
    const text = sql.replaceAll(/\$(\d+)/g, "?$1");
    const made = byText.get(text) ?? prepareText(connection, text, isReading);
    byText.set(text, made);
    prepared.set(statement, made);
    return made;
  }

  function rowsOf<Result>(statement: Statement<never, Result>, given: Values): readonly Result[] {
    const { ready, hasRows } = prepared.get(statement) ?? prepare(statement);
    const values = inOrder(statement, given);
    if (!hasRows) {
      ready.run(...values);
      return [];
    }
    const rows = ready.all(...values);
    if (!isReading) return rows.map(statement.decode);
    try {
      return rows.map(statement.decode);
    } catch (error) {
      if (!(error instanceof InexactError)) throw error;
      // From now on, every statement with the same SQL text returns its integers as `bigint`s, because bun:sqlite shares one
      // prepared statement among them.
      ready.safeIntegers(true);
      return ready.all(...values).map(statement.decode);
    }
  }

  function insert<Result>(statement: Insertion<never, Result>, values: NamedValues): Result {
    const { ready } = prepared.get(statement) ?? prepare(statement);
    const { changes, lastInsertRowid } = ready.run(...inOrder(statement, values));
    // If nothing was inserted, `lastInsertRowid` is left over from an earlier insertion, perhaps into another table.
    if (Number(changes) !== 1)
      throw new TypeError(`The SQL statement should insert exactly one row, but inserted ${changes}.`);
    return rowOf(statement, values, BigInt(lastInsertRowid));
  }

  /** Runs the steps of a change one by one. If the first step changes no row, the other steps are skipped. */
  function changeCompared({ steps }: Compared, values: readonly SqlValue[]): readonly unknown[] {
    let rows: readonly unknown[] = [];
    let first = 0;
    for (const { statement, count } of steps) {
      const answer = rowsOf(statement, values.slice(first, first + count));
      if (first === 0 && answer.length === 0) return [];
      if (answer.length > 0) rows = answer;
      first += count;
    }
    return rows;
  }

  const query: Query = (statement, values) => {
    try {
      // The cast is safe, because a change returns rows of the type that its `Statement` declares.
      if (statement.compared !== undefined)
        return changeCompared(statement.compared, values as readonly SqlValue[]) as never;
      return isInsertion(statement) ? [insert(statement, values as NamedValues)] : rowsOf(statement, values);
    } catch (error) {
      onFailure(error, () => query(statement, values));
      throw asServiceError(error);
    }
  };
  return query;
}

/** Runs `work`, and retries it while another process holds the lock. This process is not blocked in the meantime. */
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

/** Throws an error if a database contains the tables of another program. @throws MigrationError with one line for the operator */
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
