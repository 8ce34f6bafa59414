import { SQLiteError } from "bun:sqlite";
import { unavailable } from "../../errors.ts";

/** In words where the operator can do something about it; SQLite's own message for the rest. */
export function reasonOf({ code = "", message }: SQLiteError): string {
  if (/^SQLITE_(READONLY|CANTOPEN)/.test(code))
    return "it cannot be opened for writing; look at the permissions of the file and its folder";
  if (code === "SQLITE_NOTADB") return "it is not a database of this program";
  if (code.startsWith("SQLITE_CORRUPT")) return `it is damaged (${message}); restore a backup`;
  return message;
}

export function isLocked(error: unknown): boolean {
  return error instanceof SQLiteError && (error.code ?? "").startsWith("SQLITE_BUSY");
}

export function isDiskError(error: unknown): error is SQLiteError {
  return error instanceof SQLiteError && (error.code ?? "").startsWith("SQLITE_IOERR");
}

/**
 * Whether the log's content is unknown: the kernel reports a failed sync once, so that a second sync proves nothing. An
 * index (-shm) without space is no such failure.
 */
export function leavesLogUnknown({ code = "" }: SQLiteError): boolean {
  return !code.startsWith("SQLITE_IOERR_SHM");
}

/** Conditions of the machine, not of the statement: the same request may succeed later. */
const TRANSIENT = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|INTERRUPT)/;

export function asServiceError(error: unknown): unknown {
  if (!(error instanceof SQLiteError) || !TRANSIENT.test(error.code ?? "")) return error;
  return unavailable("The store cannot be reached right now. Try again.", error);
}
