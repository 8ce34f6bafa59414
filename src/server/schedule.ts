import type { Clock } from "../platform/clock.ts";

interface ScheduleOptions<Made> {
  readonly everyMs: number;
  /** When the last one before this schedule began, in milliseconds since 1970. */
  readonly lastTime: () => Promise<number | undefined>;
  readonly clock: Clock;
  readonly make: (signal: AbortSignal) => Promise<Made>;
  readonly onMade: (made: Made) => void;
  /** Never rejects. */
  readonly onFailed: (error: unknown, signal: AbortSignal) => Promise<void>;
}

export interface Schedule {
  /** Begins the next one if it is due and none is under way. */
  tick(): void;
  /** Seconds since the last one that was made began; since the schedule did, as long as there is none. */
  ageSeconds(): number;
  /** Ends the one under way. */
  close(): Promise<void>;
}

/** A recurring job, due `everyMs` after the last one began, also before a restart; after a failure it is due an interval later. */
export function createSchedule<Made>(options: ScheduleOptions<Made>): Schedule {
  const { everyMs, lastTime, clock, make, onMade, onFailed } = options;
  const stop = new AbortController();
  let madeAt = clock.monotonicMs();
  let dueAt = madeAt;
  let underWay: Promise<void> | undefined = start().finally(end);

  async function start(): Promise<void> {
    const age = clock.now() - ((await lastTime()) ?? Number.NEGATIVE_INFINITY);
    // One from the future is a wrong clock's.
    if (age < 0 || !Number.isFinite(age)) return;
    madeAt -= age;
    dueAt = madeAt + everyMs;
  }
  async function makeOne(): Promise<void> {
    const begunAt = clock.monotonicMs();
    dueAt = begunAt + everyMs;
    try {
      const made = await make(stop.signal);
      madeAt = begunAt;
      onMade(made);
    } catch (error) {
      if (!stop.signal.aborted) await onFailed(error, stop.signal);
    }
  }
  function end(): void {
    underWay = undefined;
  }

  return {
    tick() {
      if (underWay !== undefined || stop.signal.aborted || clock.monotonicMs() < dueAt) return;
      underWay = makeOne().finally(end);
    },
    ageSeconds: () => (clock.monotonicMs() - madeAt) / 1000,
    async close() {
      stop.abort();
      await underWay;
    },
  };
}
