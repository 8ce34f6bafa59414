import type { Database as Connection } from "bun:sqlite";
import type { DataVersion } from "./database.ts";

/** What the shared index of every write-ahead log begins with. */
const FORMAT = 3_007_000;

/**
 * How to ask what an embedded store's data is at this moment. Every commit, by whichever process, counts up in the header of
 * the write-ahead log's shared index before it is acknowledged (SQLite, "WAL-mode File Format" §2.1: `iChange` at byte 8,
 * the checksum of the last frame at byte 24), and that file is mapped: asking is two reads of memory. Where the file is not
 * what is expected, `PRAGMA data_version` says the same for some microseconds.
 *
 * @param file the database's file, which the connection has open
 */
export function dataVersionOf(connection: Connection, file: string): () => DataVersion {
  const pragma = connection.prepare<{ data_version: bigint }, []>("PRAGMA data_version");
  const asked = () => pragma.get()?.data_version ?? 0n;
  // Has the index made, if it is not there yet.
  asked();
  const bytes = mapped(`${file}-shm`);
  if (bytes === undefined || new DataView(bytes.buffer).getUint32(0, true) !== FORMAT) return asked;
  const words = new BigUint64Array(bytes.buffer, 0, 4);
  return () => (words[1] ?? 0n) ^ (words[3] ?? 0n);
}

function mapped(path: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Bun.mmap(path, { shared: true });
  } catch {
    return undefined;
  }
}
