import { type Database as Connection, SQLiteError } from "bun:sqlite";
import { dirname } from "node:path";
import { ServiceError } from "../../errors.ts";
import { type AtomicWrite, type Database, NO_LOCKS, type OnCommit, probe, type Query } from "../database.ts";
import type { Migration } from "../migrations.ts";
import { type Migrator, migrate } from "../migrations.ts";
import { createCommitFeed } from "./change-feed.ts";
import { connect, createQuery } from "./connection.ts";
import { createCounter } from "./count-by.ts";
import { createRowsBy } from "./create-rows.ts";
import { openSharedVersion, pragmaDataVersion, withServiceErrors } from "./data-version.ts";
import { reasonOf } from "./errors.ts";
import { watched, watchFile } from "./file-watch.ts";
import { openWithRoom } from "./full-disk.ts";
import { createGroupCommit, type Writer } from "./group-commit.ts";
import { createHealth, type Health } from "./health.ts";
import { createReader, type Reader } from "./reader.ts";
import { createWholeTables } from "./whole-tables.ts";
import { createWriter, type SqliteWriter } from "./writer.ts";

interface SqliteOptions {
  readonly file: string;
  readonly migrations: readonly Migration[];
  /** Does further work in the transaction that migrates the database's tables. */
  readonly finish?: (query: Query) => Promise<void>;
  /** Called before the first write. If it rejects, the write is refused, and the next write calls it again. */
  readonly beforeFirstWrite?: () => Promise<void>;
  readonly onDiskFull?: (error: Error) => void;
  /** Called after the database was closed properly, if its file is intact and was not moved or replaced. */
  readonly afterClose?: () => Promise<void>;
  readonly onCommit?: OnCommit;
  /**
   * Called with `FileGoneError`, or with the error of a commit that could not be written to disk. In the second case, the database
   * is closed.
   */
  readonly onFatalIoError?: (error: unknown) => void;
}

/**
 * Opens and migrates one embedded database, with one connection for reading and another for writing. When a commit returns, it is
 * on disk (`synchronous=FULL`). Readers never wait for the writer (WAL). If the disk is full, the database can only be read (see
 * full-disk.ts).
 *
 * @throws Error with a message for the operator, if the file was written by a newer program or cannot be used
 */
export async function openSqlite(options: SqliteOptions): Promise<Database> {
  const { file, migrations, onDiskFull } = options;
  try {
    return await openWithRoom({ file, migrations, onDiskFull, openFully: () => openConnections(options) });
  } catch (error) {
    const cause = error instanceof ServiceError ? error.cause : error;
    if (!(cause instanceof SQLiteError)) throw error;
    throw new Error(`${file} cannot be used: ${reasonOf(cause, [dirname(file)])}.`, { cause });
  }
}

async function openConnections(options: SqliteOptions): Promise<Database> {
  const { file, migrations, finish } = options;
  const writing = await connect(file);
  const open = [writing];
  try {
    const health = createHealth();
    const writer = createWriter(writing, health.onWriteFailure);
    await migrate(createMigrator(writing, writer), migrations, file, finish);
    // This setting keeps a savepoint with more than 64 KiB of changes in memory instead of a temporary file. Migrations run
    // without it, because they may sort more data than fits in memory.
    writing.run("PRAGMA temp_store = MEMORY");
    const reading = await connect(file, false);
    open.unshift(reading);
    return createDatabase({ reading, writing, writer, health }, options);
  } catch (error) {
    for (const connection of open) connection.close();
    throw error;
  }
}

interface Connections {
  readonly reading: Connection;
  readonly writing: Connection;
  readonly writer: SqliteWriter;
  readonly health: Health;
}

