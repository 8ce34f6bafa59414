import { Database as Connection, type Statement as PreparedStatement, SQLiteError } from "bun:sqlite";
import { existsSync } from "node:fs";
import { ServiceError, unavailable } from "../../errors.ts";
import { LOCK_RETRY_MS, LOCK_WAIT_MS, RETRY_AFTER_SECONDS, SQLITE_BUSY_TIMEOUT_MS } from "../../limits.ts";
import {
  type Database,
  noRows,
  type OnCommit,
  type Query,
  type Row,
  type SqlValue,
  type Statement,
  statement,
} from "../database.ts";
import { type JournalEntry, type Migrator, migrate, selectJournal } from "../migrations/migrate.ts";
import type { Migration } from "../migrations/migration.ts";
import { int64Column } from "../row.ts";
import { subscribeToCommits } from "./change-feed.ts";
import { openSharedVersion, pragmaDataVersion } from "./data-version.ts";
import { reasonOf, refuseDamaged, refuseForeign } from "./file.ts";
import { createGroupCommit, type Writer } from "./group-commit.ts";
import { createReader, type Reader } from "./reader.ts";

export interface SqliteOptions {
  /** The database file; its folder exists. */
  readonly file: string;
  readonly migrations: readonly Migration[];
  readonly onCommit?: OnCommit;
  /**
   * Told once, of a commit that failed on its way to the disk: what the log holds is not known any more, so that nothing
   * is written from then on, and the process has to end.
   */
  readonly onFatalIoError?: (error: unknown) => void;
}

/**
 * Opens, and brings up to date, one embedded database: one connection that reads, one that writes. A commit is on
 * disk when it returns (`synchronous=FULL`); readers never wait for the writer (WAL).
 *
 * @throws Error, in words for the operator, when the file was written by a newer program or cannot be used
 */
export async function openSqlite(options: SqliteOptions): Promise<Database> {
  try {
    return await openConnections(options);
  } catch (error) {
    const cause = error instanceof ServiceError ? error.cause : error;
    if (!(cause instanceof SQLiteError)) throw error;
    throw new Error(`${options.file} cannot be used: ${reasonOf(cause)}.`, { cause });
  }
}

async function openConnections(options: SqliteOptions): Promise<Database> {
  const { file, migrations, onCommit, onFatalIoError } = options;
  const writing = await connect(file);
  try {
    refuseDamaged(writing, file);
    const writer = createWriter(writing);
    await migrate(createMigrator(writing, writer), migrations, file);
    if (onFatalIoError !== undefined) writer.onFatalIoError = onFatalIoError;
    const reading = await connect(file);
    reading.run("PRAGMA query_only = ON");
    const query = createQuery(reading);
    const askedVersion = pragmaDataVersion(reading);
    // Has the shared index made, if it is not there yet.
    askedVersion();
    const shared = openSharedVersion(file);
    const version = shared?.ask ?? askedVersion;
    const reader = shared && createReader(reading, query, version);
    const read = reader?.read ?? query;
    const committing = reader === undefined ? writer : afterReading(reader, writer);
    const commits = createGroupCommit(committing, onCommit);
    return {
      read,
      version,
      write: commits.write,
      run: commits.run,
      subscribe: async (_topic, onChange) => subscribeToCommits(committing, version, onChange),
      async nextId(table) {
        const [last = 0n] = await read(selectLastId, [table]);
        return last + 1n;
      },
      setNextId: (table, next) =>
        commits.write(async (query) => {
          await query(forgetLastId, [table]);
          await query(insertLastId, [table, next - 1n]);
        }),
      // There is one writer at a time.
      skipLocked: "",
      async close() {
        await commits.drain();
        reader?.end();
        reading.close();
        writing.close();
        shared?.close();
      },
    };
  } catch (error) {
    writing.close();
    throw error;
  }
}

/** A commit may write the log back, which an open transaction would keep it from. */
function afterReading(reader: Reader, writer: Writer): Writer {
  return {
    ...writer,
    begin() {
      reader.end();
      return writer.begin();
    },
  };
}

/** The steps that a database file has been through; none when there is no such file. */
export async function readSqliteJournal(file: string): Promise<readonly JournalEntry[]> {
  if (!existsSync(file)) return [];
  const connection = await connect(file);
  try {
    return await createQuery(connection)(selectJournal, []);
  } finally {
    connection.close();
  }
}

