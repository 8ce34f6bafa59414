import type { Clock } from "../src/platform/clock.ts";

export interface TestClock extends Clock {
  /** Advances the time of day and the monotonic clock, and resolves all waits that are due by then. */
  advance(milliseconds: number): Promise<void>;
  /** Changes only the time of day. The monotonic clock stays as it is. */
  set(milliseconds: number): void;
  /** Returns true if a wait of exactly this length has begun and has not ended yet. */
  isAwaited(milliseconds: number): boolean;
}

/** Creates a clock that moves only when `advance` or `set` is called. */
export function createTestClock(start = Date.UTC(2026, 10, 21, 12)): TestClock {
  let now = start;
  let elapsed = 0;
  const sleepers = new Set<{ milliseconds: number; wakeAt: number; wake: () => void }>();
  return {
    now: () => now,
    monotonicMs: () => elapsed,
    set(milliseconds) {
      now += milliseconds;
    },
    isAwaited: (milliseconds) => sleepers.values().some((sleeper) => sleeper.milliseconds === milliseconds),
    wait(milliseconds, signal) {
      if (signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const sleeper = { milliseconds, wakeAt: elapsed + milliseconds, wake: done };
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
