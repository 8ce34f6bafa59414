import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createFile } from "../platform/owned-files.ts";
import { lockExclusively } from "./exclusive-lock.ts";
import type { DatabaseName } from "./store-files.ts";

// Only one process at a time may run a service from a data folder, and the lock alone makes sure of this. Next to the lock is a
// text file that tells people which process holds the lock; programs do not rely on it.

/** The services that can run from a data folder. Each has the same name as its database. */
type Served = Exclude<DatabaseName, "accounts">;
const SERVED: readonly Served[] = ["production", "staging", "messages"];

/** The process that holds a lock. `port` is undefined while the process is starting or stopping. */
interface Holder {
  readonly pid?: number | undefined;
  readonly port?: number | undefined;
}

export interface ServiceLock extends Disposable {
  /** Writes the service's port into the text file, or removes it from there if `port` is undefined. Never fails. */
  note(port: number | undefined): void;
}

/**
 * Locks one service of a data folder.
 *
 * @returns undefined if another process is running the service
 * @throws SQLiteError if the lock cannot be created
 */
export function lockService(dataDir: string, service: Served): ServiceLock | undefined {
  const lock = lockExclusively(lockFile(dataDir, service));
  if (lock === undefined) return undefined;
  const file = holderFile(dataDir, service);
  const note = (port: number | undefined) =>
    write(file, `process ${process.pid}${port === undefined ? "" : `, port ${port}`}\n`);
  note(undefined);
  return {
    note,
    [Symbol.dispose]() {
      write(file, undefined);
      lock[Symbol.dispose]();
    },
  };
}

export function readHolder(dataDir: string, service: Served): Holder {
  try {
    const text = readFileSync(holderFile(dataDir, service), "utf8");
    const [, pid, port] = /^process (\d+)(?:, port (\d+))?\n$/.exec(text) ?? [];
    return { pid: numberOf(pid), port: numberOf(port) };
  } catch {
    return {};
  }
}

function numberOf(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits);
}

/** Describes, in one line for people, which processes run these services. @param remedy what to do after stopping the processes */
export function describeHolders(dataDir: string, services: readonly Served[], remedy: string): string {
  const holders = services.map((service) => ({ service, ...readHolder(dataDir, service) }));
  const processes = [...new Set(holders.map(({ pid }) => pid))].map((pid) => {
    const own = holders.filter((holder) => holder.pid === pid);
    const who = pid === undefined ? "Another process" : `Process ${pid}`;
    const which = own.map(inWords).join(", ");
    return own.some(({ port }) => port !== undefined)
      ? `${who} already runs ${which} with the data in ${dataDir}.`
      : `${who} is starting, stopping or restoring ${which} in ${dataDir}.`;
  });
  return `${processes.join(" ")} Stop ${processes.length === 1 ? "it" : "them"} first${remedy}.`;
}

function inWords({ service, port }: Holder & { readonly service: Served }): string {
  return port === undefined ? service : `${service} (port ${port})`;
}

/** Returns which of these services are currently running from a data folder. */
export function servedFrom(dataDir: string, services: readonly Served[] = SERVED): readonly Served[] {
  return services.filter((service) => {
    const file = lockFile(dataDir, service);
    if (!existsSync(file)) return false;
    try {
      const lock = lockExclusively(file);
      lock?.[Symbol.dispose]();
      return lock === undefined;
    } catch {
      return false;
    }
  });
}

/**
 * True if this folder's file system can lock files. On some file systems, every attempt fails as if another process held the lock.
 */
export function canLock(dataDir: string): boolean {
  const file = join(dataDir, `serving-${process.pid}.lock`);
  try {
    using lock = lockExclusively(file);
    return lock !== undefined;
  } catch {
    return false;
  } finally {
    rmSync(file, { force: true });
  }
}

/**
 * Locks all services of a data folder, so that none of them can run while the files are being replaced. A service that has never
 * run from this folder has no lock file, and is skipped. A lock file that cannot be locked for any
 * other reason than a running service is skipped as well.
 *
 * @throws Error with one line for the operator, if a service is running
 */
export function lockStore(dataDir: string): Disposable {
  using locks = new DisposableStack();
  for (const service of SERVED.filter((one) => existsSync(lockFile(dataDir, one)))) {
    const lock = lockIfPossible(dataDir, service);
    if (lock !== "held") locks.use(lock);
    else {
      locks.dispose();
      throw new Error(describeHolders(dataDir, servedFrom(dataDir), "; nothing was changed"));
    }
  }
  return locks.move();
}

function lockIfPossible(dataDir: string, service: Served): ServiceLock | "held" | undefined {
  try {
    return lockService(dataDir, service) ?? (canLock(dataDir) ? "held" : undefined);
  } catch {
    return undefined;
  }
}

function lockFile(dataDir: string, service: Served): string {
  return join(dataDir, `serving-${service}.lock`);
}

function holderFile(dataDir: string, service: Served): string {
  return join(dataDir, `serving-${service}.txt`);
}

/**
 * Replaces a file, or removes it if `text` is undefined. If the disk is full, the old file is removed, but no new file is written.
 */
function write(file: string, text: string | undefined): void {
  try {
    rmSync(file, { force: true });
    // Removing the old file first prevents following a symbolic link with this name.
    if (text === undefined) return;
    createFile(file, { text });
  } catch {
    // The text file is only for people, so a failure to write it is ignored.
  }
}
