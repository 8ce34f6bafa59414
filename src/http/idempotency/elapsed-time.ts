import { IDEMPOTENCY_INTERVAL_MS } from "../../limits.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database, IdempotencyRecord } from "../../storage/database.ts";
import { singleRow, textColumn } from "../../storage/row.ts";
import { type Row, type Statement, statement } from "../../storage/statement.ts";
import type { TestClock } from "../request-context.ts";

const IDEMPOTENCY_RETENTION_MS = 24 * 3_600_000; // then the same key carries its request out anew

/** Milliseconds on the counter. */
export type RecordTimes = Pick<IdempotencyRecord, "now" | "oldest">;

const value = textColumn("value");
const decode = (row: Row) => Number(value(row));

const selectTime: Statement<[], number> = statement(
  "SELECT value FROM setting WHERE name = 'elapsed'",
  decode,
);

/** Of two processes, the one that is ahead has counted what the other has missed. */
const putLater: Statement<[milliseconds: string], number> = statement(
  `INSERT INTO setting (name, value) VALUES ('elapsed', $1) ON CONFLICT (name) DO UPDATE SET value =
      CASE WHEN CAST(excluded.value AS BIGINT) > CAST(setting.value AS BIGINT) THEN excluded.value ELSE setting.value END
    RETURNING value`,
  decode,
);

/**
 * The time that idempotency records go by: a counter in the store, which a serving process advances by its monotonic
 * clock. A machine's clock that is set by years neither ends a record nor prolongs it; while no process serves, the
 * counter stands still.
 *
 * @param testClock of staging: its time counts for records, too
 */
export async function openElapsedTime(
  database: Database,
  clock: Clock,
  testClock: TestClock = { offsetMs: 0 },
) {
  const [stored] = await database.read(selectTime, []);
  if (stored === undefined) await database.run(putLater, ["0"]);
  /** How far another process may be ahead, or this one after its own end: records must not end early, here or there. */
  const ahead = stored === undefined ? 0 : IDEMPOTENCY_INTERVAL_MS;
  /** The counter at the time 0 of the monotonic clock. */
  let origin = (stored ?? 0) - clock.monotonicMs();
  const read = () => Math.floor(origin + clock.monotonicMs());
  return {
    /** The time of a record that is made now, and of the newest that has expired. */
    times(): RecordTimes {
      const now = read() + testClock.offsetMs;
      return { now: now + ahead, oldest: now - IDEMPOTENCY_RETENTION_MS };
    },
    /** Stores the time, or takes over the stored one where another process is ahead. @returns `oldest` */
    async save() {
      const now = read();
      const later = singleRow(await database.run(putLater, [String(now)]));
      if (later > now) origin = later - clock.monotonicMs();
      return later + testClock.offsetMs - IDEMPOTENCY_RETENTION_MS;
    },
  };
}
