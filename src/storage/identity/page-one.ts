import { closeSync, openSync, readSync } from "node:fs";
import type { DatabaseName } from "../store-files.ts";

/** "PetA" and so on in the SQLite header field that identifies a file's program. */
export const APPLICATION_IDS: Readonly<Record<DatabaseName, number>> = {
  accounts: 0x50657441,
  production: 0x50657450,
  staging: 0x50657453,
  messages: 0x5065744d,
};

/** What the first page of a database says of it (SQLite, "Database File Format" §1.3). */
export interface PageOne {
  readonly pageBytes: number;
  /** The size of the database; undefined where an older SQLite has left it out. */
  readonly pages: number | undefined;
  /** 0 in a file that no petstore has marked yet. */
  readonly applicationId: number;
  /** `user_version`: counts the marks of a file from a random number on, so that it fits no other file. */
  readonly mark: number;
}

const HEADER_BYTES = 100;

/** @returns undefined when this is not the first page of a SQLite database */
export function decodePageOne(bytes: Uint8Array): PageOne | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, 16));
  if (text !== "SQLite format 3\0") return undefined;
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  const pageBytes = header.getUint16(16);
  const isCounted = header.getUint32(24) === header.getUint32(92);
  return {
    pageBytes: pageBytes === 1 ? 65_536 : pageBytes,
    pages: isCounted ? header.getUint32(28) : undefined,
    applicationId: header.getInt32(68),
    mark: header.getInt32(60),
  };
}

/** Before this process opens the file: closing a descriptor of it would end SQLite's locks (POSIX, fcntl). */
export function readPageOne(file: string): PageOne | undefined {
  const bytes = new Uint8Array(HEADER_BYTES);
  const descriptor = openSync(file, "r");
  try {
    return readSync(descriptor, bytes) === bytes.length ? decodePageOne(bytes) : undefined;
  } finally {
    closeSync(descriptor);
  }
}
