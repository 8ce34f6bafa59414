import { existsSync, mkdirSync } from "node:fs";
import { errorCode } from "../errors.ts";
import { refuseInterruptedRestore } from "./backup/interrupted-restore.ts";
import type { ChangeSource } from "./change-feed.ts";
import type { Database, OnCommit, OnWait } from "./database.ts";
import { acceptLoss, type Loss } from "./identity/accept-loss.ts";
import { readJournal as readFileJournal } from "./identity/examine.ts";
import { type OpenFile, openChecked } from "./identity/open-listed.ts";
import type { JournalEntry } from "./migrations.ts";
import { findMigrations, KIND, type Migration } from "./migrations.ts";
import { createChangeSource } from "./postgres/change-feed.ts";
import { primaryAt } from "./postgres/primary.ts";
import { openSqlite } from "./sqlite/database.ts";
import { DATABASE_NAMES, type DatabaseName, fileOf } from "./store-files.ts";

interface OpenOptions {
  /** Folder of the embedded databases; created if missing, readable by its owner only. */
  readonly dataDir: string;
  /** Address of a PostgreSQL database; if it is given, the data folder is not used. */
  readonly databaseUrl?: string | undefined;
  /** Address of the database server itself, if `databaseUrl` is a pooler's. */
  readonly databaseDirectUrl?: string | undefined;
  readonly databaseReplicas?: readonly string[] | undefined;
  /** Called if the disk's content is unknown after a failed commit, which closes the database, or a file is gone (`FileGoneError`). */
  readonly onFatalIoError?: (error: unknown) => void;
  readonly onCommit?: OnCommit;
  readonly onWait?: OnWait;
  /** Called after each operation that a database server has answered. */
  readonly onAnswer?: () => void;
  /** Source of other processes' changes; left out, each database has its own. Unused by embedded databases. */
  readonly changes?: ChangeSource | undefined;
}

type ServerOptions = Pick<OpenOptions, "databaseUrl" | "databaseDirectUrl">;

export async function openDatabase(name: DatabaseName, options: OpenOptions): Promise<Database> {
  const { dataDir, databaseUrl, databaseDirectUrl, databaseReplicas } = options;
  if (databaseUrl !== undefined) {
    const migrations = migrationsOf(name, options);
    const addresses = { url: databaseUrl, directUrl: databaseDirectUrl, replicaUrls: databaseReplicas };
    const { changes, onCommit, onWait, onAnswer } = options;
    // Not loaded for an embedded store.
    const { openPostgres } = await import("./postgres/database.ts");
    return openPostgres({ ...addresses, schema: name, migrations, changes, onCommit, onWait, onAnswer });
  }
  refuseInterruptedRestore(dataDir);
  makeDataFolder(dataDir);
  return openChecked(name, dataDir, fileOpener(options));
}

export async function migrateAll(options: OpenOptions): Promise<void> {
  for (const name of DATABASE_NAMES) await (await openDatabase(name, options)).close();
}

/** Opens the source of changes for all databases of the process; undefined for embedded ones, which watch their files. */
export function openChanges({ databaseUrl, databaseDirectUrl }: ServerOptions): ChangeSource | undefined {
  return databaseUrl === undefined ? undefined : createChangeSource(databaseUrl, databaseDirectUrl);
}

/** Timeline of the database server that requests use, which a failover raises; 0 for embedded databases. */
export function newestTimeline({ databaseUrl, databaseDirectUrl }: ServerOptions): number {
  return databaseUrl === undefined ? 0 : primaryAt(databaseUrl, databaseDirectUrl).timeline();
}

/**
 * Repairs an embedded store whose files are missing or unfit; returns the losses.
 *
 * @throws Error with a text for the operator, if a remedy without a loss exists
 */
export async function acceptStoreLoss(options: OpenOptions): Promise<readonly Loss[]> {
  const { dataDir, databaseUrl } = options;
  if (databaseUrl !== undefined)
    throw new Error(
      "This store is in PostgreSQL, whose server looks after its files: restore it with pg_restore.",
    );
  if (!existsSync(dataDir)) throw new Error(`There is no store in ${dataDir}.`);
  refuseInterruptedRestore(dataDir);
  const losses = await acceptLoss(dataDir, fileOpener(options));
  if (losses.length === 0) return losses;
  await migrateAll(options);
  return losses;
}

function fileOpener(options: OpenOptions): OpenFile {
  const { dataDir, onCommit, onFatalIoError } = options;
  return (name, finish) =>
    openSqlite({
      file: fileOf(name, dataDir),
      migrations: migrationsOf(name, options),
      finish,
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

function makeDataFolder(dataDir: string) {
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

/** The migrations that this program knows for a database, in order. */
export function migrationsOf(
  name: DatabaseName,
  { databaseUrl }: Pick<OpenOptions, "databaseUrl">,
): readonly Migration[] {
  return findMigrations(databaseUrl === undefined ? "sqlite" : "postgres", KIND[name]);
}

/** Reads the migrations applied to a database; none if it does not exist. Changes nothing. */
export async function readJournal(
  name: DatabaseName,
  { dataDir, databaseUrl, databaseDirectUrl = databaseUrl }: OpenOptions,
): Promise<readonly JournalEntry[]> {
  if (databaseDirectUrl !== undefined) {
    const { readPostgresJournal } = await import("./postgres/migrator.ts");
    return readPostgresJournal(databaseDirectUrl, name);
  }
  const file = fileOf(name, dataDir);
  return existsSync(file) ? readFileJournal(file) : [];
}
