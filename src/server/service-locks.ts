import type { Config } from "../config.ts";
import type { ServiceName } from "../context.ts";
import { createFolder } from "../platform/owned-files.ts";
import {
  canLock,
  describeHolders,
  lockService,
  readHolder,
  type ServiceLock,
  servedFrom,
} from "../storage/service-lock.ts";
import type { Logger } from "../telemetry/logger.ts";
import { type Listener, StartError } from "./listener.ts";

const HOLDER_WAIT_MS = 5_000; // longest time to wait for another process that is starting or stopping, before the start of this process is refused
const HOLDER_CHECK_MS = 100; // interval at which this process checks whether the other process has released its lock
const OTHERWISE = ", or choose another folder with --data-dir";

/** The locks on the data folder that this process holds, one for each service. */
export interface ServiceLocks extends Disposable {
  /**
   * Writes the open ports next to the locks, so that other processes can name them in error messages. Call this without ports when
   * the process begins to stop.
   */
  note(listeners: readonly Pick<Listener, "name" | "port">[]): void;
}

type LockOptions = Pick<Config, "dataDir" | "databaseUrl">;

/**
 * Makes sure that no other process runs these services from the same data folder. If another process is just stopping, for example
 * after Ctrl-C, this process waits for it. With a database server, any number of processes can run the services.
 *
 * @throws StartError if another process runs one of the services
 */
export async function lockServices(
  { dataDir, databaseUrl }: LockOptions,
  names: readonly ServiceName[],
  log: Pick<Logger, "warn">,
): Promise<ServiceLocks> {
  const locks = new Map<ServiceName, ServiceLock>();
  const release = () => {
    for (const lock of locks.values()) lock[Symbol.dispose]();
  };
  const deadline = performance.now() + HOLDER_WAIT_MS;
  const isLockable = databaseUrl === undefined && isFolder(dataDir);
  for (let looks = 1; isLockable; looks++) {
    const held = takeLocks(dataDir, names, locks, log);
    if (held === undefined) break;
    const { pid, port } = readHolder(dataDir, held);
    // The first check of the lock never refuses the start. The process that holds the lock may not have written its process
    // number yet, so the file may still contain the number of an earlier process.
    if (looks > 1 && (port !== undefined || performance.now() > deadline)) {
      release();
      const served = [...new Set([held, ...servedFrom(dataDir, names)])];
      throw new StartError(describeHolders(dataDir, served, OTHERWISE));
    }
    if (looks === 2)
      log.warn(
        { service: held, process: pid },
        "another process is still starting or stopping this service; waiting",
      );
    await Bun.sleep(HOLDER_CHECK_MS);
  }
  return {
    note(listeners) {
      for (const [name, lock] of locks) lock.note(listeners.find((one) => one.name === name)?.port);
    },
    [Symbol.dispose]: release,
  };
}

/** Creates the data folder. @returns false if that fails; the reason is reported later, when the databases are opened */
function isFolder(dataDir: string): boolean {
  try {
    createFolder(dataDir);
    return true;
  } catch {
    return false;
  }
}

/**
 * Takes the locks that this process does not hold yet, always in the same order of names. Otherwise, two processes that start at
 * the same time could each hold a lock that the other one needs.
 *
 * @returns the first service whose lock is held by another process
 */
function takeLocks(
  dataDir: string,
  names: readonly ServiceName[],
  locks: Map<ServiceName, ServiceLock>,
  log: Pick<Logger, "warn">,
): ServiceName | undefined {
  try {
    for (const name of names) {
      const lock = locks.get(name) ?? lockService(dataDir, name);
      if (lock !== undefined) locks.set(name, lock);
      else if (canLock(dataDir)) return name;
      else throw new Error(`The file system of ${dataDir} cannot lock files.`);
    }
  } catch (err) {
    // Only logs a warning if a file cannot be locked, because some file systems do not support locks, and a store without other
    // problems must start even there.
    log.warn(
      { err },
      "this data folder could not be locked; make sure that no other process uses the folder",
    );
  }
  return undefined;
}
