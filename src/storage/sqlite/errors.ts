import { SQLiteError } from "bun:sqlite";
import { ServiceError, unavailable } from "../../errors.ts";
import { DiskFullError, DuplicateError } from "../database.ts";
import { describeLack, isDiskFull } from "../file-system.ts";

/**
 * Returns the reason for an error of SQLite: advice for the operator if there is any, and otherwise SQLite's message.
 *
 * @param folders the folders that SQLite was working in. If SQLite could not lock or map a file, the file systems of these folders
 * are tested to find the reason
 */
export function reasonOf(error: SQLiteError, folders: readonly string[]): string {
  const { code = "", message } = error;
  const lacking = /^SQLITE_(BUSY|PROTOCOL|IOERR)/.test(code) ? describeLack(folders) : undefined;
  if (lacking !== undefined) return lacking;
  // If the disk has no space for the WAL index file (-shm), SQLite reports an I/O error instead of a full disk.
  const isOfSpace = code.startsWith("SQLITE_IOERR") && folders.some(isDiskFull);
  if (isOfSpace || isFull(error)) return "the disk is full; free some space on the disk, and try again";
  if (code.startsWith("SQLITE_BUSY"))
    return "another program has locked the file; end that program (the command fuser names the program), and try again";
  if (/^SQLITE_(READONLY|CANTOPEN)/.test(code))
    return "it cannot be opened for writing; check the permissions of the file and its folder";
  if (code === "SQLITE_NOTADB") return "it is not a petstore database";
  if (code.startsWith("SQLITE_CORRUPT"))
    return `it is damaged (${message}); restore a backup (petstore restore)`;
  return message;
}

export function diskFull(cause?: unknown): ServiceError {
  return unavailable(
    "The disk of the store is full. Everything can be read, but nothing can be changed until space is freed.",
    cause,
    DiskFullError,
  );
}

/** True if the disk has no space for a page of the database or for the WAL index file (-shm). */
export function isFull(error: unknown): boolean {
  if (error instanceof ServiceError) return error instanceof DiskFullError;
  return error instanceof SQLiteError && /^SQLITE_(FULL|IOERR_SHMSIZE)/.test(error.code ?? "");
}

export function isLocked(error: unknown): boolean {
  return error instanceof SQLiteError && (error.code ?? "").startsWith("SQLITE_BUSY");
}

export function isDiskError(error: unknown): error is SQLiteError {
  return error instanceof SQLiteError && (error.code ?? "").startsWith("SQLITE_IOERR");
}

/** True if the error was caused by a damaged page. After such an error, SQLite refuses to commit the transaction. */
export function isDamage(error: unknown): boolean {
  return error instanceof SQLiteError && (error.code ?? "").startsWith("SQLITE_CORRUPT");
}

/**
 * True if a failed commit leaves the content of the log unknown. The kernel reports a failed sync only once, so trying again
 * would prove nothing. False if the WAL index file (-shm) had no space or a read failed, because SQLite has then rolled the
 * transaction back.
 */
export function leavesLogUnknown({ code = "" }: SQLiteError): boolean {
  return !/^SQLITE_IOERR_(SHM|READ|SHORT_READ)/.test(code);
}

/**
 * True if the database file, its log or the WAL index file (-shm) could not be read. A locked file (BUSY) counts as unreadable,
 * too, because with WAL a read normally never waits for a lock.
 */
export function failsToRead(error: unknown): boolean {
  if (!(error instanceof SQLiteError)) return error instanceof ServiceError || isSystemError(error);
  return /^SQLITE_(IOERR|CORRUPT|NOTADB|CANTOPEN|BUSY|PROTOCOL)/.test(error.code ?? "");
}

/**
 * True if the error comes from a system call of this program rather than from SQLite. This program reads the WAL index file
 * (-shm) itself.
 */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

/**
 * The codes of SQLite errors that are caused by the machine rather than by the statement. If the request is sent again later, it
 * may succeed.
 */
const TRANSIENT =
  /^SQLITE_(BUSY|LOCKED|PROTOCOL|FULL|IOERR|CORRUPT|NOTADB|CANTOPEN|READONLY|NOMEM|INTERRUPT)/;

export function asServiceError(error: unknown): unknown {
  if (error instanceof SQLiteError && error.code === "SQLITE_CONSTRAINT_UNIQUE")
    return new DuplicateError(error.message, { cause: error });
  const isTransient = error instanceof SQLiteError ? TRANSIENT.test(error.code ?? "") : isSystemError(error);
  if (!isTransient) return error;
  if (isFull(error)) return diskFull(error);
  return unavailable("The store cannot be reached right now. Try again.", error);
}
