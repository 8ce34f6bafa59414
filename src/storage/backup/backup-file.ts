import { Database as Connection } from "bun:sqlite";
import { closeSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { withPath } from "../../platform/file-errors.ts";
import type { Maybe } from "../../platform/maybe.ts";
import { createFile } from "../../platform/owned-files.ts";
import { DATABASE_NAMES, type DatabaseName } from "../store-files.ts";
import { refuseOtherSchema } from "./own-schema.ts";

const BACKUP_PIECE_BYTES = 1024 * 1024; // size of the pieces that a database is split into for a backup; each piece is stored in a separate row

/** The `application_id` of a backup file, "PetB". This field of the SQLite header identifies the program that a file belongs to. */
const APPLICATION_ID = 0x50657442;
const FORMAT = 1;

export interface BackupEntry {
  readonly name: DatabaseName;
  readonly bytes: number;
  readonly sha256: string;
}

export interface BackupOrigin {
  readonly program: string;
  /** The time when the backup started, in milliseconds since 1970. */
  readonly startedAt: number;
}

/** Called with the number of bytes processed so far. Processing continues when the callback has resolved. */
type OnBytes = (done: number) => Maybe<void>;

export interface Backup {
  readonly origin: BackupOrigin;
  readonly entries: readonly BackupEntry[];
  /** Extracts a database from the backup into an empty file. @throws Error if its checksum differs from the recorded checksum */
  extract(entry: BackupEntry, to: string, onBytes: OnBytes): Promise<void>;
  /** Compares a database in the backup with its recorded checksum. @throws Error if they differ */
  verify(entry: BackupEntry, onBytes: OnBytes): Promise<void>;
  close(): void;
}

const SCHEMA = `
  CREATE TABLE origin (format INTEGER NOT NULL, program TEXT NOT NULL, started_at INTEGER NOT NULL) STRICT;
  CREATE TABLE entry (name TEXT PRIMARY KEY, bytes INTEGER NOT NULL, sha256 TEXT NOT NULL) STRICT;
  CREATE TABLE piece (
    name TEXT NOT NULL, number INTEGER NOT NULL, bytes BLOB NOT NULL, UNIQUE (name, number)
  ) STRICT;
`;

/** Creates an empty backup: a SQLite file that will contain the databases in pieces, and a checksum for each database. */
export function createBackupFile(path: string, { program, startedAt }: BackupOrigin) {
  createFile(path);
  const connection = new Connection(path, { create: false, readwrite: true });
  try {
    // The backup's file needs no journal, because nobody reads it before it is complete and flushed.
    connection.run("PRAGMA journal_mode = OFF");
    connection.run("PRAGMA synchronous = OFF");
    connection.run("PRAGMA page_size = 65536");
    connection.run(`PRAGMA application_id = ${APPLICATION_ID}`);
    connection.run(SCHEMA);
    connection.run("INSERT INTO origin VALUES (?, ?, ?)", [FORMAT, program, startedAt]);
  } catch (error) {
    // The connection to the backup's file is closed before the file is removed. On a network file system, removing an open file
    // only renames it, so its folder could not be removed.
    connection.close();
    throw error;
  }
  const insertPiece = connection.query("INSERT INTO piece VALUES (?, ?, ?)");
  return {
    async add(name: DatabaseName, file: string, onBytes: OnBytes): Promise<BackupEntry> {
      const hash = new Bun.CryptoHasher("sha256");
      let bytes = 0;
      let number = 0;
      for (const piece of piecesOf(file)) {
        insertPiece.run(name, number++, piece);
        hash.update(piece);
        bytes += piece.length;
        await onBytes(bytes);
      }
      const sha256 = hash.digest("hex");
      connection.run("INSERT INTO entry VALUES (?, ?, ?)", [name, bytes, sha256]);
      return { name, bytes, sha256 };
    },
    close: () => connection.close(),
  };
}

function* piecesOf(file: string): Generator<Uint8Array> {
  const descriptor = openSync(file, "r");
  const buffer = new Uint8Array(BACKUP_PIECE_BYTES);
  try {
    for (;;) {
      const length = readSync(descriptor, buffer);
      if (length === 0) return;
      yield buffer.subarray(0, length);
    }
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Opens a backup, and reads its origin and its list of databases. The file may be a forgery, so nothing in it is trusted.
 *
 * @throws Error for the operator if the file is not a backup that this program can read; the message may quote text from the file
 */
export function openBackupFile(path: string): Backup {
  const connection = new Connection(path, { readonly: true });
  try {
    connection.run("PRAGMA trusted_schema = OFF");
    const origin = readOrigin(connection, path);
    const entries = readEntries(connection, path);
    return {
      origin,
      entries,
      extract: (entry, to, onBytes) => extract(connection, entry, path, { to, onBytes }),
      verify: (entry, onBytes) => readPieces(connection, entry, path, (_piece, done) => onBytes(done)),
      close: () => connection.close(),
    };
  } catch (error) {
    connection.close();
    throw error;
  }
}

function readOrigin(connection: Connection, path: string): BackupOrigin {
  const mark = connection.query<{ application_id: number }, []>("PRAGMA application_id").get();
  if (mark?.application_id !== APPLICATION_ID)
    throw new Error(`${path} is not a petstore backup. Choose another file.`);
  refuseOtherSchema(connection, SCHEMA, path);
  const origin = connection
    .query<BackupOrigin & { format: number }, []>(
      "SELECT format, program, started_at AS startedAt FROM origin",
    )
    .get();
  if (origin === null) throw new Error(`${path} is an unfinished backup. Choose another backup.`);
  if (origin.format > FORMAT)
    throw new Error(
      `${path} was written by petstore ${origin.program}. Restore this backup with that version or a later version.`,
    );
  return origin;
}

/**
 * Reads a backup's list of databases.
 *
 * @throws Error if an entry is invalid. Names are checked because they become the names of files
 */
function readEntries(connection: Connection, path: string): readonly BackupEntry[] {
  const entries = connection
    .query<BackupEntry, []>("SELECT name, bytes, sha256 FROM entry ORDER BY name")
    .all();
  const unknown = entries.find(({ name }) => !DATABASE_NAMES.includes(name));
  if (unknown !== undefined)
    throw new Error(
      `${path} contains ${JSON.stringify(unknown.name)}, which is not a database of petstore. Choose another backup.`,
    );
  if (entries.length === 0) throw new Error(`${path} is an unfinished backup. Choose another backup.`);
  if (!entries.some(({ name }) => name === "accounts"))
    throw new Error(`${path} does not contain the accounts. Choose another backup.`);
  const most = statSync(path).size;
  const isWhole = ({ bytes, sha256 }: BackupEntry) =>
    Number.isSafeInteger(bytes) && bytes >= 0 && bytes <= most && /^[0-9a-f]{64}$/.test(sha256);
  if (!entries.every(isWhole)) throw new Error(`${path} is damaged. Choose another backup.`);
  return entries;
}

async function extract(
  connection: Connection,
  entry: BackupEntry,
  path: string,
  { to, onBytes }: { readonly to: string; readonly onBytes: OnBytes },
) {
  const descriptor = openSync(to, "r+");
  try {
    await readPieces(connection, entry, path, (piece, done) => {
      for (let written = 0; written < piece.length; )
        written += withPath(to, () => writeSync(descriptor, piece, written));
      return onBytes(done);
    });
  } finally {
    closeSync(descriptor);
  }
}

/** Reads a database's pieces. It stops after the recorded number of bytes, so that a forged backup cannot fill the disk. */
async function readPieces(
  connection: Connection,
  { name, bytes, sha256 }: BackupEntry,
  path: string,
  onPiece: (piece: Uint8Array, done: number) => Maybe<void>,
) {
  const select = connection.query<{ piece: Uint8Array }, [string]>(
    "SELECT bytes AS piece FROM piece WHERE name = ? ORDER BY number",
  );
  const hash = new Bun.CryptoHasher("sha256");
  let done = 0;
  for (const { piece } of select.iterate(name)) {
    done += piece.length;
    if (done > bytes) break;
    hash.update(piece);
    await onPiece(piece, done);
  }
  if (done !== bytes || hash.digest("hex") !== sha256)
    throw new Error(`${path} is damaged: the checksum of ${name} does not match. Choose another backup.`);
}
