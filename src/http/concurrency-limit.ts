import { unavailable } from "../errors.ts";
import { REQUESTS_IN_FLIGHT_MAX, RETRY_AFTER_SECONDS } from "../limits.ts";

/** A request's place among those that are being worked on. */
export interface Slot {
  /**
   * Waits for the client outside: whoever sends slowly keeps nobody else from being served.
   *
   * @throws ServiceError `unavailable` when there is no place any more once the client has sent everything
   */
  releaseWhile<Result>(waiting: Promise<Result>): Promise<Result>;
  /** Gives the place back, once. */
  release(): void;
}

/** The requests that one process works on at the same time. */
export interface ConcurrencyLimit {
  /** @throws ServiceError `unavailable`, with `Retry-After`, when as many as may be are under way */
  acquire(): Slot;
  readonly count: () => number;
}

/**
 * Bounds the requests that are being worked on, and refuses the rest at once: what waits for the store waits for as long as those
 * before it take, and nobody's answer gets better by one more waiting.
 *
 * @param onRejected told of each request that was refused
 */
export function createConcurrencyLimit(
  onRejected: () => void,
  max = REQUESTS_IN_FLIGHT_MAX,
): ConcurrencyLimit {
  let inside = 0;

  function take(): void {
    if (inside >= max) {
      onRejected();
      throw unavailable("Too many requests are under way. Try again.", RETRY_AFTER_SECONDS);
    }
    inside++;
  }
  return {
    acquire() {
      take();
      let isInside = true;
      return {
        async releaseWhile(waiting) {
          isInside = false;
          inside--;
          const result = await waiting;
          take();
          isInside = true;
          return result;
        },
        release() {
          if (isInside) inside--;
          isInside = false;
        },
      };
    },
    count: () => inside,
  };
}
