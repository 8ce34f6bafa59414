import { IDEMPOTENCY_INTERVAL_MS, IDEMPOTENCY_RETENTION_MS } from "../../limits.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database, IdempotencyRecord } from "../../storage/database.ts";
import { singleRow, textColumn } from "../../storage/row.ts";
import { type Row, type Statement, statement } from "../../storage/statement.ts";

/** The test clock of staging, which is ahead of the real time by `offsetMs`. */
export interface TestClock {
  readonly offsetMs: number;
}

/** Name of the setting that stores the elapsed time, a counter of milliseconds. */
export const ELAPSED = "elapsed";

export type RecordTimes = Pick<IdempotencyRecord, "now" | "oldest">;

const value = textColumn("value");
const decode = (row: Row) => Number(value(row));

const selectTime: Statement<[], number> = statement(
  `SELECT value FROM setting WHERE name = '${ELAPSED}'`,
  decode,
);

/**
 * Stores the elapsed time, unless a later time is stored already. Returns the later of the two. Another process may have advanced
 * the stored time while this process was not running.
 */
const putLater: Statement<[milliseconds: string], number> = statement(
  `INSERT INTO setting (name, value) VALUES ('${ELAPSED}', $1) ON CONFLICT (name) DO UPDATE SET value =
      CASE WHEN CAST(excluded.value AS BIGINT) > CAST(setting.value AS BIGINT) THEN excluded.value ELSE setting.value END
    RETURNING value`,
  decode,
);

/**
 * Opens the clock that idempotency records use. The clock is a counter of milliseconds in the store. Each running service
 * advances the counter by its monotonic clock, so setting the machine's clock neither shortens nor prolongs the life of a record.
 * The counter stands still while no service is running.
 *
 * @param testClock staging's test clock, whose advances are added to the counter
 */
export async function openElapsedTime(
  database: Database,
  clock: Clock,
  testClock: TestClock = { offsetMs: 0 },
) {
  const [stored] = await database.read(selectTime, []);
  if (stored === undefined) await database.run(putLater, ["0"]);
  /**
   * Milliseconds that are added to the time of new idempotency records, so that the records do not expire too soon. The stored time
   * may lag behind by this much, because every process saves its time only at intervals.
   */
  const ahead = stored === undefined ? 0 : IDEMPOTENCY_INTERVAL_MS;
  /** The elapsed time, in milliseconds, that corresponds to 0 on the monotonic clock. */
  let origin = (stored ?? 0) - clock.monotonicMs();
  const read = () => Math.floor(origin + clock.monotonicMs());
  return {
    /** Returns the time to store in a new idempotency record, and the time of the newest record that has expired. */
    times(): RecordTimes {
      const now = read() + testClock.offsetMs;
      return { now: now + ahead, oldest: now - IDEMPOTENCY_RETENTION_MS };
    },
    /**
     * Stores the elapsed time, or adopts the stored time if it is later. @returns the time of the newest record that has expired
     */
    async save() {
      const now = read();
      const later = singleRow(await database.run(putLater, [String(now)]));
      if (later > now) origin = later - clock.monotonicMs();
      return later + testClock.offsetMs - IDEMPOTENCY_RETENTION_MS;
    },
  };
}
