import type { Database as Connection } from "bun:sqlite";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { unavailable } from "../../errors.ts";
import type { DataVersion } from "../database.ts";
import { asServiceError } from "./errors.ts";

/** Format of the write-ahead log's index since SQLite 3.7.0. */
const FORMAT = 3_007_000;

/** A version of the data that every commit of any process changes. */
interface SharedVersion {
  readonly ask: () => DataVersion;
  /** Releases the log's index. Called after this process has closed its own connections to the file. */
  close(): void;
}

/**
 * Opens a version shared by all processes: every commit increases a counter in the header of the write-ahead log's index before
 * it is acknowledged (SQLite, "WAL-mode File Format" §2.1: `iChange` at byte 8, the checksum of the last frame at byte 24). A
 * call reads 32 bytes.
 *
 * @param file the database's file, which a connection has open and has read from
 * @returns undefined if the index has another format
 */
export function openSharedVersion(file: string): SharedVersion | undefined {
  // On Windows, reading the file may not show what other processes have written through a mapping.
  if (process.platform === "win32") return undefined;
  const header = new BigUint64Array(4);
  const bytes = new Uint8Array(header.buffer);
  const descriptor = openSync(`${file}-shm`, "r");
  const ask = () => {
    const length = readSync(descriptor, bytes, 0, bytes.length, 0);
    if (length < bytes.length) throw unavailable("The index of the store's log is too short. Try again.");
    return (header[1] ?? 0n) ^ (header[3] ?? 0n);
  };
  ask();
  if (new DataView(header.buffer).getUint32(0, true) !== FORMAT) return undefined;
  return { ask, close: () => closeUnlocked(descriptor) };
}

/**
 * Closes a descriptor if its file no longer exists. Otherwise closing it would release all locks of the process on the file
 * (POSIX).
 */
function closeUnlocked(descriptor: number) {
  if (fstatSync(descriptor).nlink === 0) closeSync(descriptor);
}

/** Wraps a function that reads a version, so that it throws `ServiceError` instead of the engine's error. */
export function withServiceErrors(version: () => DataVersion): () => DataVersion {
  return () => {
    try {
      return version();
    } catch (error) {
      throw asServiceError(error);
    }
  };
}

/** Creates a function that reads the data's version by `PRAGMA data_version`, in about 1.6 µs. */
export function pragmaDataVersion(connection: Connection): () => DataVersion {
  const pragma = connection.query<{ data_version: bigint }, []>("PRAGMA data_version");
  return () => pragma.get()?.data_version ?? 0n;
}
