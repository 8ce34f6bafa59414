import { SQLiteError } from "bun:sqlite";
import { unavailable } from "../../errors.ts";
import { RETRY_AFTER_SECONDS } from "../../limits.ts";

/** What an operator can do something about, in words; SQLite's own for the rest. */
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
 * What the log holds may be less than was written to it, or more than was promised, and asking to sync it again proves
 * nothing: the kernel reports a failure once. An index that finds no room is no such failure.
 */
export function isUntrustworthy({ code = "" }: SQLiteError): boolean {
  return !code.startsWith("SQLITE_IOERR_SHM");
}

/** Conditions of the machine, not of the statement: the same request may well succeed later. */
const PASSING = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|INTERRUPT)/;

export function asServiceError(error: unknown): unknown {
  if (!(error instanceof SQLiteError) || !PASSING.test(error.code ?? "")) return error;
  return unavailable("The store cannot be reached right now. Try again.", RETRY_AFTER_SECONDS, error);
}
