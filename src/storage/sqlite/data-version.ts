import type { Database as Connection } from "bun:sqlite";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { unavailable } from "../../errors.ts";
import type { DataVersion } from "../database.ts";
import { asServiceError } from "./errors.ts";

/** The write-ahead log's index format that every SQLite since 3.7.0 writes. */
const FORMAT = 3_007_000;

/** Says what an embedded store's data is at this moment. */
interface SharedVersion {
  readonly ask: () => DataVersion;
  /** To be called when this process's own connections to the file are closed. */
  close(): void;
}

/**
 * The version that all processes share: every commit counts up in the header of the write-ahead log's index before it is
 * acknowledged (SQLite, "WAL-mode File Format" §2.1: `iChange` at byte 8, the checksum of the last frame at byte 24). Asking
 * reads 32 bytes of it.
 *
 * @param file the database's file, which a connection has open and has read from
 * @returns undefined where the index is not what is expected
 */
export function openSharedVersion(file: string): SharedVersion | undefined {
  // There a file that is written through a mapping need not read the same.
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
 * Closing any descriptor of a file ends every lock that the process has on it (POSIX, fcntl), and SQLite's locks are on the
 * index: as long as the index is there, some connection may still rely on them.
 */
function closeUnlocked(descriptor: number) {
  if (fstatSync(descriptor).nlink === 0) closeSync(descriptor);
}

/** Wraps a version so that it throws `ServiceError` instead of the engine's error. */
export function withServiceErrors(version: () => DataVersion): () => DataVersion {
  return () => {
    try {
      return version();
    } catch (error) {
      throw asServiceError(error);
    }
  };
}

/** Version by `PRAGMA data_version`, in about 1.6 µs. */
export function pragmaDataVersion(connection: Connection): () => DataVersion {
  const pragma = connection.query<{ data_version: bigint }, []>("PRAGMA data_version");
  return () => pragma.get()?.data_version ?? 0n;
}
