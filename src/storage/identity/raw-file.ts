import { closeSync, existsSync, lstatSync, openSync, readSync, statSync } from "node:fs";
import { basename } from "node:path";
import { isWritable } from "../../platform/disk.ts";
import { DATABASE_NAMES, type DatabaseName } from "../store-files.ts";

// This code reads database files without SQLite, because SQLite replays or removes a log as soon as it opens a file. A process must
// do this before it opens any SQLite connection to the file: closing a file descriptor releases all locks that the process has on
// that file (POSIX, fcntl).

export interface Fault {
  /**
   * The kind of fault: the file itself is unusable (`file`), only its log is unusable (`log`), or the file is older or newer than
   * the list in the accounts database says. An `avoidable` fault can be repaired without losing data.
   */
  readonly kind: "file" | "log" | "older" | "newer" | "avoidable";
  /** A sentence that describes the fault. It begins with the file's path, and has no final period. */
  readonly message: string;
}

/**
 * The application ids of the databases, "PetA" and so on. This field of the SQLite header identifies the program that a file
 * belongs to.
 */
export const APPLICATION_IDS: Readonly<Record<DatabaseName, number>> = {
  accounts: 0x50657441,
  production: 0x50657450,
  staging: 0x50657453,
  messages: 0x5065744d,
};

/**
 * Looks for faults in the bytes of a database file and its log, before SQLite opens and changes them. Returns undefined if there
 * are none.
 */
export function findFault(name: DatabaseName, file: string): Fault | undefined {
  const fault = (what: string, kind: Fault["kind"] = "file"): Fault => ({ kind, message: `${file} ${what}` });
  const [log, id] = [`${file}-wal`, APPLICATION_IDS[name]];
  const misplaced = [file, log].find(isNoFile);
  if (misplaced !== undefined)
    return fault(
      `cannot be used: ${basename(misplaced)} is not a file but a folder, a link or a device; put the file itself there`,
      "avoidable",
    );
  if (bytesOf(file) === 0) return fault(`${absence(file)}, but its log file exists`);
  if (!isWritable(file))
    return fault(
      "cannot be used: it cannot be opened for writing; check the permissions of the file and its folder",
      "avoidable",
    );
  const page = readPageOne(file);
  if (page === undefined) return fault("cannot be used: it is not a petstore database");
  if (![0, id].includes(page.applicationId)) return fault(ownerOf(page));
  const pagesOne = readLog(log, page.pageBytes);
  if (pagesOne === undefined || !isOwn(pagesOne, page, id))
    return fault(`has a log file (${basename(log)}) that belongs to another database`, "log");
  if (!existsSync(log) && expectsLog(`${file}-shm`))
    return fault(`has no log file (${basename(log)}), but the index of this log exists`, "log");
  return undefined;
}

export function isNoFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === false;
}

export function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function ownerOf({ applicationId }: PageOne): string {
  const other = DATABASE_NAMES.find((name) => APPLICATION_IDS[name] === applicationId);
  return other === undefined ? "belongs to another program" : `contains the data of ${other}`;
}

/**
 * True if a write-ahead log belongs to the database file. A log contains copies of the file's first page. They must show the same
 * kind of database (`application_id`), and generations that continue the file's generation, although one may be missing after a
 * crash. Otherwise, the log is outdated or belongs to another store. If the file has no tables, any log is accepted.
 */
function isOwn(pagesOne: readonly PageOne[], page: PageOne, id: number): boolean {
  const [first, last] = [pagesOne[0], pagesOne.at(-1)];
  if (first === undefined || last === undefined) return true;
  if (![first, last].every(({ applicationId }) => applicationId === 0 || applicationId === id)) return false;
  return (
    page.applicationId === 0 ||
    (first.generation <= page.generation + 2 && last.generation >= page.generation)
  );
}

/** Describes a file that is empty or does not exist. */
export function absence(file: string): string {
  return existsSync(file) ? "is empty (0 bytes)" : "is missing";
}

/** The first page of a database (SQLite, "Database File Format" §1.3). */
interface PageOne {
  readonly pageBytes: number;
  /**
   * The `application_id` field, which identifies the file's database. It is 0 if the file has no tables because the process that
   * was creating it died.
   */
  readonly applicationId: number;
  /**
   * The file's generation, in the field `user_version`. It starts at a random number, so that it differs between files, and
   * increases whenever a service records that it has opened or closed the file.
   */
  readonly generation: number;
}

