import type { Clock } from "../src/platform/clock.ts";

export interface TestClock extends Clock {
  /** Advances the time of day and the monotonic clock, and resolves all waits that are due by then. */
  advance(milliseconds: number): Promise<void>;
  /** Changes only the time of day. The monotonic clock stays as it is. */
  set(milliseconds: number): void;
}

/** Creates a clock that moves only when `advance` or `set` is called. */
export function createTestClock(start = Date.UTC(2026, 10, 21, 12)): TestClock {
  let now = start;
  let elapsed = 0;
  const sleepers = new Set<{ wakeAt: number; wake: () => void }>();
  return {
    now: () => now,
    monotonicMs: () => elapsed,
    set(milliseconds) {
      now += milliseconds;
    },
    wait(milliseconds, signal) {
      if (signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const sleeper = { wakeAt: elapsed + milliseconds, wake: done };
        function done(): void {
          sleepers.delete(sleeper);
          resolve();
        }
        sleepers.add(sleeper);
        signal.addEventListener("abort", done, { once: true });
      });
    },
    async advance(milliseconds) {
      now += milliseconds;
      elapsed += milliseconds;
      for (const sleeper of [...sleepers]) if (sleeper.wakeAt <= elapsed) sleeper.wake();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
