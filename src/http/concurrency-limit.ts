import { unavailable } from "../errors.ts";

export const REQUESTS_IN_FLIGHT_MAX = 512; // in one process; more are answered 503 at once

/**
 * A semaphore without a queue over the requests of one process. Requests above the limit are refused at once: a queue would
 * only make every response slower.
 *
 * @param onRejected called for each refused request
 */
export function createConcurrencyLimit(onRejected: () => void) {
  let active = 0;

  function acquireOne() {
    if (active >= REQUESTS_IN_FLIGHT_MAX) {
      onRejected();
      throw unavailable("Too many requests are under way. Try again.");
    }
    active++;
  }
  return {
    /** Takes a slot. @throws ServiceError `unavailable`, with `Retry-After`, if none is free */
    acquire() {
      acquireOne();
      let isHeld = true;
      return {
        /**
         * Releases the slot while the request waits for its client, so that slow clients do not use up the limit, then
         * acquires one again.
         *
         * @throws ServiceError `unavailable` if no slot is free then
         */
        async releaseWhile<Result>(waiting: Promise<Result>): Promise<Result> {
          isHeld = false;
          active--;
          const result = await waiting;
          acquireOne();
          isHeld = true;
          return result;
        },
        /** Releases the slot; idempotent. */
        release() {
          if (isHeld) active--;
          isHeld = false;
        },
      };
    },
    count: () => active,
  };
}

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>;
/** A request's permit under the concurrency limit. */
export type Slot = ReturnType<ConcurrencyLimit["acquire"]>;