const PAGE_ONE_BYTES = 100;

/** Reads a file's first page. @returns undefined if the file is not a SQLite database */
function readPageOne(file: string): PageOne | undefined {
  return withBytesOf(file, (read) => decodePageOne(read(0, PAGE_ONE_BYTES)));
}

function decodePageOne(page: DataView): PageOne | undefined {
  const text = new TextDecoder("latin1").decode(page).slice(0, 16);
  if (page.byteLength < PAGE_ONE_BYTES || text !== "SQLite format 3\0") return undefined;
  return {
    pageBytes: page.getUint16(16) === 1 ? 65_536 : page.getUint16(16),
    applicationId: page.getInt32(68),
    generation: page.getInt32(60),
  };
}

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The number at the beginning of every write-ahead log. Its last bit gives the byte order of the checksums. */
const MAGIC = 0x377f0682;

/**
 * Reads all copies of the database's first page in a log. Like SQLite, it stops at the first invalid frame ("WAL-mode File Format"
 * §1).
 *
 * @returns undefined if the file is not the log of a database with this page size
 */
function readLog(file: string, pageBytes: number): readonly PageOne[] | undefined {
  const pagesOne: PageOne[] = [];
  if (!existsSync(file)) return pagesOne;
  return withBytesOf(file, (read) => {
    const header = read(0, LOG_HEADER_BYTES);
    // The log is empty, or contains only zeros because the power failed while it was being created.
    if (isBlank(header)) return pagesOne;
    const magic = header.byteLength === LOG_HEADER_BYTES ? header.getUint32(0) : 0;
    if ((magic & ~1) >>> 0 !== MAGIC || header.getUint32(8) !== pageBytes) return undefined;
    const continues = createChecksum(magic === MAGIC);
    if (!continues(header, [[0, 24]], 24)) return undefined;
    const frameBytes = FRAME_HEADER_BYTES + pageBytes;
    const parts = [[0, 8] as const, [FRAME_HEADER_BYTES, frameBytes] as const];
    for (let at = LOG_HEADER_BYTES; ; at += frameBytes) {
      const frame = read(at, frameBytes);
      const isOwn = frame.byteLength === frameBytes && frame.getBigUint64(8) === header.getBigUint64(16);
      if (!isOwn || !continues(frame, parts, 16)) return pagesOne;
      const isPageOne = frame.getUint32(0) === 1;
      const page = isPageOne && decodePageOne(new DataView(frame.buffer, FRAME_HEADER_BYTES));
      if (page) pagesOne.push(page);
    }
  });
}

const INDEX_BYTES = 100;

/**
 * True if a WAL index file (-shm) lists frames of the log that were not yet copied to the database file ("WAL-mode File Format"
 * §2.1).
 */
function expectsLog(index: string): boolean {
  if (!existsSync(index)) return false;
  const view = withBytesOf(index, (read) => read(0, INDEX_BYTES));
  // The WAL index file uses the byte order of the machine. Bun runs only on little-endian machines.
  const [framesAt, writtenBackAt] = [16, 96];
  return (
    view.byteLength === INDEX_BYTES && view.getUint32(framesAt, true) > view.getUint32(writtenBackAt, true)
  );
}

function isBlank(view: DataView): boolean {
  return new Uint8Array(view.buffer).every((byte) => byte === 0);
}

/**
 * Creates a function that computes a checksum over several calls. Each call adds the given `parts` of `view`, and returns true if
 * the checksum so far equals the one that is stored at offset `at`.
 */
function createChecksum(isLittleEndian: boolean) {
  let [one, two] = [0, 0];
  return (view: DataView, parts: readonly (readonly [number, number])[], at: number) => {
    for (const [from, to] of parts)
      for (let word = from; word < to; word += 8) {
        one = (one + view.getUint32(word, isLittleEndian) + two) >>> 0;
        two = (two + view.getUint32(word + 4, isLittleEndian) + one) >>> 0;
      }
    return view.getUint32(at) === one && view.getUint32(at + 4) === two;
  };
}

/** Reads a number of bytes from a file, starting at an offset. At the end of the file, it returns fewer bytes. */
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
