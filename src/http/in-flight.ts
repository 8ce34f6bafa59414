import { unavailable } from "../errors.ts";
import { REQUESTS_IN_FLIGHT_MAX, RETRY_AFTER_SECONDS } from "../limits.ts";

/** A request's place among those that are being worked on. */
export interface Place {
  /**
   * Waits for the client outside: whoever sends slowly keeps nobody else from being served.
   *
   * @throws ServiceError `unavailable` when there is no place any more once the client has sent everything
   */
  outside<Result>(waiting: Promise<Result>): Promise<Result>;
  /** Gives the place back, once. */
  leave(): void;
}

/** The requests that one process works on at the same time. */
export interface InFlight {
  /** @throws ServiceError `unavailable`, with `Retry-After`, when as many as may be are under way */
  enter(): Place;
  readonly count: () => number;
}

/**
 * Bounds the requests that are being worked on, and refuses the rest at once. A place is free again only when the turn of the
 * event loop is over: a read is answered before the next request is looked at, so that a thousand of them that arrive
 * together never seem to be two; they count as a thousand, which is what the last of them waits for.
 *
 * @param onShed told of each request that was refused
 */
export function createInFlight(onShed: () => void, max = REQUESTS_IN_FLIGHT_MAX): InFlight {
  let inside = 0;
  let leaving = 0;

  function take(): void {
    if (inside >= max) {
      onShed();
      throw unavailable("Too many requests are under way. Try again.", RETRY_AFTER_SECONDS);
    }
    inside++;
  }
  function endTurn(): void {
    inside -= leaving;
    leaving = 0;
  }
  function giveBack(): void {
    if (leaving++ === 0) setImmediate(endTurn);
  }

  return {
    enter() {
      take();
      let isInside = true;
      return {
        async outside(waiting) {
          isInside = false;
          inside--;
          const result = await waiting;
          take();
          isInside = true;
          return result;
        },
        leave() {
          if (isInside) giveBack();
          isInside = false;
        },
      };
    },
    count: () => inside,
  };
}