function createDatabase(
  { reading, writing, writer, health }: Connections,
  { file, beforeFirstWrite, afterClose, onCommit, onFatalIoError }: SqliteOptions,
): Database {
  const unlessClosed = refusedBy(writer);
  const query: Query = unlessClosed(
    createQuery(reading, { onFailure: health.onReadFailure, isReading: true }),
  );
  const pragmaVersion = pragmaDataVersion(reading);
  // If the WAL index file (-shm) does not exist yet, the first read creates it.
  pragmaVersion();
  const shared = openSharedVersion(file);
  const version = shared?.ask ?? pragmaVersion;
  const reader = shared && createReader(reading, query, version, health);
  const read = reader?.read ?? query;
  const counter = createCounter(file);
  const watch = watchFile(file, onFatalIoError);
  const prepared = preparedBy(beforeFirstWrite, writer);
  const committing = watched(reader === undefined ? prepared : afterReading(reader, prepared), watch);
  const feed = createCommitFeed(committing, { version, onLook: watch.look });
  const commits = createGroupCommit(committing, (work, seconds) => {
    health.onCommit();
    onCommit?.(work, seconds);
  });
  if (onFatalIoError !== undefined)
    writer.onFatalIoError = (error) => {
      feed.close();
      // The connection that is closed last copies the log to the database file. After a failed commit, nobody knows what the log
      // contains, so `reading`, which cannot write, is closed last.
      writing.close();
      onFatalIoError(error);
    };
  return {
    read,
    versions: {
      current: unlessClosed(withServiceErrors(version)),
      lifeMs: Number.POSITIVE_INFINITY,
      ...(reader && { readAt: reader.readAt }),
    },
    check: unlessClosed(async () => {
      watch.requireInPlace();
      await read(probe, []);
      await health.check();
    }),
    write: commits.write,
    run: (statement, values) => commits.write((query) => query(statement, values), ATOMIC),
    create: createRowsBy(commits.write, writer),
    subscribe: async (_topic, onChange) => feed.subscribe(onChange),
    wholeTables: createWholeTables(read, commits.write, counter.countBy),
    locks: NO_LOCKS,
    async close() {
      feed.close();
      await commits.close();
      const isSound = writer.closed === undefined && watch.isInPlace();
      counter.close();
      reader?.end();
      reading.close();
      writing.close();
      shared?.close();
      if (isSound) await afterClose?.();
    },
  };
}

const ATOMIC: AtomicWrite = { isAtomic: true };

/** Wraps the functions of a database, so that they throw an error after a failed commit has closed the writer. */
function refusedBy(writer: SqliteWriter) {
  return <Inputs extends unknown[], Output>(work: (...inputs: Inputs) => Output) =>
    (...inputs: Inputs): Output => {
      if (writer.closed !== undefined) throw writer.closed;
      return work(...inputs);
    };
}

/** Wraps a writer so that it runs `prepare` before its first transaction. If `prepare` fails, that counts as a failed commit. */
function preparedBy(prepare: () => Promise<void> = async () => {}, writer: SqliteWriter): Writer {
  let isPrepared = false;
  return {
    ...writer,
    async begin() {
      if (!isPrepared) await prepare().catch(writer.fail);
      isPrepared = true;
      return writer.begin();
    },
  };
}

/**
 * Wraps a writer so that it first ends an open read transaction. Otherwise, the commit could not copy the log to the database file.
 */
function afterReading(reader: Reader, writer: Writer): Writer {
  return {
    ...writer,
    begin() {
      reader.end();
      return writer.begin();
    },
  };
}

/**
 * SQL that creates the journal of migrations. Do not change it, not even its spaces: SQLite stores this exact text in every
 * database file, and own-schema.ts compares the stored text with this one.
 */
export const CREATE_JOURNAL = `CREATE TABLE IF NOT EXISTS migration (
      number INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      oldest_program INTEGER,
      applied_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
    ) STRICT`;

function createMigrator(connection: Connection, { query, begin, commit, rollback }: Writer): Migrator {
  return {
    createJournal: CREATE_JOURNAL,
    query,
    begin,
    commit,
    rollback,
    script: (sql) => void connection.exec(sql),
  };
}
