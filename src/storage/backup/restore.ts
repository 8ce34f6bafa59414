import { SQLiteError } from "bun:sqlite";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { examineStore } from "../identity/examine.ts";
import { carryOver } from "../identity/relist.ts";
import { DATABASE_NAMES, fileOf } from "../store-files.ts";
import { type OnProgress, requireSound } from "./backup.ts";
import { type Backup, type BackupEntry, openBackupFile } from "./backup-file.ts";
import { asideName, flushToDisk, moveAside } from "./flush.ts";
import { refuseInterruptedRestore, restoringFolder } from "./interrupted-restore.ts";
import { refuseForeignSchema } from "./own-schema.ts";

interface RestoreOptions {
  readonly dataDir: string;
  readonly databaseUrl?: string | undefined;
  readonly file: string;
  /** True to move an existing store into another folder; false to refuse it. */
  readonly isReplacing?: boolean;
  readonly onProgress: OnProgress;
}

/**
 * Restores a backup's databases into a data folder that has none, or in place of its own. They are unpacked into a separate
 * folder, compared with their checksums and checked, before the first is moved. Identifiers continue above all those known
 * of the replaced databases.
 *
 * @throws Error with a text for the operator, which may quote a forged file; nothing was restored
 */
export async function restoreStore(options: RestoreOptions): Promise<Backup["entries"]> {
  const { dataDir, databaseUrl, file, isReplacing, onProgress } = options;
  if (databaseUrl !== undefined)
    throw new Error("This store is in PostgreSQL: restore it with pg_restore (docs/guides/operate).");
  if (!existsSync(file)) throw new Error(`There is no ${file}.`);
  if (!statSync(file).isFile())
    throw new Error(`${file} is not a file. Name one that petstore backup has written.`);
  refuseInterruptedRestore(dataDir);
  if (!isReplacing) refuseOccupied(dataDir);
  const backup = understood(file, () => openBackupFile(file));
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const folder = restoringFolder(dataDir);
    mkdirSync(folder, { mode: 0o700 });
    try {
      for (const entry of backup.entries) unpack(backup, entry, folder, file, onProgress);
      const names = backup.entries.map(({ name }) => name);
      await carryOver(folder, await examineStore(dataDir));
      for (const name of names) flushToDisk(fileOf(name, folder));
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
    if (isReplacing) moveAside(occupants(dataDir), join(dataDir, asideName("replaced")));
    moveIntoPlace(backup.entries, folder, dataDir);
    return backup.entries;
  } finally {
    backup.close();
  }
}

/** Refuses a folder with a database, or remains that SQLite would take for its own. @throws Error */
function refuseOccupied(dataDir: string) {
  const found = occupants(dataDir).map((path) => basename(path));
  if (found.length === 0) return;
  const isStore = found.some((name) => name.endsWith(".sqlite"));
  throw new Error(
    `${dataDir} ${isStore ? "has a store already" : "holds what another store left behind"} (${found.join(", ")}). ` +
      "Restore into another folder (--data-dir), or stop the service and replace it (--replace): its files are kept in a folder next to it.",
  );
}

function occupants(dataDir: string): readonly string[] {
  if (!existsSync(dataDir)) return [];
  const ours = new RegExp(`^(${DATABASE_NAMES.join("|")})\\.sqlite(-wal|-shm|-journal)?$`);
  return readdirSync(dataDir)
    .filter((name) => ours.test(name))
    .sort()
    .map((name) => join(dataDir, name));
}

function unpack(backup: Backup, entry: BackupEntry, folder: string, file: string, onProgress: OnProgress) {
  const { name, bytes } = entry;
  const to = fileOf(name, folder);
  const title = `${name} in ${file}`;
  understood(file, () => {
    backup.extract(entry, to, (done) => onProgress(`unpacking ${name}`, done, bytes));
    refuseForeignSchema(to, name, title);
    requireSound(to, title);
  });
}

function understood<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error;
    throw new Error(`${file} is not a backup, or is damaged: ${error.message}. Nothing was restored.`, {
      cause: error,
    });
  }
}

/** Moves restored databases into the data folder. Until the folder `restoring` is removed, opening the store is refused. */
function moveIntoPlace(entries: Backup["entries"], folder: string, dataDir: string) {
  for (const { name } of entries) renameSync(fileOf(name, folder), fileOf(name, dataDir));
  flushToDisk(dataDir);
  rmSync(folder, { recursive: true });
  flushToDisk(dataDir);
}
