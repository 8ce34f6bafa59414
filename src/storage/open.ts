import { exists } from "../platform/file-errors.ts";
import type { ChangeFeed } from "./change-feed.ts";
import type { Database, OnWait } from "./database.ts";
import type { Loss } from "./identity/accept-loss.ts";
import { readJournal as readFileJournal, readRows as readFileRows } from "./identity/examine.ts";
import { type FolderOptions, openStoreFolder } from "./identity/store-folder.ts";
import { findMigrations, type JournalEntry, KIND, type Migration } from "./migrations.ts";
import { createChangeFeed } from "./postgres/change-feed.ts";
import { type Connections, createConnections } from "./postgres/connections.ts";
import { primaryAt } from "./postgres/primary.ts";
import type { Statement, Values } from "./statement.ts";
import { DATABASE_NAMES, type DatabaseName, fileOf } from "./store-files.ts";

export type { Connections };

interface OpenOptions extends FolderOptions {
  /** The URL of a PostgreSQL database. If present, the data folder is not used. */
  readonly databaseUrl?: string | undefined;
  /** The URL of the database server itself, if `databaseUrl` is the URL of a pooler. */
  readonly databaseDirectUrl?: string | undefined;
  readonly databaseReplicas?: readonly string[] | undefined;
  /** The prefix of the databases' names. On a PostgreSQL server, each database is a schema. */
  readonly databaseSchemaPrefix?: string | undefined;
  readonly onWait?: OnWait;
  /** Called whenever a database server has answered. */
  readonly onAnswer?: () => void;
  /**
   * The feed that announces changes by other processes. If absent, each database creates its own feed. Embedded databases do not
   * use a feed.
   */
  readonly changes?: ChangeFeed | undefined;
  readonly databaseConnections?: number | undefined;
  /** The connections to the database server. If absent, each database opens its own connections. */
  readonly connections?: Connections | undefined;
}

type ServerOptions = Pick<OpenOptions, "databaseUrl" | "databaseDirectUrl" | "databaseSchemaPrefix">;

/** Opens a database. If necessary, creates and migrates it first. */
export async function openDatabase(name: DatabaseName, options: OpenOptions): Promise<Database> {
  const { databaseUrl, changes, connections, onCommit, onWait, onAnswer } = options;
  if (databaseUrl === undefined) return openStoreFolder(options).open(name);
  // Loads the PostgreSQL engine only if the store needs it.
  const { openPostgres } = await import("./postgres/database.ts");
  return openPostgres({
    url: databaseUrl,
    direct: options.databaseDirectUrl,
    standbyUrls: options.databaseReplicas,
    connectionsMax: options.databaseConnections,
    connections,
    name,
    prefix: options.databaseSchemaPrefix,
    migrations: migrationsOf(name, options),
    changes,
    onCommit,
    onWait,
    onAnswer,
  });
}

/** Migrates all databases of a store, by opening each of them. */
export async function migrateAll(options: OpenOptions): Promise<void> {
  for (const name of DATABASE_NAMES) await (await openDatabase(name, options)).close();
}

/** Creates the connections that all databases of this process share. Returns undefined for embedded databases. */
export function openConnections(options: OpenOptions): Connections | undefined {
  const { databaseUrl: url, databaseReplicas: standbyUrls, databaseConnections: connectionsMax } = options;
  if (url === undefined) return undefined;
  const direct = options.databaseDirectUrl ?? url;
  return createConnections({ url, direct, standbyUrls, connectionsMax });
}

/**
 * Creates the change feed that all databases of this process share. Returns undefined for embedded databases, because they watch
 * their files instead.
 */
export function openChangeFeed(options: ServerOptions): ChangeFeed | undefined {
  const { databaseUrl, databaseDirectUrl, databaseSchemaPrefix } = options;
  if (databaseUrl === undefined) return undefined;
  return createChangeFeed(databaseUrl, databaseDirectUrl, databaseSchemaPrefix);
}

/**
 * Returns the newest known timeline of the database server that handles requests. A timeline is a number that increases with each
 * failover. Returns 0 for embedded databases.
 */
export function newestTimeline({ databaseUrl, databaseDirectUrl }: ServerOptions): number {
  return databaseUrl === undefined ? 0 : primaryAt(databaseUrl, databaseDirectUrl).timeline();
}

/**
 * Makes a store usable again after its files were lost or damaged. For an embedded store, this calls `StoreFolder.acceptLoss`. A
 * database server takes care of its own files, so for a store on a server, this only raises the next identifiers, as after a
 * restore.
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

export function migrationsOf(
  name: DatabaseName,
  { databaseUrl }: Pick<OpenOptions, "databaseUrl">,
): readonly Migration[] {
  return findMigrations(databaseUrl === undefined ? "sqlite" : "postgres", KIND[name]);
}

/**
 * Reads which migrations have been applied to a database, without changing anything. The list is empty if the database does not
 * exist.
 */
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
 * Reads rows from a database without creating, migrating or otherwise changing it.
 *
 * @returns no rows if the database does not exist, or if its tables do not match this program
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
