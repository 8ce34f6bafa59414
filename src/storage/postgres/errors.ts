import { unavailable } from "../../errors.ts";
import { AcquireTimeoutError } from "../../platform/semaphore.ts";
import { DuplicateError, ReadOnlyServerError, UnreachableError } from "../database.ts";

const SQLSTATE = /^[0-9A-Z]{5}$/;
/**
 * Classes of SQLSTATE codes for errors that concern the connection, the server, the schema or the user's rights, and not the rows
 * of a statement.
 */
const WHATEVER_THE_ROWS = /^(08|25|28|3D|3F|42|53|55|57)/;
/**
 * SQLSTATE codes, and classes of codes, with one of three meanings: a deadline was missed, the server lacks resources, or the
 * server refuses writes (PostgreSQL, appendix A).
 */
const UNUSABLE = /^(53|57|25006|25P03|55P03)/;
/**
 * SQLSTATE codes of conflicts: the transaction was rolled back because of another transaction, and may succeed if it runs again.
 * They include a violated foreign key (23503), because another transaction may just have deleted the row that the key refers to.
 * The next run then finds that the row no longer exists.
 */
const CONFLICT = /^(40001|40P01|23503)$/;
/** The driver's error codes for a connection that broke. */
const LOST = /^ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME|SERVER_DISCONNECT|EXPECTED|UNEXPECTED)/;

/** Thrown when a statement, or the wait for a connection, exceeds its deadline. */
export class DeadlineError extends Error {
  override readonly name = "DeadlineError";
}

/**
 * Thrown when a server is not the primary: it is a standby, which accepts no writes, or an old primary that has already been
 * replaced by a newer one.
 */
export class NotPrimaryError extends Error {
  override readonly name = "NotPrimaryError";
}

/** Thrown when a server makes new sessions read-only. Nothing was sent to it. */
export class ReadOnlyError extends Error {
  override readonly name = "ReadOnlyError";
}

/** Thrown when no connection is available. Nothing was sent. */
export class NotConnectedError extends Error {
  override readonly name = "NotConnectedError";
}

/** Thrown when a caller needs a session for itself, but the address leads to a pooler that shares its sessions. */
export class SharedSessionError extends Error {
  override readonly name = "SharedSessionError";
}

/** Thrown when a change was not made, because its row was changed in the meantime or is locked by another transaction. */
export class RowTakenError extends Error {
  override readonly name = "RowTakenError";
}

/** Thrown when a write was sent but not answered. It may or may not have been committed. */
class OutcomeUnknownError extends Error {
  override readonly name = "OutcomeUnknownError";
}

/**
 * Returns the error to report for a failed write: `OutcomeUnknownError` if the write may have been committed, and otherwise the
 * given error.
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

/** True if the connection broke. A statement that changes nothing can then be run again. */
export function isLostConnection(error: unknown): boolean {
  const { code, state } = codesOf(error);
  return LOST.test(code) || /^(08|57P0)/.test(state);
}

/**
 * True if the server refused a statement because of one of the rows in it. Nothing was changed, and the server may accept the other
 * rows.
 */
export function isRefusal(error: unknown): boolean {
  const { state } = codesOf(error);
  return SQLSTATE.test(state) && !WHATEVER_THE_ROWS.test(state);
}

/** True if the error was sent by the database server rather than created by the driver. */
export function isAnswer(error: unknown): boolean {
  return SQLSTATE.test(codesOf(error).state);
}

export function isConflict(error: unknown): boolean {
  return error instanceof RowTakenError || CONFLICT.test(codesOf(error).state);
}

/**
 * True if changes are refused in this session, because `default_transaction_read_only` is on, or because a pooler has connected the
 * session to a standby.
 */
export function isReadOnly(error: unknown): boolean {
  return error instanceof ReadOnlyError || codesOf(error).state === "25006";
}

/** True if the server refuses further connections for this user or database. */
export function isOutOfConnections(error: unknown): boolean {
  return codesOf(error).state === "53300";
}

/** True if a lock was not released within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return codesOf(error).state === "55P03";
}

/**
 * Returns the rows of a query, or `otherwise` if the server lacks the function that the query calls (Amazon Aurora: 55000), or does
 * not allow this user to call it.
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

/** True if another row already has a value that must be unique. */
export function isDuplicate(error: unknown): boolean {
  return codesOf(error).state === "23505";
}

/**
 * Converts an error of the database for callers: a temporary error to `ServiceError` `unavailable`, and a duplicate value to
 * `DuplicateError`. Returns other errors unchanged.
 */
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
  // A full queue can cause hundreds of errors at once. They get no cause, because only errors with a cause are logged.
  const cause = isQueueFull ? undefined : error;
  const Kind = isUnreachable ? UnreachableError : undefined;
  return unavailable("The store cannot be reached right now. Try again.", cause, Kind);
}

/** Returns the driver's error code and the SQLSTATE of an error. Both are empty if the error does not come from the driver. */
function codesOf(error: unknown): { code: string; state: string } {
  if (!isDriverError(error)) return { code: "", state: "" };
  return { code: error.code, state: String(error.errno ?? "") };
}

export function isDriverError(error: unknown): error is Error & { code: string; errno?: unknown } {
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_POSTGRES");
}
