import { unavailable } from "../../errors.ts";
import { AcquireTimeoutError } from "../../platform/semaphore.ts";
import { DuplicateError, ReadOnlyServerError, UnreachableError } from "../database.ts";

const SQLSTATE = /^[0-9A-Z]{5}$/;
/** SQLSTATE classes of errors that have nothing to do with the rows: of the connection, the server, the schema or privileges. */
const WHATEVER_THE_ROWS = /^(08|25|28|3D|3F|42|53|55|57)/;
/** SQLSTATE classes and codes (PostgreSQL, appendix A) of missed deadlines, and of a server without resources or writes. */
const UNUSABLE = /^(53|57|25006|25P03|55P03)/;
/**
 * SQLSTATE codes of a conflict: rolled back because of another transaction, the work may succeed when run again. A foreign
 * key to a row just deleted by another transaction (23503) is one of them: the next run finds the row gone.
 */
const CONFLICT = /^(40001|40P01|23503)$/;
/** Driver's codes of a connection that broke before or during the statement. */
const LOST = /^ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME|SERVER_DISCONNECT|EXPECTED|UNEXPECTED)/;

/** Error for a statement, or a wait for a connection, that exceeded its deadline. */
export class DeadlineError extends Error {
  override readonly name = "DeadlineError";
}

/** Error for a server that accepts no writes, or that was the primary before one that has already been seen. */
export class NotPrimaryError extends Error {
  override readonly name = "NotPrimaryError";
}

/** Error for a server whose new sessions are read-only: nothing was sent. */
export class ReadOnlyError extends Error {
  override readonly name = "ReadOnlyError";
}

/** Error for a missing connection: nothing was sent. */
export class NotConnectedError extends Error {
  override readonly name = "NotConnectedError";
}

/** Error for a session that a pooler shares, where an exclusive one is needed. */
export class SharedSessionError extends Error {
  override readonly name = "SharedSessionError";
}

/** Error for a write that was sent but not answered. It may have been committed. */
class OutcomeUnknownError extends Error {
  override readonly name = "OutcomeUnknownError";
}

/** The error of a write: `OutcomeUnknownError` if only the answer was lost; the error itself if it was refused. */
export function asOutcome(error: unknown): unknown {
  const { code } = codesOf(error);
  const wasNeverSent = /^ERR_POSTGRES_CONNECTION_(REFUSED|TIMEOUT|FAILED)$/.test(code);
  const isLost = isLostConnection(error) || error instanceof DeadlineError || code === CANCELLED;
  return isLost && !wasNeverSent ? new OutcomeUnknownError(`the answer was lost: ${error}`) : error;
}

const CANCELLED = "ERR_POSTGRES_QUERY_CANCELLED";

/** True if the connection broke: a reading statement may run again. */
export function isLostConnection(error: unknown): boolean {
  const { code, state } = codesOf(error);
  return LOST.test(code) || /^(08|57P0)/.test(state);
}

/** True if the server refused the statement because of its rows, and changed nothing: fewer rows may be accepted. */
export function isRefusal(error: unknown): boolean {
  const { state } = codesOf(error);
  return SQLSTATE.test(state) && !WHATEVER_THE_ROWS.test(state);
}

/** True if the server itself sent the error. */
export function isAnswer(error: unknown): boolean {
  return SQLSTATE.test(codesOf(error).state);
}

export function isConflict(error: unknown): boolean {
  return CONFLICT.test(codesOf(error).state);
}

/** True if the session refuses changes: its `default_transaction_read_only` is on, or a pooler led it to a standby. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof ReadOnlyError || codesOf(error).state === "25006";
}

/** True if the server has no connection left for this user or database. */
export function isOutOfConnections(error: unknown): boolean {
  return codesOf(error).state === "53300";
}

/** True if a lock was not free within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return codesOf(error).state === "55P03";
}

/** The rows of a query; a fallback if the server lacks the function (Amazon Aurora: 55000), or denies it to this user. */
export async function unlessUnsupported<Row>(
  query: Promise<readonly Row[]>,
  otherwise: readonly Row[],
): Promise<readonly Row[]> {
  try {
    return await query;
  } catch (error) {
    if (/^(0A000|42883|42501|55000)$/.test(codesOf(error).state)) return otherwise;
    throw error;
  }
}

/** True if another row has a value that must be unique. */
export function isDuplicate(error: unknown): boolean {
  return codesOf(error).state === "23505";
}

/** Converts a transient error of the database to `ServiceError` `unavailable`; returns any other unchanged. */
export function asServiceError(error: unknown): unknown {
  if (isDuplicate(error)) return new DuplicateError(String(error), { cause: error });
  if (error instanceof OutcomeUnknownError) {
    const message =
      "The store did not answer in time, so the outcome is not known. Check before you try again, or try again with the same Idempotency-Key.";
    return unavailable(message, error, UnreachableError);
  }
  if (isReadOnly(error)) {
    const message =
      "The store can be read, but its database server accepts no changes right now. Try again later.";
    return unavailable(message, error, ReadOnlyServerError);
  }
  const { code, state } = codesOf(error);
  const isUnreachable =
    isLostConnection(error) ||
    UNUSABLE.test(state) ||
    code === CANCELLED ||
    [DeadlineError, NotConnectedError, SharedSessionError].some((Kind) => error instanceof Kind);
  const isQueueFull = error instanceof AcquireTimeoutError;
  if (!(isUnreachable || isQueueFull || isConflict(error))) return error;
  // An error with a cause is logged. A full queue would log hundreds of them, so it gets none.
  const cause = isQueueFull ? undefined : error;
  const Kind = isUnreachable ? UnreachableError : undefined;
  return unavailable("The store cannot be reached right now. Try again.", cause, Kind);
}

/** Code and SQLSTATE of a driver's error, whether of its own class or a plain one; empty for any other error. */
function codesOf(error: unknown): { code: string; state: string } {
  if (!isDriverError(error)) return { code: "", state: "" };
  return { code: error.code, state: String(error.errno ?? "") };
}

export function isDriverError(error: unknown): error is Error & { code: string; errno?: unknown } {
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_POSTGRES");
}
