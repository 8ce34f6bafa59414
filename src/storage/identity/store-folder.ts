import { resolve } from "node:path";
import { errorCode, errorMessage } from "../../errors.ts";
import { explainFileError } from "../../platform/file-errors.ts";
import { createFolder } from "../../platform/owned-files.ts";
import { refuseInterruptedRestore } from "../backup/interrupted-restore.ts";
import type { Database, OnCommit, Query } from "../database.ts";
import { findMigrations, KIND } from "../migrations.ts";
import { openSqlite } from "../sqlite/database.ts";
import { DATABASE_NAMES, type DatabaseName, fileOf } from "../store-files.ts";
import type { Loss } from "./accept-loss.ts";
import { examineStore, type Found } from "./examine.ts";
import { record } from "./record.ts";
import { newStoreId, stamp } from "./stamp.ts";
import { askForList, createList, unmade } from "./store-list.ts";

export interface FolderOptions {
  /** The folder of the embedded databases. If it does not exist, it is created, and only its owner can read it. */
  readonly dataDir: string;
  /**
   * Called after a failed commit that leaves the content of the disk unknown; the database is then closed. Also called with
   * `FileGoneError` if a database file was moved, replaced or removed.
   */
  readonly onFatalIoError?: (error: unknown) => void;
  readonly onCommit?: OnCommit;
  /** Called if the disk is full. The database then refuses changes. */
  readonly onDiskFull?: (error: Error) => void;
}

/**
 * The folder of an embedded store. The accounts database records the state of the other files, which makes it possible to notice
 * that a file was replaced.
 */
export interface StoreFolder {
  /** Examines all database files and compares them with each other, without changing anything. */
  examine(): Promise<readonly Found[]>;
  /**
   * Opens a database. All files of the store are checked before any file is changed.
   *
   * @throws Error with one line for the operator, if a file of the store cannot be used
   */
  open(name: DatabaseName): Promise<Database>;
  /**
   * Makes a store usable again if some of its files are missing or cannot be used. Returns the losses, or an empty list if nothing
   * was wrong.
   *
   * @throws Error with a message for the operator, if a fault can be repaired without losing data
   */
  acceptLoss(): Promise<readonly Loss[]>;
}

/**
 * The absolute paths of the database files that this process has open. They must not be examined: an examination closes a file
 * descriptor of the file, and that would release SQLite's locks on it (POSIX, fcntl). All stores in this process use the same list,
 * because these locks belong to the whole process.
 */
const inUse: string[] = [];

export function openStoreFolder(options: FolderOptions): StoreFolder {
  const { dataDir, onCommit, onFatalIoError, onDiskFull } = options;
  const folder = resolve(dataDir);
  const accountsFile = fileOf("accounts", folder);

  async function openFile(name: DatabaseName, stampFile: (query: Query) => Promise<void>) {
    const isListed = name !== "accounts";
    const database = await openSqlite({
      file: fileOf(name, dataDir),
      migrations: findMigrations("sqlite", KIND[name]),
      finish: stampFile,
      ...(onCommit && { onCommit }),
      ...(onFatalIoError && { onFatalIoError }),
      ...(onDiskFull && { onDiskFull }),
      ...(isListed && { beforeFirstWrite: () => record(name, dataDir, "start") }),
      // If the service fails to record that the file was closed, the next start behaves as if the power had been cut.
      ...(isListed && { afterClose: () => record(name, dataDir, "end").catch(() => {}) }),
    });
    const file = fileOf(name, folder);
    inUse.push(file);
    return {
      ...database,
      close: () => database.close().finally(() => inUse.splice(inUse.indexOf(file), 1)),
    };
  }

  const openAccounts = () =>
    openFile("accounts", async (query) => {
      await createList(query);
      await stamp(query, "accounts", async () => newStoreId());
    });

  async function openListed(name: DatabaseName) {
    // A store's accounts database must exist before its other files are created. If this process has it open, it exists.
    if (!inUse.includes(accountsFile) && (await askForList(accountsFile)) === undefined)
      await (await openAccounts()).close();
    return openFile(name, (query) =>
      stamp(query, name, async () => ((await askForList(accountsFile))?.get(name) ?? unmade()).storeId),
    );
  }

  async function open(name: DatabaseName) {
    refuseInterruptedRestore(dataDir);
    makeDataFolder(dataDir);
    if (!DATABASE_NAMES.some((one) => inUse.includes(fileOf(one, folder)))) await refuseUnfit(dataDir);
    return name === "accounts" ? openAccounts() : openListed(name);
  }

  return {
    examine: () => examineStore(dataDir),
    open,
    async acceptLoss() {
      refuseInterruptedRestore(dataDir);
      // This module is loaded only when it is needed, because only one command uses it.
      const { acceptLoss } = await import("./accept-loss.ts");
      const losses = await acceptLoss(dataDir, openAccounts);
      if (losses.length > 0) for (const name of DATABASE_NAMES) await (await open(name)).close();
      return losses;
    },
  };
}

/**
 * Throws an error if one of the store's files cannot be used.
 *
 * @param isCopied true if the store is only read for a copy. Faults that can be repaired without losing data, such as
 * write-protected files, are then accepted
 */
export async function refuseUnfit(dataDir: string, { isCopied = false } = {}): Promise<void> {
  const faults = (await examineStore(dataDir)).flatMap(({ fault }) => fault ?? []);
  const fault = faults.find(({ kind }) => !isCopied || kind !== "avoidable");
  if (fault === undefined) return;
  const advice =
    fault.kind === "avoidable"
      ? "."
      : ". Put the correct database file back, restore a backup (petstore restore FILE --replace), or continue without the lost data: petstore doctor --accept-loss, which lists the lost data.";
  throw new Error(fault.message + advice);
}

function makeDataFolder(dataDir: string) {
  try {
    createFolder(dataDir);
  } catch (error) {
    const explained = explainFileError(error);
    const reason =
      errorCode(error) === "EEXIST" ? "it is a file" : (explained?.reason ?? errorMessage(error));
    const remedy = explained?.remedy || "Choose another folder.";
    throw new Error(`The data folder ${dataDir} cannot be created: ${reason}. ${remedy}`, { cause: error });
  }
}
