/** A clock. It is passed as a dependency, so that tests can set the time. */
export interface Clock {
  /** The current time, in milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** The number of milliseconds since a fixed moment. Unlike `now`, it never jumps when somebody changes the system's time. */
  monotonicMs(): number;
  /** Resolves after `milliseconds`, or when the signal aborts. Never rejects. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: Date.now,
  monotonicMs: () => performance.now(),
  wait(milliseconds, signal) {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (signal.aborted) return Promise.resolve();
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done, { once: true });
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    return promise;
  },
};

const CLOCK_ERROR_MAX_MS = 1_000; // largest difference between two clocks that is ignored, because reading the other clock takes time and is therefore inexact

/** A clock that can be synchronized with another clock, such as the clock of a database server that several machines share. */
export interface SetClock extends Clock {
  /** Reads the other clock, and sets this clock to the same time. If the two differ by less than a second, nothing is changed. */
  set(read: () => Promise<number>): Promise<void>;
}

export function createSetClock(clock: Clock): SetClock {
  let ahead = 0;
  return {
    ...clock,
    now: () => clock.now() + ahead,
    async set(read) {
      const askedAt = clock.now();
      const difference = Math.round((await read()) - (askedAt + clock.now()) / 2);
      if (Math.abs(difference - ahead) > CLOCK_ERROR_MAX_MS) ahead = difference;
    },
  };
}

/**
 * Creates a function whose results never go backwards. Normally, it returns `now` unchanged. If somebody sets the clock back, it
 * returns the time according to the monotonic clock instead.
 */
export function monotonicFloor(clock: Clock): (now: number) => number {
  const begun = clock.now() - clock.monotonicMs();
  return (now) => Math.max(now, begun + clock.monotonicMs());
}

/** Formats milliseconds since 1970 as a time in UTC (RFC 3339): `2026-01-01T12:00:00.000Z`. */
export function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
