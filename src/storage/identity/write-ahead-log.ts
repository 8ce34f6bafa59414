import { closeSync, openSync, readSync, statSync } from "node:fs";
import { decodePageOne, type PageOne } from "./page-one.ts";

/** What the commits in a write-ahead log hold. */
export interface Log {
  /** The pages that they write, by number. */
  readonly written: ReadonlySet<number>;
  /** The size of the database after the last of them, in pages; 0 when there is none. */
  readonly pages: number;
  /** The first page after the first commit that writes it, and after the last. */
  readonly first: PageOne | undefined;
  readonly last: PageOne | undefined;
}

const EMPTY: Log = { written: new Set(), pages: 0, first: undefined, last: undefined };
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The last bit says the byte order of the checksums. */
const MAGIC = 0x377f0682;

/**
 * Reads a database's log as SQLite would at the next start (SQLite, "WAL-mode File Format" §1 and §4): every whole commit, up
 * to the first frame that is not of this log. SQLite has no lock on this file.
 *
 * @returns undefined when it is no log of a database with pages of this size
 */
export function readLog(file: string, pageBytes: number): Log | undefined {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return EMPTY;
  const descriptor = openSync(file, "r");
  try {
    return readFrames(descriptor, pageBytes);
  } finally {
    closeSync(descriptor);
  }
}

function readFrames(descriptor: number, pageBytes: number): Log | undefined {
  const bytes = new Uint8Array(HEADER_BYTES);
  readSync(descriptor, bytes, 0, HEADER_BYTES, 0);
  // What a power loss leaves of a log that was just begun.
  if (bytes.every((byte) => byte === 0)) return EMPTY;
  const header = new DataView(bytes.buffer);
  const magic = header.getUint32(0);
  if ((magic & ~1) >>> 0 !== MAGIC || header.getUint32(8) !== pageBytes) return undefined;
  const sum = createChecksum(magic === MAGIC);
  sum.add(header, 0, 24);
  if (!sum.equals(header, 24)) return undefined;
  return readCommits(descriptor, pageBytes, header, sum);
}

function readCommits(descriptor: number, pageBytes: number, header: DataView, sum: Checksum): Log {
  const bytes = new Uint8Array(FRAME_HEADER_BYTES + pageBytes);
  const frame = new DataView(bytes.buffer);
  const written = new Set<number>();
  let [pages, first, last]: [number, PageOne | undefined, PageOne | undefined] = [0, undefined, undefined];
  let begun: number[] = [];
  let pageOne: PageOne | undefined;
  for (let at = HEADER_BYTES; ; at += bytes.length) {
    if (readSync(descriptor, bytes, 0, bytes.length, at) < bytes.length) break;
    if (frame.getBigUint64(8) !== header.getBigUint64(16)) break;
    sum.add(frame, 0, 8);
    sum.add(frame, FRAME_HEADER_BYTES, pageBytes);
    if (!sum.equals(frame, 16)) break;
    const number = frame.getUint32(0);
    begun.push(number);
    if (number === 1) pageOne = decodePageOne(bytes.subarray(FRAME_HEADER_BYTES));
    if (frame.getUint32(4) === 0) continue;
    pages = frame.getUint32(4);
    for (const page of begun) written.add(page);
    begun = [];
    first ??= pageOne;
    last = pageOne ?? last;
  }
  return { written, pages, first, last };
}

interface Checksum {
  add(view: DataView, from: number, length: number): void;
  /** Whether the two words at this offset are the checksum so far. */
  equals(view: DataView, at: number): boolean;
}

function createChecksum(isLittleEndian: boolean): Checksum {
  let one = 0;
  let two = 0;
  return {
    add(view, from, length) {
      for (let at = from; at < from + length; at += 8) {
        one = (one + view.getUint32(at, isLittleEndian) + two) >>> 0;
        two = (two + view.getUint32(at + 4, isLittleEndian) + one) >>> 0;
      }
    },
    equals: (view, at) => view.getUint32(at) === one && view.getUint32(at + 4) === two,
  };
}
