import { type Database as Connection, SQLiteError } from "bun:sqlite";
import { ServiceError } from "../../errors.ts";
import { tablesFrom } from "../catalogue.ts";
import {
  type Database,
  type OnCommit,
  probe,
  type Query,
  type SingleStatement,
  type WholeTables,
} from "../database.ts";
import { renewIdentity } from "../identity/stamp.ts";
import type { Migration } from "../migrations.ts";
import { type Migrator, migrate } from "../migrations.ts";
import { noRows } from "../statement.ts";
import { forgetLastId, insertLastId, selectColumns, selectLastId } from "./catalogue.ts";
import { createCommitFeed } from "./change-feed.ts";
import { connect, createQuery } from "./connection.ts";
import { openSharedVersion, pragmaDataVersion, withServiceErrors } from "./data-version.ts";
import { reasonOf } from "./errors.ts";
import { watched, watchFile } from "./file-watch.ts";
import { createGroupCommit, type Writer } from "./group-commit.ts";
import { createHealth } from "./health.ts";
import { createReader, type Reader } from "./reader.ts";
import { createWriter } from "./writer.ts";

interface SqliteOptions {
  readonly file: string;
  readonly migrations: readonly Migration[];
  /** Further work of the transaction that migrates the tables. */
  readonly finish?: (query: Query) => Promise<void>;
  readonly onCommit?: OnCommit;
  /** Called after a commit failed on its way to the disk, which closes the database, or with `FileGoneError`. */
  readonly onFatalIoError?: (error: unknown) => void;
}

/**
 * Opens and migrates one embedded database, with one reading and one writing connection. A commit is on disk when it returns
 * (`synchronous=FULL`); readers never wait for the writer (WAL).
 *
 * @throws Error with a text for the operator, if the file was written by a newer program or is unusable
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
  const { file, migrations, finish, onCommit, onFatalIoError } = options;
  const writing = await connect(file);
  try {
    const health = createHealth();
    const writer = createWriter(writing, health.onWriteFailure);
    await migrate(createMigrator(writing, writer), migrations, file, finish);
    // A savepoint that changes more than 64 KiB would write its pages to a temporary file. Migrations sort too much for
    // memory.
    writing.run("PRAGMA temp_store = MEMORY");
    const reading = await connect(file, false);
    const unlessClosed =
      <Inputs extends unknown[], Output>(work: (...inputs: Inputs) => Output) =>
      (...inputs: Inputs): Output => {
        if (writer.closed !== undefined) throw writer.closed;
        return work(...inputs);
      };
    const query: Query = unlessClosed(createQuery(reading, health.onReadFailure));
    const pragmaVersion = pragmaDataVersion(reading);
    // Creates the shared index if it is missing.
    pragmaVersion();
    const shared = openSharedVersion(file);
    const version = shared?.ask ?? pragmaVersion;
    const reader = shared && createReader(reading, query, version, health);
    const read = reader?.read ?? query;
    const watch = watchFile(file, onFatalIoError);
    const committing = watched(reader === undefined ? writer : afterReading(reader, writer), watch);
    const feed = createCommitFeed(committing, { version, onLook: watch.look });
    const commits = createGroupCommit(committing, (work, seconds) => {
      health.onCommit();
      onCommit?.(work, seconds);
    });
    if (onFatalIoError !== undefined)
      writer.onFatalIoError = (error) => {
        feed.close();
        // The last connection to close writes the log back, whose content is unknown; `reading` cannot.
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
      run: (statement, values) => commits.write((query) => query(statement, values), SINGLE),
      subscribe: async (_topic, onChange) => feed.subscribe(onChange),
      wholeTables: createWholeTables(read, commits.write),
      locks: { claim: "", share: "" },
      async close() {
        feed.close();
        await commits.close();
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

const SINGLE: SingleStatement = { isSingle: true };

/** A writer that first ends an open read transaction, which would prevent a commit from writing the log back. */
function afterReading(reader: Reader, writer: Writer): Writer {
  return {
    ...writer,
    begin() {
      reader.end();
      return writer.begin();
    },
  };
}

function createWholeTables(read: Query, write: Database["write"]): WholeTables {
  return {
    tables: async () => tablesFrom(await read(selectColumns, [])),
    async nextId(table) {
      const [last = 0n] = await read(selectLastId, [table]);
      return last + 1n;
    },
    setNextId: (table, next) =>
      write(async (query) => {
        await query(forgetLastId, [table]);
        await query(insertLastId, [table, next - 1n]);
      }),
    empty,
  };
}

const empty: WholeTables["empty"] = async (query, { restarting, continuing, log }, storeId) => {
  await query(renewIdentity, [storeId]);
  for (const table of [...restarting, ...continuing, log])
    await query({ sql: `DELETE FROM ${table}`, decode: noRows }, []);
  for (const table of restarting) await query(forgetLastId, [table]);
  const [last = 0n] = await query(selectLastId, [log]);
  await query(forgetLastId, [log]);
  await query(insertLastId, [log, last + 1n]);
  return last + 1n;
};

/** Creates the journal of migrations. SQLite stores this text, spaces included, in every file: own-schema.ts compares it. */
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
