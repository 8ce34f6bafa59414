import { closeSync, existsSync, openSync, readSync } from "node:fs";
import type { DatabaseName } from "../store-files.ts";

// SQLite replays or removes a log as soon as it opens a file, so these bytes are read without it. Closing a descriptor would end
// the locks of this process's own connections (POSIX, fcntl): it has none yet.

/** "PetA" and so on in the SQLite header field that identifies a file's program. */
export const APPLICATION_IDS: Readonly<Record<DatabaseName, number>> = {
  accounts: 0x50657441,
  production: 0x50657450,
  staging: 0x50657453,
  messages: 0x5065744d,
};

/** The first page of a database (SQLite, "Database File Format" §1.3). */
export interface PageOne {
  readonly pageBytes: number;
  /** The size of the database; 0 where an older SQLite has left it out. */
  readonly pages: number;
  /** 0 in a file without tables: its process died while it made the file. */
  readonly applicationId: number;
  /** `user_version`: counts starts and ends from a random number on, which differs from those of other files. */
  readonly generation: number;
}

const PAGE_ONE_BYTES = 100;

/** @returns undefined when this is no SQLite database */
export function readPageOne(file: string): PageOne | undefined {
  return withBytesOf(file, (read) => decodePageOne(read(0, PAGE_ONE_BYTES)));
}

function decodePageOne(page: DataView): PageOne | undefined {
  const text = new TextDecoder("latin1").decode(page).slice(0, 16);
  if (page.byteLength < PAGE_ONE_BYTES || text !== "SQLite format 3\0") return undefined;
  return {
    pageBytes: page.getUint16(16) === 1 ? 65_536 : page.getUint16(16),
    pages: page.getUint32(24) === page.getUint32(92) ? page.getUint32(28) : 0,
    applicationId: page.getInt32(68),
    generation: page.getInt32(60),
  };
}

/** The pages in a write-ahead log. */
export interface Log {
  readonly written: ReadonlySet<number>;
  /** The size of the database after its last commit, in pages; 0 when there is none. */
  readonly pages: number;
  /** Each copy of the first page. */
  readonly pagesOne: readonly PageOne[];
}

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The last bit says the byte order of the checksum. */
const MAGIC = 0x377f0682;

/**
 * Reads the frames of a log, from its beginning to the first that SQLite would leave out ("WAL-mode File Format" §1), and those
 * of a last commit that a power loss cut off.
 *
 * @returns undefined when it is no log of a database with pages of this size
 */
export function readLog(file: string, pageBytes: number): Log | undefined {
  if (!existsSync(file)) return { written: new Set(), pages: 0, pagesOne: [] };
  return withBytesOf(file, (read) => {
    const log = { written: new Set<number>(), pages: 0, pagesOne: [] as PageOne[] };
    const header = read(0, LOG_HEADER_BYTES);
    // Empty, or left so by a power loss as it was begun.
    if (isBlank(header)) return log;
    const magic = header.byteLength === LOG_HEADER_BYTES ? header.getUint32(0) : 0;
    if ((magic & ~1) >>> 0 !== MAGIC || header.getUint32(8) !== pageBytes) return undefined;
    const continues = createChecksum(magic === MAGIC);
    if (!continues(header, [[0, 24]], 24)) return undefined;
    const frameBytes = FRAME_HEADER_BYTES + pageBytes;
    for (let at = LOG_HEADER_BYTES; ; at += frameBytes) {
      const frame = read(at, frameBytes);
      const isOwn = frame.byteLength === frameBytes && frame.getBigUint64(8) === header.getBigUint64(16);
      if (
        !isOwn ||
        !continues(
          frame,
          [
            [0, 8],
            [FRAME_HEADER_BYTES, frameBytes],
          ],
          16,
        )
      )
        return log;
      const number = frame.getUint32(0);
      log.written.add(number);
      log.pages = frame.getUint32(4) || log.pages;
      const pageOne =
        number === 1 ? decodePageOne(new DataView(frame.buffer, FRAME_HEADER_BYTES)) : undefined;
      if (pageOne !== undefined) log.pagesOne.push(pageOne);
    }
  });
}

function isBlank(view: DataView): boolean {
  return new Uint8Array(view.buffer).every((byte) => byte === 0);
}

/** Adds parts of a view to the sum of all before; whether the two words at `at` are the sum then. */
function createChecksum(isLittleEndian: boolean) {
  let [one, two] = [0, 0];
  return (view: DataView, parts: readonly (readonly [number, number])[], at: number): boolean => {
    for (const [from, to] of parts)
      for (let word = from; word < to; word += 8) {
        one = (one + view.getUint32(word, isLittleEndian) + two) >>> 0;
        two = (two + view.getUint32(word + 4, isLittleEndian) + one) >>> 0;
      }
    return view.getUint32(at) === one && view.getUint32(at + 4) === two;
  };
}

/** Yields fewer bytes at the file's end. */
type Read = (from: number, bytes: number) => DataView<ArrayBuffer>;

function withBytesOf<Result>(file: string, work: (read: Read) => Result): Result {
  const descriptor = openSync(file, "r");
  try {
    return work((from, bytes) => {
      const buffer = new ArrayBuffer(bytes);
      return new DataView(buffer, 0, readSync(descriptor, new Uint8Array(buffer), 0, bytes, from));
    });
  } finally {
    closeSync(descriptor);
  }
}
