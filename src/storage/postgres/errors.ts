import { unavailable } from "../../errors.ts";
import { RETRY_AFTER_SECONDS } from "../../limits.ts";
import { AcquireTimeoutError } from "../../platform/semaphore.ts";

/** SQLSTATE classes and codes (PostgreSQL, appendix A) that say "later", not "never". */
const PASSING = /^(08|53|57|25006|25P03|55P03)/;
/**
 * Undone because of another transaction; the same work may well succeed at once. A row that is referred to and was there a
 * moment ago (23503) is one of them: the next look finds it gone.
 */
const CONFLICT = /^(40001|40P01|23503)$/;
/** The connection broke before or while the statement ran. */
const LOST = /^ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME|SERVER_DISCONNECT|EXPECTED|UNEXPECTED)/;

/** The statement, or the connection to run it on, took longer than it may. */
export class DeadlineError extends Error {
  override readonly name = "DeadlineError";
}

/** What was sent may have been done: the answer was lost, and nobody here can tell. */
export class OutcomeUnknownError extends Error {
  override readonly name = "OutcomeUnknownError";
}

/** The failure of something that writes, told apart: was it refused, or is it only that the answer was lost? */
export function asOutcome(error: unknown): unknown {
  const { code } = codesOf(error);
  const wasNeverSent = /^ERR_POSTGRES_CONNECTION_(REFUSED|TIMEOUT|FAILED)$/.test(code);
  const isLost = isLostConnection(error) || error instanceof DeadlineError || code === CANCELLED;
  return isLost && !wasNeverSent ? new OutcomeUnknownError("the answer was lost", { cause: error }) : error;
}

const CANCELLED = "ERR_POSTGRES_QUERY_CANCELLED";

/** Whether the connection broke: a statement that only reads may be run once more. */
export function isLostConnection(error: unknown): boolean {
  const { code, state } = codesOf(error);
  return LOST.test(code) || /^(08|57P0)/.test(state);
}

export function isConflict(error: unknown): boolean {
  return CONFLICT.test(codesOf(error).state);
}

/** What the caller is told: `unavailable` for what passes, the error itself for what does not. */
export function asServiceError(error: unknown): unknown {
  if (error instanceof OutcomeUnknownError) {
    const message =
      "The store did not answer in time, and the outcome is not known. Look before you try again, or try with the same Idempotency-Key.";
    return unavailable(message, RETRY_AFTER_SECONDS, error);
  }
  const { code, state } = codesOf(error);
  const isPassing =
    isConflict(error) ||
    isLostConnection(error) ||
    PASSING.test(state) ||
    code === CANCELLED ||
    error instanceof DeadlineError ||
    error instanceof AcquireTimeoutError;
  if (!isPassing) return error;
  return unavailable("The store cannot be reached right now. Try again.", RETRY_AFTER_SECONDS, error);
}

/** By their fields: some of the driver's errors are of its own class, some are plain. */
function codesOf(error: unknown): { code: string; state: string } {
  if (!isDriverError(error)) return { code: "", state: "" };
  return { code: error.code, state: String(error.errno ?? "") };
}

export function isDriverError(error: unknown): error is Error & { code: string; errno?: unknown } {
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_POSTGRES");
}
