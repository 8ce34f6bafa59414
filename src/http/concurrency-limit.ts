import { unavailable } from "../errors.ts";

export const REQUESTS_IN_FLIGHT_MAX = 512; // in one process; more are answered 503 at once

/** One request's permit under the concurrency limit. */
export interface Slot {
  /**
   * Releases the slot while it waits for the client, so that slow clients do not use up the limit, then acquires one again.
   *
   * @throws ServiceError `unavailable` when no slot is free then
   */
  releaseWhile<Result>(waiting: Promise<Result>): Promise<Result>;
  /** Releases the slot; a second call does nothing. */
  release(): void;
}

/** A semaphore without a queue over the requests of one process. */
export interface ConcurrencyLimit {
  /** @throws ServiceError `unavailable`, with `Retry-After`, when no slot is free */
  acquire(): Slot;
  readonly count: () => number;
}

/**
 * Bounds concurrent requests and refuses the rest at once: in a queue they would only make every response slower.
 *
 * @param onRejected called for each refused request
 */
export function createConcurrencyLimit(onRejected: () => void): ConcurrencyLimit {
  let active = 0;

  function acquireOne(): void {
    if (active >= REQUESTS_IN_FLIGHT_MAX) {
      onRejected();
      throw unavailable("Too many requests are under way. Try again.");
    }
    active++;
  }
  return {
    acquire() {
      acquireOne();
      let isHeld = true;
      return {
        async releaseWhile(waiting) {
          isHeld = false;
          active--;
          const result = await waiting;
          acquireOne();
          isHeld = true;
          return result;
        },
        release() {
          if (isHeld) active--;
          isHeld = false;
        },
      };
    },
    count: () => active,
  };
}
