import type { Database as Connection } from "bun:sqlite";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { unavailable } from "../../errors.ts";
import type { DataVersion } from "../database.ts";
import { asServiceError } from "./errors.ts";

/** The format number of the write-ahead log's index, which has not changed since SQLite 3.7.0. */
const FORMAT = 3_007_000;

/** A version of the data that changes with every commit, in any process. */
interface SharedVersion {
  readonly ask: () => DataVersion;
  /** Releases the log's index. It must be called after this process has closed its own connections to the file. */
  close(): void;
}

/**
 * Opens a data version that all processes share. Every commit increases a counter in the header of the write-ahead log's index
 * before the commit is acknowledged (SQLite, "WAL-mode File Format" §2.1: `iChange` at byte 8, the checksum of the last frame at
 * byte 24). Reading the version takes a read of 32 bytes.
 *
 * @param file the database file, which a connection must have open and have read from
 * @returns undefined if the index has another format
 */
export function openSharedVersion(file: string): SharedVersion | undefined {
  // On Windows, reading the file may not show changes that other processes have made through a memory mapping.
  if (process.platform === "win32") return undefined;
  const header = new BigUint64Array(4);
  const bytes = new Uint8Array(header.buffer);
  const descriptor = openSync(`${file}-shm`, "r");
  const ask = () => {
    const length = readSync(descriptor, bytes, 0, bytes.length, 0);
    if (length < bytes.length)
      throw unavailable("The index of the store's log file is too short. Try again.");
    return (header[1] ?? 0n) ^ (header[3] ?? 0n);
  };
  ask();
  if (new DataView(header.buffer).getUint32(0, true) !== FORMAT) return undefined;
  return { ask, close: () => closeUnlocked(descriptor) };
}

/**
 * Closes a descriptor only if its file no longer exists. Otherwise, closing it would release all of the process's locks on the file
 * (POSIX).
 */
function closeUnlocked(descriptor: number) {
  if (fstatSync(descriptor).nlink === 0) closeSync(descriptor);
}

/** Wraps a function that reads a version so that it throws `ServiceError` instead of the engine's error. */
export function withServiceErrors(version: () => DataVersion): () => DataVersion {
  return () => {
    try {
      return version();
    } catch (error) {
      throw asServiceError(error);
    }
  };
}

/** Creates a function that reads the data's version with `PRAGMA data_version`, which takes about 1.6 µs. */
export function pragmaDataVersion(connection: Connection): () => DataVersion {
  const pragma = connection.query<{ data_version: bigint }, []>("PRAGMA data_version");
  return () => pragma.get()?.data_version ?? 0n;
}
