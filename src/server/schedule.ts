import type { Clock } from "../platform/clock.ts";

interface ScheduleOptions<Made> {
  readonly everyMs: number;
  /** When the last one before this schedule began, in milliseconds since 1970. */
  readonly lastTime: () => Promise<number | undefined>;
  readonly clock: Clock;
  readonly make: (signal: AbortSignal) => Promise<Made>;
  readonly onMade: (made: Made) => void;
  readonly onFailed: (error: unknown) => void;
}

export interface Schedule {
  /** Seconds since the last one that was made began; since the schedule did, as long as there is none. */
  ageSeconds(): number;
  /** Ends the one under way. */
  close(): Promise<void>;
}

/**
 * Makes something every so often, counted from the last one before a restart, and one after the other: one that takes longer
 * is followed by the next at once. One that fails is followed by the next on schedule.
 */
export function startSchedule<Made>(options: ScheduleOptions<Made>): Schedule {
  const { everyMs, lastTime, clock, make, onMade, onFailed } = options;
  const stop = new AbortController();
  let begunAt = clock.monotonicMs();

  async function makeOne(): Promise<void> {
    const now = clock.monotonicMs();
    try {
      const made = await make(stop.signal);
      begunAt = now;
      onMade(made);
    } catch (error) {
      if (!stop.signal.aborted) onFailed(error);
    }
  }

  async function run(): Promise<void> {
    const age = clock.now() - ((await lastTime()) ?? Number.NEGATIVE_INFINITY);
    // One from the future is a wrong clock's.
    const isKnown = age >= 0 && Number.isFinite(age);
    if (isKnown) begunAt -= age;
    let pauseMs = isKnown ? everyMs - age : 0;
    for (;;) {
      if (pauseMs > 0) await clock.wait(pauseMs, stop.signal);
      if (stop.signal.aborted) return;
      const attemptedAt = clock.monotonicMs();
      await makeOne();
      pauseMs = everyMs - (clock.monotonicMs() - attemptedAt);
    }
  }

  const running = run();
  return {
    ageSeconds: () => (clock.monotonicMs() - begunAt) / 1000,
    async close() {
      stop.abort();
      await running;
    },
  };
}
