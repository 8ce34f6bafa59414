import { Database as Connection, type Statement as PreparedStatement, SQLiteError } from "bun:sqlite";
import { existsSync } from "node:fs";
import { unavailable } from "../errors.ts";
import { LOCK_PATIENCE_MS, LOCK_RETRY_MS, LOCK_WAIT_MS, RETRY_AFTER_SECONDS } from "../limits.ts";
import {
  type Database,
  nothing,
  type OnCommit,
  type Query,
  type Row,
  type SqlValue,
  type Statement,
} from "./database.ts";
import { createGroupCommit, type Writer } from "./group-commit.ts";
import { type JournalEntry, type Migrator, migrate, selectJournal } from "./migrate.ts";
import type { Migration } from "./migrations/migration.ts";
import { int64Column } from "./row.ts";
import { createReader, type Reader } from "./sqlite-reader.ts";
import { askedVersionOf, openSharedVersion } from "./sqlite-version.ts";
import { watchCommits } from "./sqlite-watch.ts";

export interface SqliteOptions {
  /** The database file; its folder exists. */
  readonly file: string;
  readonly migrations: readonly Migration[];
  readonly onCommit?: OnCommit;
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
    if (!(error instanceof SQLiteError)) throw error;
    throw new Error(`${options.file} cannot be used: ${error.message}.`, { cause: error });
  }
}

async function openConnections({ file, migrations, onCommit }: SqliteOptions): Promise<Database> {
  const writing = connect(file);
  try {
    const writer = createWriter(writing);
    await migrate(createMigrator(writing, writer), migrations, file);
    const reading = connect(file);
    reading.run("PRAGMA query_only = ON");
    const query = createQuery(reading);
    const askedVersion = askedVersionOf(reading);
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
      watch: async (_topic, onChange) => watchCommits(committing, version, onChange),
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
  const connection = connect(file);
  try {
    return await createQuery(connection)(selectJournal);
  } finally {
    connection.close();
  }
}

function connect(file: string): Connection {
  const connection = new Connection(file, { create: true, readwrite: true, safeIntegers: true });
  // SQLite waits with the whole process; a writer that finds the lock taken waits in untilUnlocked instead.
  connection.run(`PRAGMA busy_timeout = ${LOCK_PATIENCE_MS}`);
  connection.run("PRAGMA journal_mode = WAL");
  connection.run("PRAGMA synchronous = FULL");
  connection.run("PRAGMA foreign_keys = ON");
  connection.run("PRAGMA trusted_schema = OFF");
  return connection;
}

function createQuery(connection: Connection): Query {
  const prepared = new WeakMap<Statement<unknown>, PreparedStatement<Row, SqlValue[]>>();

  function prepare(statement: Statement<unknown>): PreparedStatement<Row, SqlValue[]> {
    // bun:sqlite binds `$2` by order of appearance and `?2` by number.
    const ready = connection.query<Row, SqlValue[]>(statement.sql.replaceAll(/\$(\d+)/g, "?$1"));
    prepared.set(statement, ready);
    return ready;
  }

  return async (statement, values = []) => {
    try {
      const ready = prepared.get(statement) ?? prepare(statement);
      return ready.all(...values).map(statement.decode);
    } catch (error) {
      throw asServiceError(error);
    }
  };
}

/** AUTOINCREMENT's own table: the last identifier given out, for tables that have given one. */
const selectLastId: Statement<bigint> = {
  sql: "SELECT seq FROM sqlite_sequence WHERE name = $1",
  decode: (row) => BigInt(int64Column(row, "seq")),
};
const forgetLastId: Statement<undefined> = {
  sql: "DELETE FROM sqlite_sequence WHERE name = $1",
  decode: nothing,
};
const insertLastId: Statement<undefined> = {
  sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)",
  decode: nothing,
};

function createWriter(connection: Connection): Writer {
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
  return {
    query: createQuery(connection),
    begin: () => untilUnlocked(() => void begin.run()),
    commit: prepared("COMMIT"),
    rollback() {
      // A failed commit may have ended the transaction already, and one that never began needs no end.
      if (connection.inTransaction) connection.run("ROLLBACK");
    },
    savepoint: prepared("SAVEPOINT work"),
    releaseSavepoint: prepared("RELEASE work"),
    rollbackToSavepoint: prepared("ROLLBACK TO work"),
  };
}

/** Waits for another process's lock without holding up everything else in this one. */
async function untilUnlocked(begin: () => void): Promise<void> {
  const deadline = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      return begin();
    } catch (error) {
      if (!(error instanceof SQLiteError) || error.code !== "SQLITE_BUSY" || performance.now() > deadline) {
        throw asServiceError(error);
      }
      await Bun.sleep(LOCK_RETRY_MS);
    }
  }
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

/** Conditions of the machine, not of the statement: the same request may well succeed later. */
const PASSING = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|INTERRUPT)/;

function asServiceError(error: unknown): unknown {
  if (!(error instanceof SQLiteError) || !PASSING.test(error.code ?? "")) return error;
  return unavailable("The store cannot be reached right now. Try again.", RETRY_AFTER_SECONDS, error);
}