async function connect(file: string): Promise<Connection> {
  const connection = new Connection(file, { create: true, readwrite: true, safeIntegers: true });
  try {
    // SQLite waits with the whole process; a writer that finds the lock taken waits in untilUnlocked instead.
    connection.run(`PRAGMA busy_timeout = ${SQLITE_BUSY_TIMEOUT_MS}`);
    // While another process turns a new file to WAL, SQLite waits for nothing.
    await untilUnlocked(() => {
      refuseForeign(connection, file);
      configure(connection);
    });
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function configure(connection: Connection): void {
  connection.run("PRAGMA journal_mode = WAL");
  connection.run("PRAGMA synchronous = FULL");
  connection.run("PRAGMA foreign_keys = ON");
  connection.run("PRAGMA trusted_schema = OFF");
}

function createQuery(connection: Connection): Query {
  const prepared = new WeakMap<Statement<never, unknown>, PreparedStatement<Row, SqlValue[]>>();

  function prepare(statement: Statement<never, unknown>): PreparedStatement<Row, SqlValue[]> {
    // bun:sqlite binds `$2` by order of appearance and `?2` by number.
    const ready = connection.query<Row, SqlValue[]>(statement.sql.replaceAll(/\$(\d+)/g, "?$1"));
    prepared.set(statement, ready);
    return ready;
  }

  return async (statement, values) => {
    try {
      const ready = prepared.get(statement) ?? prepare(statement);
      return ready.all(...values).map(statement.decode);
    } catch (error) {
      throw asServiceError(error);
    }
  };
}

/** AUTOINCREMENT's own table: the last identifier given out, for tables that have given one. */
const selectLastId: Statement<[table: string], bigint> = statement(
  "SELECT seq FROM sqlite_sequence WHERE name = $1",
  (row) => BigInt(int64Column(row, "seq")),
);
const forgetLastId: Statement<[table: string], undefined> = statement(
  "DELETE FROM sqlite_sequence WHERE name = $1",
  noRows,
);
const insertLastId: Statement<[table: string, last: bigint], undefined> = statement(
  "INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)",
  noRows,
);

/** A writer that stops for good when a commit failed in a way that nobody can tell what is on the disk. */
interface SqliteWriter extends Writer {
  onFatalIoError?: (error: unknown) => void;
}

function createWriter(connection: Connection): SqliteWriter {
  const prepared = (sql: string): (() => void) => {
    const ready = connection.query(sql);
    return () => {
      try {
        ready.run();
      } catch (error) {
        throw asServiceError(error);
      }
    };
  };
  // Immediate: a transaction that starts by reading could not turn into a writing one under WAL.
  const begin = connection.query("BEGIN IMMEDIATE");
  const commit = connection.query("COMMIT");
  let broken: ServiceError | undefined;
  const writer: SqliteWriter = {
    query: createQuery(connection),
    async begin() {
      if (broken !== undefined) throw broken;
      await untilUnlocked(() => void begin.run()).catch((error: unknown) => {
        throw asServiceError(error);
      });
    },
    commit() {
      try {
        commit.run();
      } catch (error) {
        if (!isDiskError(error)) throw asServiceError(error);
        if (writer.onFatalIoError === undefined || !isUntrustworthy(error))
          throw unavailable(OUTCOME_UNKNOWN, RETRY_AFTER_SECONDS, error);
        // Without a cause: it is told once, not by each of those who wait.
        broken = unavailable(OUTCOME_UNKNOWN, RETRY_AFTER_SECONDS);
        writer.onFatalIoError(error);
        throw broken;
      }
    },
    rollback() {
      // A failed commit may have ended the transaction already, and one that never began needs no end.
      if (connection.inTransaction) connection.run("ROLLBACK");
    },
    savepoint: prepared("SAVEPOINT work"),
    releaseSavepoint: prepared("RELEASE work"),
    rollbackToSavepoint: prepared("ROLLBACK TO work"),
  };
  return writer;
}

/** Waits for another process's lock without holding up everything else in this one. */
async function untilUnlocked(work: () => void): Promise<void> {
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

function isLocked(error: unknown): boolean {
  return error instanceof SQLiteError && (error.code ?? "").startsWith("SQLITE_BUSY");
}

function createMigrator(connection: Connection, { query, begin, commit, rollback }: Writer): Migrator {
  return {
    createJournal: `CREATE TABLE IF NOT EXISTS migration (
      number INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      applied_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
    ) STRICT`,
    query,
    begin,
    commit,
    rollback,
    script: (sql) => void connection.exec(sql),
  };
}

const OUTCOME_UNKNOWN =
  "The store could not be written, and the outcome is not known. Look before you try again, or try with the same Idempotency-Key.";

function isDiskError(error: unknown): error is SQLiteError {
  return error instanceof SQLiteError && (error.code ?? "").startsWith("SQLITE_IOERR");
}

/**
 * What the log holds may be less than was written to it, or more than was promised, and asking to sync it again proves
 * nothing: the kernel reports a failure once. An index that finds no room is no such failure.
 */
function isUntrustworthy({ code = "" }: SQLiteError): boolean {
  return !code.startsWith("SQLITE_IOERR_SHM");
}

/** Conditions of the machine, not of the statement: the same request may well succeed later. */
const PASSING = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|INTERRUPT)/;

function asServiceError(error: unknown): unknown {
  if (!(error instanceof SQLiteError) || !PASSING.test(error.code ?? "")) return error;
  return unavailable("The store cannot be reached right now. Try again.", RETRY_AFTER_SECONDS, error);
}
