import { IDEMPOTENCY_INTERVAL_MS, IDEMPOTENCY_RETENTION_MS } from "../../limits.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database, IdempotencyRecord } from "../../storage/database.ts";
import { numberColumn, singleRow } from "../../storage/row.ts";
import { type Statement, statement } from "../../storage/statement.ts";
import type { TestClock } from "../request-context.ts";

/**
 * The time that idempotency records go by: a counter in the store, which a serving process advances by its monotonic
 * clock. A machine's clock that is set by years neither ends a record nor prolongs it; while no process serves, the
 * counter stands still.
 */
export interface ElapsedTime {
  /** The time of a record that is made now, and of the newest that has expired. */
  times(): Promise<RecordTimes>;
  /** Stores the time, or takes over the stored one where another process is ahead. @returns `oldest`, if it has begun */
  save(): Promise<number | undefined>;
}

/** Milliseconds on the counter. */
export type RecordTimes = Pick<IdempotencyRecord, "now" | "oldest">;

const decode = (row: Parameters<typeof numberColumn>[0]) => numberColumn(row, "milliseconds");

const selectTime: Statement<[], number> = statement("SELECT milliseconds FROM elapsed_time", decode);

/** Of two processes, the one that is ahead has counted what the other has missed. */
const putLater: Statement<[milliseconds: number], number> = statement(
  `INSERT INTO elapsed_time (name, milliseconds) VALUES ('idempotency', $1)
    ON CONFLICT (name) DO UPDATE SET milliseconds =
      CASE WHEN excluded.milliseconds > elapsed_time.milliseconds THEN excluded.milliseconds ELSE elapsed_time.milliseconds END
    RETURNING milliseconds`,
  decode,
);

const putFirst: Statement<[milliseconds: number], number> = statement(
  `INSERT INTO elapsed_time (name, milliseconds) VALUES ('idempotency', $1)
    ON CONFLICT (name) DO UPDATE SET milliseconds = elapsed_time.milliseconds RETURNING milliseconds`,
  decode,
);

/** @param testClock of staging: its time counts for records, too */
export async function openElapsedTime(
  database: Database,
  clock: Clock,
  testClock: TestClock = { offsetMs: 0 },
): Promise<ElapsedTime> {
  /** What the counter would say when the monotonic clock said 0. */
  let origin: number | undefined;
  /** One for all: requests that come meanwhile keep their order. */
  let beginning: Promise<number> | undefined;
  /** How far another process may be ahead: its records must not end early, nor ours there. */
  let behind = 0;
  const setTo = (milliseconds: number) => {
    origin = milliseconds - clock.monotonicMs();
    return milliseconds;
  };
  const read = (from: number) => Math.floor(from + clock.monotonicMs());

  async function begin(): Promise<number> {
    // Records from before the counter have the time of day.
    const now = clock.now();
    const rows = await database.run(putFirst, [now]).finally(() => {
      beginning = undefined;
    });
    const first = singleRow(rows);
    if (first !== now) behind = IDEMPOTENCY_INTERVAL_MS;
    return setTo(first);
  }

  function beginOnce(): Promise<number> {
    beginning ??= begin();
    return beginning;
  }

  const [stored] = await database.read(selectTime, []);
  if (stored !== undefined) {
    behind = IDEMPOTENCY_INTERVAL_MS;
    setTo(stored);
  }
  return {
    async times() {
      const elapsed = origin === undefined ? await beginOnce() : read(origin);
      const now = elapsed + testClock.offsetMs;
      return { now: now + behind, oldest: now - IDEMPOTENCY_RETENTION_MS };
    },
    async save() {
      if (origin === undefined) return undefined;
      const now = read(origin);
      const later = singleRow(await database.run(putLater, [now]));
      return (later > now ? setTo(later) : now) + testClock.offsetMs - IDEMPOTENCY_RETENTION_MS;
    },
  };
}
