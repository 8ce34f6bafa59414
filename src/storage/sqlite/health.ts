import { unavailable } from "../../errors.ts";
import type { Maybe } from "../../platform/maybe.ts";
import { failsToRead } from "./errors.ts";

export const WRITE_FAILURE_HELD_MS = 10_000; // time for which the database is reported as not ready after a write has failed to read its data

type Retry = () => Maybe<unknown>;

export function createHealth(monotonicMs: () => number = performance.now.bind(performance)) {
  let failedRead: Retry | undefined;
  let writeFailedAt = Number.NEGATIVE_INFINITY;
  return {
    /** Records that a read has failed. `retry` runs the same read again. */
    onReadFailure(error: unknown, retry: Retry) {
      if (failsToRead(error)) failedRead = retry;
    },
    onWriteFailure(error: unknown) {
      if (failsToRead(error)) writeFailedAt = monotonicMs();
    },
    onCommit() {
      writeFailedAt = Number.NEGATIVE_INFINITY;
    },
    /**
     * Runs the last failed read again. A failed write cannot be run again, so it is reported until the next commit succeeds, but
     * for no longer than `WRITE_FAILURE_HELD_MS`.
     *
     * @throws ServiceError `unavailable`
     */
    async check() {
      const retry = failedRead;
      try {
        await retry?.();
      } catch {
        // The error needs no cause, because the log entry of the failed request already contains the cause.
        throw unavailable("A part of the store cannot be read. Run: petstore doctor --deep");
      }
      if (failedRead === retry) failedRead = undefined;
      if (monotonicMs() - writeFailedAt < WRITE_FAILURE_HELD_MS)
        throw unavailable("A change failed because a part of the store could not be read.");
    },
  };
}

/**
 * The health of a database. It remembers the last failed read until that read succeeds, and the last failed write until a commit
 * succeeds or some time has passed.
 */
export type Health = ReturnType<typeof createHealth>;
