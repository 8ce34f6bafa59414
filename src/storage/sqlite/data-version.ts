import type { Database as Connection } from "bun:sqlite";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { unavailable } from "../../errors.ts";
import type { DataVersion } from "../database.ts";
import { asServiceError } from "./errors.ts";

/** The version number of the format of SQLite's WAL index file (-shm). It has not changed since SQLite 3.7.0. */
const FORMAT = 3_007_000;

/** A version of the data that changes with every commit by any process. */
interface SharedVersion {
  readonly ask: () => DataVersion;
  /** Closes the WAL index file (-shm). Call this only after this process has closed its connections to the database. */
  close(): void;
}

/**
 * Opens a version of the data that is the same for all processes. For each commit, SQLite increases a counter in the index of its
 * write-ahead log before it acknowledges the commit (SQLite, "WAL-mode File Format" §2.1: `iChange` at byte 8, the checksum of the
 * last frame at byte 24). To get the version, only 32 bytes of the index are read.
 *
 * @param file the database file; an open connection must already have read from it
 * @returns undefined if the index has a different format
 */
export function openSharedVersion(file: string): SharedVersion | undefined {
  // On Windows, reading the file may not show the changes that other processes have made through mapped memory.
  if (process.platform === "win32") return undefined;
  const header = new BigUint64Array(4);
  const bytes = new Uint8Array(header.buffer);
  const descriptor = openSync(`${file}-shm`, "r");
  const ask = () => {
    const length = readSync(descriptor, bytes, 0, bytes.length, 0);
    if (length < bytes.length)
      throw unavailable("The index of the database's log file is incomplete. Try again.");
    return (header[1] ?? 0n) ^ (header[3] ?? 0n);
  };
  ask();
  if (new DataView(header.buffer).getUint32(0, true) !== FORMAT) return undefined;
  return { ask, close: () => closeUnlocked(descriptor) };
}

/**
 * Closes a file descriptor if its file no longer exists. If the file exists, the descriptor stays open, because closing it would
 * release all locks that this process has on the file (POSIX).
 */
function closeUnlocked(descriptor: number) {
  if (fstatSync(descriptor).nlink === 0) closeSync(descriptor);
}

/** Wraps a function that reads a version, so that it throws `ServiceError` instead of SQLite's errors. */
export function withServiceErrors(version: () => DataVersion): () => DataVersion {
  return () => {
    try {
      return version();
    } catch (error) {
      throw asServiceError(error);
    }
  };
}

/** Creates a function that reads the version of the data with `PRAGMA data_version`, which takes about 1.6 µs. */
export function pragmaDataVersion(connection: Connection): () => DataVersion {
  const pragma = connection.query<{ data_version: bigint }, []>("PRAGMA data_version");
  return () => pragma.get()?.data_version ?? 0n;
}
