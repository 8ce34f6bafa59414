import { SQLiteError } from "bun:sqlite";
import { existsSync, rmSync, statSync } from "node:fs";
import { basename } from "node:path";
import { createFile, createFolder } from "../../platform/owned-files.ts";
import { examineStore } from "../identity/examine.ts";
import { carryOver } from "../identity/relist.ts";
import { lockStore } from "../service-lock.ts";
import { fileOf } from "../store-files.ts";
import { type OnProgress, requireSound } from "./backup.ts";
import { type Backup, type BackupEntry, openBackupFile } from "./backup-file.ts";
import { flushToDisk } from "./flush.ts";
import { beginReplacing, filesIn, finishReplacing, unpackingFolder } from "./interrupted-restore.ts";
import { refuseForeignSchema } from "./own-schema.ts";

interface RestoreOptions {
  readonly dataDir: string;
  readonly databaseUrl?: string | undefined;
  readonly file: string;
  /**
   * True if an existing store may be replaced; it is then moved to a separate folder. If false, an existing store causes an error.
   */
  readonly isReplacing?: boolean;
  readonly onProgress: OnProgress;
}

/**
 * Restores a backup to an empty data folder, or replaces the databases in a data folder. Before any database is moved into place,
 * all of them are unpacked into a separate folder and checked against their checksums. New identifiers will be higher than every
 * identifier in the replaced databases. During the restore, no service can start from the data folder, and no other restore can
 * run.
 *
 * @throws Error with a message for the operator, which may quote text from a forged file; nothing was restored
 */
export async function restoreStore(options: RestoreOptions): Promise<Backup["entries"]> {
  const { dataDir, databaseUrl, file, isReplacing, onProgress } = options;
  if (databaseUrl !== undefined)
    throw new Error(
      "The data of this store is in PostgreSQL. Restore PostgreSQL with pg_restore (docs/guides/operate).",
    );
  if (!existsSync(file)) throw new Error(`There is no ${file}.`);
  if (!statSync(file).isFile())
    throw new Error(`${file} is not a file. Give the path of a backup file, as created by petstore backup.`);
  using _locks = lockStore(dataDir);
  finishReplacing(dataDir);
  if (!isReplacing) refuseOccupied(dataDir);
  const backup = await understood(file, async () => openBackupFile(file));
  try {
    const folder = unpackingFolder(dataDir);
    rmSync(folder, { recursive: true, force: true });
    // If the folder already exists, it may be a symbolic link that somebody else has created. A process that runs as root would
    // follow the link, so the restore stops.
    if (!createFolder(folder))
      throw new Error(
        `Could not create the folder ${folder}, because another program has just created it. Remove this folder, and run the restore again.`,
      );
    try {
      for (const entry of backup.entries) await unpack(backup, entry, dataDir, file, onProgress);
      await carryOver(folder, await examineStore(dataDir));
      for (const { name } of backup.entries) flushToDisk(fileOf(name, folder));
      await onProgress("replacing the databases", 0, backup.entries.length);
      beginReplacing(dataDir);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      const isOfDisk = error instanceof Error && "syscall" in error;
      throw isOfDisk ? new Error(`${error.message}. Nothing was replaced.`, { cause: error }) : error;
    }
    finishReplacing(dataDir);
    return backup.entries;
  } finally {
    backup.close();
  }
}

/** Throws an error if a folder contains a database, or a file that SQLite would treat as part of a database. @throws Error */
function refuseOccupied(dataDir: string) {
  const found = filesIn(dataDir).map((path) => basename(path));
  if (found.length === 0) return;
  const isStore = found.some((name) => name.endsWith(".sqlite"));
  throw new Error(
    `${dataDir} ${isStore ? "already has a store" : "has files that another store left behind"} (${found.join(", ")}). ` +
      "Restore to another folder (--data-dir), or stop the service and replace the store (--replace): the old files are kept in a folder next to the data folder.",
  );
}

async function unpack(
  backup: Backup,
  entry: BackupEntry,
  dataDir: string,
  file: string,
  onProgress: OnProgress,
) {
  const { name, bytes } = entry;
  const to = fileOf(name, unpackingFolder(dataDir));
  const replaced = fileOf(name, dataDir);
  const title = `${name} in ${file}`;
  createFile(to, { like: existsSync(replaced) ? replaced : dataDir });
  await understood(file, async () => {
    await backup.extract(entry, to, (done) => onProgress(`unpacking ${name}`, done, bytes));
    refuseForeignSchema(to, name, title);
    requireSound(to, title);
  });
}

async function understood<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error;
    throw new Error(`${file} is not a backup, or is damaged: ${error.message}. Nothing was restored.`, {
      cause: error,
    });
  }
}
