import { IDEMPOTENCY_INTERVAL_MS, IDEMPOTENCY_RETENTION_MS } from "../../limits.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database, IdempotencyRecord } from "../../storage/database.ts";
import { singleRow, textColumn } from "../../storage/row.ts";
import { type Row, type Statement, statement } from "../../storage/statement.ts";

/** Staging's clock: the milliseconds by which it is ahead of the real time. */
export interface TestClock {
  readonly offsetMs: number;
}

/** Setting with the elapsed time. */
export const ELAPSED = "elapsed";

export type RecordTimes = Pick<IdempotencyRecord, "now" | "oldest">;

const value = textColumn("value");
const decode = (row: Row) => Number(value(row));

const selectTime: Statement<[], number> = statement(
  `SELECT value FROM setting WHERE name = '${ELAPSED}'`,
  decode,
);

/**
 * Stores the elapsed time unless a later one is stored, and yields the later one: one process may count time that another
 * missed.
 */
const putLater: Statement<[milliseconds: string], number> = statement(
  `INSERT INTO setting (name, value) VALUES ('${ELAPSED}', $1) ON CONFLICT (name) DO UPDATE SET value =
      CASE WHEN CAST(excluded.value AS BIGINT) > CAST(setting.value AS BIGINT) THEN excluded.value ELSE setting.value END
    RETURNING value`,
  decode,
);

/**
 * The clock of idempotency records: a counter of milliseconds in the store, which serving processes advance by their monotonic
 * clock. So setting the machine's clock neither ends nor prolongs a record. While no process serves, the counter stands still.
 *
 * @param testClock staging's, whose advances are added
 */
export async function openElapsedTime(
  database: Database,
  clock: Clock,
  testClock: TestClock = { offsetMs: 0 },
) {
  const [stored] = await database.read(selectTime, []);
  if (stored === undefined) await database.run(putLater, ["0"]);
  /** Another process, or the last run of this one, may be ahead by this margin. Adding it keeps records from expiring early. */
  const ahead = stored === undefined ? 0 : IDEMPOTENCY_INTERVAL_MS;
  /** Elapsed time, in milliseconds, at which the monotonic clock was 0. */
  let origin = (stored ?? 0) - clock.monotonicMs();
  const read = () => Math.floor(origin + clock.monotonicMs());
  return {
    /** Times of a new idempotency record and of the newest expired one. */
    times(): RecordTimes {
      const now = read() + testClock.offsetMs;
      return { now: now + ahead, oldest: now - IDEMPOTENCY_RETENTION_MS };
    },
    /** Stores the elapsed time, or adopts a later stored one. @returns time of the newest expired record */
    async save() {
      const now = read();
      const later = singleRow(await database.run(putLater, [String(now)]));
      if (later > now) origin = later - clock.monotonicMs();
      return later + testClock.offsetMs - IDEMPOTENCY_RETENTION_MS;
    },
  };
}
