import { unavailable } from "../../errors.ts";
import { AcquireTimeoutError } from "../../platform/semaphore.ts";
import { DuplicateError, ReadOnlyServerError, UnreachableError } from "../database.ts";

const SQLSTATE = /^[0-9A-Z]{5}$/;
/**
 * SQLSTATE classes of errors that do not depend on a statement's rows. They concern the connection, the server, the schema or the
 * user's privileges.
 */
const WHATEVER_THE_ROWS = /^(08|25|28|3D|3F|42|53|55|57)/;
/**
 * SQLSTATE classes and codes (PostgreSQL, appendix A) that mean that a deadline was missed, or that the server lacks resources or
 * refuses writes.
 */
const UNUSABLE = /^(53|57|25006|25P03|55P03)/;
/**
 * SQLSTATE codes of a conflict: the transaction was rolled back because of another one, and may succeed if it is run again. One of
 * them is a violated foreign key (23503): if another transaction has just deleted the row that the key refers to, the next run
 * finds that the row is gone.
 */
const CONFLICT = /^(40001|40P01|23503)$/;
/** The driver's error codes for a connection that broke before or during a statement. */
const LOST = /^ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME|SERVER_DISCONNECT|EXPECTED|UNEXPECTED)/;

/** Thrown when a statement, or the wait for a connection, exceeds its deadline. */
export class DeadlineError extends Error {
  override readonly name = "DeadlineError";
}

/** Thrown when a server is a standby, which accepts no writes, or an old primary, because a newer one has already been seen. */
export class NotPrimaryError extends Error {
  override readonly name = "NotPrimaryError";
}

/** Thrown when new sessions on a server are read-only. Nothing was sent. */
export class ReadOnlyError extends Error {
  override readonly name = "ReadOnlyError";
}

/** Thrown when there is no connection. Nothing was sent. */
export class NotConnectedError extends Error {
  override readonly name = "NotConnectedError";
}

/** Thrown when a pooler provides a shared session where an exclusive one is needed. */
export class SharedSessionError extends Error {
  override readonly name = "SharedSessionError";
}

/** Thrown when a write was sent but not answered, so it may have been committed. */
class OutcomeUnknownError extends Error {
  override readonly name = "OutcomeUnknownError";
}

/**
 * Returns the error of a write: `OutcomeUnknownError` if only the answer was lost, or the error itself if the write was refused.
 */
export function asOutcome(error: unknown): unknown {
  const { code } = codesOf(error);
  const wasNeverSent = /^ERR_POSTGRES_CONNECTION_(REFUSED|TIMEOUT|FAILED)$/.test(code);
  const isLost = isLostConnection(error) || error instanceof DeadlineError || code === CANCELLED;
  return isLost && !wasNeverSent
    ? new OutcomeUnknownError(`the connection was lost before the answer arrived: ${error}`)
    : error;
}

const CANCELLED = "ERR_POSTGRES_QUERY_CANCELLED";

/** True if the connection broke. A statement that only reads can then be run again. */
export function isLostConnection(error: unknown): boolean {
  const { code, state } = codesOf(error);
  return LOST.test(code) || /^(08|57P0)/.test(state);
}

/**
 * True if the server refused the statement because of its rows, and changed nothing. The server may accept a statement with fewer
 * rows.
 */
export function isRefusal(error: unknown): boolean {
  const { state } = codesOf(error);
  return SQLSTATE.test(state) && !WHATEVER_THE_ROWS.test(state);
}

/** True if the error was sent by the server itself. */
export function isAnswer(error: unknown): boolean {
  return SQLSTATE.test(codesOf(error).state);
}

export function isConflict(error: unknown): boolean {
  return CONFLICT.test(codesOf(error).state);
}

/**
 * True if the session refuses changes, either because `default_transaction_read_only` is on, or because a pooler connected it to a
 * standby.
 */
export function isReadOnly(error: unknown): boolean {
  return error instanceof ReadOnlyError || codesOf(error).state === "25006";
}

/** True if the server allows no more connections for this user or database. */
export function isOutOfConnections(error: unknown): boolean {
  return codesOf(error).state === "53300";
}

/** True if a lock was not released within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return codesOf(error).state === "55P03";
}

/**
 * Returns a query's rows, or a fallback if the server lacks the function (Amazon Aurora: 55000) or does not allow this user to call
 * it.
 */
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

/** True if a value must be unique, but another row already has it. */
export function isDuplicate(error: unknown): boolean {
  return codesOf(error).state === "23505";
}

/** Converts a temporary error of the database to the `ServiceError` `unavailable`. Returns any other error unchanged. */
export function asServiceError(error: unknown): unknown {
  if (isDuplicate(error)) return new DuplicateError(String(error), { cause: error });
  if (error instanceof OutcomeUnknownError) {
    const message =
      "The store did not answer in time, so the change may or may not have been made. Check before you try again, or try again with the same Idempotency-Key.";
    return unavailable(message, error, UnreachableError);
  }
  if (isReadOnly(error)) {
    const message =
      "The store can be read, but the database server accepts no changes right now. Try again later.";
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
  // Only errors that have a cause are logged. A full queue would log hundreds of errors, so its error has no cause.
  const cause = isQueueFull ? undefined : error;
  const Kind = isUnreachable ? UnreachableError : undefined;
  return unavailable("The store cannot be reached right now. Try again.", cause, Kind);
}

/**
 * Returns the code and the SQLSTATE of an error from the driver, whether the error has the driver's own class or is a plain
 * `Error`. Both are empty for any other error.
 */
function codesOf(error: unknown): { code: string; state: string } {
  if (!isDriverError(error)) return { code: "", state: "" };
  return { code: error.code, state: String(error.errno ?? "") };
}

export function isDriverError(error: unknown): error is Error & { code: string; errno?: unknown } {
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_POSTGRES");
}
