import { Database as Connection, SQLiteError } from "bun:sqlite";
import { existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { BACKUP_LOCK_WAIT_MS } from "../../limits.ts";
import type { Maybe } from "../../platform/maybe.ts";
import { createFolder } from "../../platform/owned-files.ts";
import { MigrationError } from "../migrations.ts";
import { reasonOf } from "../sqlite/errors.ts";
import { DATABASE_NAMES, type DatabaseName, fileOf } from "../store-files.ts";
import { type BackupEntry, type BackupOrigin, createBackupFile, openBackupFile } from "./backup-file.ts";
import { flushToDisk } from "./flush.ts";
import { refuseInterruptedRestore } from "./interrupted-restore.ts";
import { refuseForeignSchema } from "./own-schema.ts";

/**
 * Called during a backup or restore with the name of the current step, the bytes processed so far, and the total. If the callback
 * throws, the backup or restore stops.
 */
export type OnProgress = (title: string, done: number, total: number) => Maybe<void>;

interface BackupOptions {
  readonly dataDir: string;
  /** The path of the backup to write. The file must not exist yet. */
  readonly file: string;
  /**
   * The folder for intermediate files. It must be on the same disk as the backup, and must not exist yet. By default, it is next to
   * the backup.
   */
  readonly workFolder?: string;
  readonly origin: BackupOrigin;
  readonly onProgress: OnProgress;
}

/**
 * The order in which the databases are copied. `accounts` is last: rows in the other databases refer to its rows, so its copy must
 * not be older than theirs.
 */
const ORDER: readonly DatabaseName[] = [...DATABASE_NAMES.slice(1), DATABASE_NAMES[0]];

/**
 * Writes a whole embedded store into one file while the store is in use. Each copied database shows the state at one moment during
 * this call, so it contains every write that was acknowledged before the call. The moments differ slightly between databases. The
 * backup gets its final name only after it is complete, on disk, and verified.
 *
 * @throws Error with a message for the operator
 */
export async function backUpStore(options: BackupOptions): Promise<readonly BackupEntry[]> {
  const { dataDir, file, workFolder = `${file}.partial` } = options;
  refuseInterruptedRestore(dataDir);
  const names = ORDER.filter((name) => existsSync(fileOf(name, dataDir)));
  if (names.length === 0) throw new Error(`There is no store in ${dataDir}.`);
  refuseToOverwrite(file);
  const folder = claimFolder(workFolder);
  try {
    const made = join(folder, "backup");
    const entries = await fill(made, names, folder, options);
    flushToDisk(made);
    await verifyBackup(made, options.onProgress);
    publish(made, file);
    return entries;
  } catch (error) {
    if (error instanceof SQLiteError)
      throw new Error(`The backup of ${dataDir} failed: ${reasonOf(error, [dataDir, folder])}.`, {
        cause: error,
      });
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Refuses to back up a store on a database server, because the server has its own backup tools. @throws Error */
export function requireEmbedded(databaseUrl: string | undefined): void {
  if (databaseUrl !== undefined)
    throw new Error(
      "The data of this store is in PostgreSQL. Back up PostgreSQL with pg_dump (docs/guides/operate).",
    );
}

function refuseToOverwrite(file: string) {
  if (existsSync(file))
    throw new Error(`${file} already exists. A backup never overwrites a file: choose another name.`);
}

/**
 * Creates the folder for intermediate files. This fails if the folder already exists, which prevents two backups from writing to
 * the same file at the same time.
 */
function claimFolder(folder: string): string {
  if (!existsSync(dirname(folder)))
    throw new Error(
      `There is no folder ${dirname(folder)}. Create it, or choose another place for the backup.`,
    );
  if (createFolder(folder)) return folder;
  throw new Error(
    `${folder} exists: a backup is being written, or was interrupted. If no backup is running, remove that folder and try again.`,
  );
}

async function fill(
  made: string,
  names: readonly DatabaseName[],
  folder: string,
  { dataDir, origin, onProgress }: BackupOptions,
): Promise<readonly BackupEntry[]> {
  const backup = createBackupFile(made, origin);
  const entries: BackupEntry[] = [];
  try {
    for (const name of names) {
      const copy = fileOf(name, folder);
      const source = fileOf(name, dataDir);
      await onProgress(`copying ${name}`, 0, statSync(source).size);
      copyDatabase(name, source, copy);
      const total = statSync(copy).size;
      entries.push(await backup.add(name, copy, (done) => onProgress(`packing ${name}`, done, total)));
      rmSync(copy);
    }
    return entries;
  } finally {
    backup.close();
  }
}

/** Copies a database within one read transaction, which does not block writers. Writes that come later are not in the copy. */
function copyDatabase(name: DatabaseName, source: string, copy: string) {
  const connection = new Connection(source, { create: false, readwrite: true });
  try {
    connection.run(`PRAGMA busy_timeout = ${BACKUP_LOCK_WAIT_MS}`);
    connection.run("VACUUM INTO ?", [copy]);
  } finally {
    connection.close();
  }
  requireSound(copy, `${source} is damaged (run petstore doctor --deep to see what to do); its copy`);
  removeReplicationTables(copy);
  refuseUnrestorable(copy, name, source);
}

/** Drops the tables that Litestream, a replication tool, adds to a database. They are meaningless in a copy. */
function removeReplicationTables(copy: string) {
  const connection = new Connection(copy, { create: false, readwrite: true });
  try {
    for (const table of ["_litestream_seq", "_litestream_lock"])
      connection.run(`DROP TABLE IF EXISTS ${table}`);
  } finally {
    connection.close();
  }
}

function refuseUnrestorable(copy: string, name: DatabaseName, source: string) {
  try {
    refuseForeignSchema(copy, name, source);
  } catch (error) {
    // A `MigrationError` means that a newer petstore has written the database. It is ignored, because the newer petstore can
    // restore the backup.
    if (!(error instanceof MigrationError)) throw error;
  }
}

/** Reads a new backup back, and compares it with its checksums. @throws Error if they differ */
export async function verifyBackup(file: string, onProgress: OnProgress): Promise<void> {
  const backup = openBackupFile(file);
  try {
    for (const entry of backup.entries)
      await backup.verify(entry, (done) => onProgress(`verifying ${entry.name}`, done, entry.bytes));
  } finally {
    backup.close();
  }
}

/**
 * Throws an error if a database file is damaged. The caller must make sure that no other process has the file open. @throws Error
 */
export function requireSound(file: string, title: string): void {
  const connection = new Connection(file, { readonly: true });
  try {
    const faults = connection.query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)").all();
    const orphans = connection.query("PRAGMA foreign_key_check").all();
    const fault = faults[0]?.integrity_check ?? "no answer";
    if (fault !== "ok") throw new Error(`${title} fails its integrity check: ${fault}.`);
    if (orphans.length > 0) throw new Error(`${title} contains references to rows that do not exist.`);
  } finally {
    connection.close();
  }
}

/** Gives a complete backup its final name with a hard link. Unlike a rename, a hard link never replaces an existing file. */
function publish(made: string, file: string) {
  try {
    linkSync(made, file);
  } catch {
    // Renames the file instead, because the file system may not support hard links.
    refuseToOverwrite(file);
    renameSync(made, file);
  }
  flushToDisk(dirname(file));
}
