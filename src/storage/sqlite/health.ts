import { unavailable } from "../../errors.ts";
import type { Maybe } from "../../platform/maybe.ts";
import { failsToRead } from "./errors.ts";

export const WRITE_FAILURE_HELD_MS = 10_000; // how long the database is reported as not ready after a write failed because it could not read its data

type Retry = () => Maybe<unknown>;

export function createHealth(monotonicMs: () => number = performance.now.bind(performance)) {
  let failedRead: Retry | undefined;
  let writeFailedAt = Number.NEGATIVE_INFINITY;
  return {
    /** Records a failed read. `retry` runs the same read again. */
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
     * Retries the last failed read. A write cannot be retried, so a failed write is reported until the next commit, but for at most
     * `WRITE_FAILURE_HELD_MS`.
     *
     * @throws ServiceError `unavailable`
     */
    async check() {
      const retry = failedRead;
      try {
        await retry?.();
      } catch {
        // The cause is in the log entry of the request that failed.
        throw unavailable("A part of the store cannot be read. Run: petstore doctor --deep");
      }
      if (failedRead === retry) failedRead = undefined;
      if (monotonicMs() - writeFailedAt < WRITE_FAILURE_HELD_MS)
        throw unavailable("A change failed because a part of the store could not be read.");
    },
  };
}

/**
 * Tracks a database's health: its last failed read until a retry succeeds, and its last failed write until a commit succeeds or
 * some time has passed.
 */
export type Health = ReturnType<typeof createHealth>;
