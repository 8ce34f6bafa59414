import { mkdirSync } from "node:fs";
import { errorCode } from "../errors.ts";
import { refuseInterruptedRestore } from "./backup/interrupted-restore.ts";
import type { Database, OnCommit, OnWait } from "./database.ts";
import type { JournalEntry } from "./migrate.ts";
import { findMigrations, type Migration } from "./migrations.ts";
import { openPostgres } from "./postgres/database.ts";
import { readPostgresJournal, readPostgresTime } from "./postgres/migrator.ts";
import { openSqlite } from "./sqlite/database.ts";
import { readSqliteJournal } from "./sqlite/migrator.ts";
import { type DatabaseName, fileOf } from "./store-files.ts";

/** The folder of the migrations of each. */
const KIND = { accounts: "accounts", production: "store", staging: "store", messages: "messages" } as const;

interface OpenOptions {
  /** The folder of the embedded databases; made when it is missing, readable by its owner alone. */
  readonly dataDir: string;
  /** A PostgreSQL address: then nothing is stored in the folder. */
  readonly databaseUrl?: string | undefined;
  /** Called when a failed commit has left the content of the disk unknown: the process has to end. */
  readonly onFatalIoError?: (error: unknown) => void;
  readonly onCommit?: OnCommit;
  readonly onWait?: OnWait;
}

/** Opens one of the databases and brings its tables up to date. */
export async function openDatabase(name: DatabaseName, options: OpenOptions): Promise<Database> {
  const { dataDir, databaseUrl, onCommit, onWait, onFatalIoError } = options;
  const migrations = migrationsOf(name, options);
  if (databaseUrl !== undefined) {
    const observers = { ...(onCommit && { onCommit }), ...(onWait && { onWait }) };
    return openPostgres({ url: databaseUrl, schema: name, migrations, ...observers });
  }
  refuseInterruptedRestore(dataDir);
  makeDataFolder(dataDir);
  return openSqlite({
    file: fileOf(name, dataDir),
    migrations,
    ...(onCommit && { onCommit }),
    ...(onFatalIoError && { onFatalIoError }),
  });
}

const CREATE_FAILURES: Readonly<Record<string, string>> = {
  EEXIST: "it is a file",
  ENOTDIR: "a part of its path is a file",
  EACCES: "the folder above it is not writable",
  EROFS: "the disk is read-only",
};

function makeDataFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const code = errorCode(error);
    const reason = CREATE_FAILURES[code] ?? code;
    throw new Error(`The data folder ${dataDir} cannot be created: ${reason}. Choose another folder.`, {
      cause: error,
    });
  }
}

/** The migrations that this program knows for one of the databases, in order. */
export function migrationsOf(
  name: DatabaseName,
  { databaseUrl }: Pick<OpenOptions, "databaseUrl">,
): readonly Migration[] {
  return findMigrations(databaseUrl === undefined ? "sqlite" : "postgres", KIND[name]);
}

/** The migrations that one of the databases has had; none when it is not there yet. */
export function readJournal(
  name: DatabaseName,
  { dataDir, databaseUrl }: OpenOptions,
): Promise<readonly JournalEntry[]> {
  return databaseUrl === undefined
    ? readSqliteJournal(fileOf(name, dataDir))
    : readPostgresJournal(databaseUrl, name);
}

/** What a database server's clock says, in milliseconds since 1970. */
export function readServerTime(databaseUrl: string): Promise<number> {
  return readPostgresTime(databaseUrl);
}
