import { exists } from "../platform/file-errors.ts";
import type { ChangeFeed } from "./change-feed.ts";
import type { Database, OnWait } from "./database.ts";
import type { Loss } from "./identity/accept-loss.ts";
import { readJournal as readFileJournal, readRows as readFileRows } from "./identity/examine.ts";
import { type FolderOptions, openStoreFolder } from "./identity/store-folder.ts";
import type { JournalEntry } from "./migrations.ts";
import { findMigrations, KIND, type Migration } from "./migrations.ts";
import { createChangeFeed } from "./postgres/change-feed.ts";
import { type Connections, createConnections } from "./postgres/connections.ts";
import { primaryAt } from "./postgres/primary.ts";
import type { Statement, Values } from "./statement.ts";
import { DATABASE_NAMES, type DatabaseName, fileOf } from "./store-files.ts";

export type { Connections };

interface OpenOptions extends FolderOptions {
  /** Address of a PostgreSQL database; if it is given, the data folder is not used. */
  readonly databaseUrl?: string | undefined;
  /** Address of the database server itself, if `databaseUrl` is the address of a pooler. */
  readonly databaseDirectUrl?: string | undefined;
  readonly databaseReplicas?: readonly string[] | undefined;
  /** Prefix of the names of the databases, which are schemas on a server. */
  readonly databaseSchemaPrefix?: string | undefined;
  readonly onWait?: OnWait;
  /** Called after each operation that a database server has answered. */
  readonly onAnswer?: () => void;
  /** Feed of other processes' changes. If it is left out, each database has its own. Embedded databases do not use it. */
  readonly changes?: ChangeFeed | undefined;
  /** Maximum number of connections of the process to a database server. */
  readonly databaseConnections?: number | undefined;
  /** Connections to the database server. If left out, each database has its own. */
  readonly connections?: Connections | undefined;
}

type ServerOptions = Pick<OpenOptions, "databaseUrl" | "databaseDirectUrl" | "databaseSchemaPrefix">;

export async function openDatabase(name: DatabaseName, options: OpenOptions): Promise<Database> {
  const { databaseUrl, databaseDirectUrl, databaseReplicas } = options;
  if (databaseUrl === undefined) return openStoreFolder(options).open(name);
  const migrations = migrationsOf(name, options);
  const addresses = { url: databaseUrl, directUrl: databaseDirectUrl, replicaUrls: databaseReplicas };
  const { changes, connections, databaseConnections: most, onCommit, onWait, onAnswer } = options;
  // Imported here, so that an embedded store does not load it.
  const { openPostgres } = await import("./postgres/database.ts");
  return openPostgres({
    ...{ ...addresses, name, prefix: options.databaseSchemaPrefix, migrations, changes, connections, most },
    ...{ onCommit, onWait, onAnswer },
  });
}

export async function migrateAll(options: OpenOptions): Promise<void> {
  for (const name of DATABASE_NAMES) await (await openDatabase(name, options)).close();
}

/** Opens the connections for all databases of the process; undefined for embedded databases. */
export function openConnections(options: OpenOptions): Connections | undefined {
  const {
    databaseUrl: url,
    databaseDirectUrl: direct = url,
    databaseReplicas,
    databaseConnections,
  } = options;
  if (url === undefined || direct === undefined) return undefined;
  return createConnections({ url, direct, standbyUrls: databaseReplicas, most: databaseConnections });
}

/** Opens the change feed for all databases of the process. Undefined for embedded databases, which watch their files. */
export function openChangeFeed(options: ServerOptions): ChangeFeed | undefined {
  const { databaseUrl, databaseDirectUrl, databaseSchemaPrefix } = options;
  if (databaseUrl === undefined) return undefined;
  return createChangeFeed(databaseUrl, databaseDirectUrl, databaseSchemaPrefix);
}

/** Timeline of the database server that handles requests; a failover raises it. 0 for embedded databases. */
export function newestTimeline({ databaseUrl, databaseDirectUrl }: ServerOptions): number {
  return databaseUrl === undefined ? 0 : primaryAt(databaseUrl, databaseDirectUrl).timeline();
}

/**
 * Makes a store usable whose files are missing or unusable. An embedded store uses `StoreFolder.acceptLoss`. On a database
 * server, which takes care of its own files, it raises the identifiers, as after a restore.
 *
 * @throws Error for the operator
 */
export async function acceptStoreLoss({
  dataDir,
  databaseUrl,
  databaseDirectUrl = databaseUrl,
  databaseSchemaPrefix,
}: OpenOptions): Promise<readonly Loss[]> {
  if (databaseDirectUrl !== undefined) {
    const { raiseAllIdentifiers } = await import("./postgres/timeline.ts");
    return raiseAllIdentifiers(databaseDirectUrl, DATABASE_NAMES, databaseSchemaPrefix);
  }
  if (!exists(dataDir)) throw new Error(`There is no store in ${dataDir}.`);
  return openStoreFolder({ dataDir }).acceptLoss();
}

/** The migrations that this program knows for a database, in order. */
export function migrationsOf(
  name: DatabaseName,
  { databaseUrl }: Pick<OpenOptions, "databaseUrl">,
): readonly Migration[] {
  return findMigrations(databaseUrl === undefined ? "sqlite" : "postgres", KIND[name]);
}

/** Reads the migrations applied to a database; empty if the database does not exist. Changes nothing. */
export async function readJournal(
  name: DatabaseName,
  { dataDir, databaseUrl, databaseDirectUrl = databaseUrl, databaseSchemaPrefix = "" }: OpenOptions,
): Promise<readonly JournalEntry[]> {
  if (databaseDirectUrl !== undefined) {
    const { readPostgresJournal } = await import("./postgres/migrator.ts");
    return readPostgresJournal(databaseDirectUrl, databaseSchemaPrefix + name);
  }
  const file = fileOf(name, dataDir);
  return exists(file) ? readFileJournal(file) : [];
}

/**
 * Reads rows of a database, which is neither created nor migrated nor otherwise changed.
 *
 * @returns no rows if the database does not exist, or has the tables of another version
 */
export async function readRows<Given extends Values, Result>(
  name: DatabaseName,
  wanted: Statement<Given, Result>,
  values: NoInfer<Given>,
  options: OpenOptions,
): Promise<readonly Result[]> {
  const journal = await readJournal(name, options);
  if (journal.length !== migrationsOf(name, options).length) return [];
  const { dataDir, databaseUrl, databaseDirectUrl = databaseUrl, databaseSchemaPrefix = "" } = options;
  if (databaseDirectUrl === undefined) return readFileRows(fileOf(name, dataDir), wanted, values);
  const { readPostgresRows } = await import("./postgres/migrator.ts");
  return readPostgresRows(databaseDirectUrl, databaseSchemaPrefix + name, wanted, values);
}
