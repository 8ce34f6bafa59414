import { IDEMPOTENCY_INTERVAL_MS } from "../limits.ts";
import { numberColumn, textColumn } from "../storage/row.ts";
import { noRows, type Statement, statement } from "../storage/statement.ts";

/** How staging is rehearsed with. */
export interface RehearsalRow {
  /** Milliseconds that the test clock is ahead of the service's own. */
  readonly offsetMs: number;
  /** Another one after each reset; empty before the first. */
  readonly storeId: string;
}

export const selectRehearsal: Statement<[], RehearsalRow> = statement(
  "SELECT clock_offset, store_id FROM rehearsal",
  (row) => ({ offsetMs: numberColumn(row, "clock_offset"), storeId: textColumn(row, "store_id") }),
);

export const setClockOffset: Statement<[offsetMs: number], undefined> = statement(
  "UPDATE rehearsal SET clock_offset = $1",
  noRows,
);

const ELAPSED = "(SELECT milliseconds FROM elapsed_time WHERE name = 'idempotency') + $1";

/** Records that were made later than the clock shows now would last until it shows their time again. Processes count apart by some minutes. */
export const clampRecords: Statement<[offsetMs: number], undefined> = statement(
  `UPDATE idempotency_record SET created_at = ${ELAPSED} WHERE created_at > ${ELAPSED} + ${2 * IDEMPOTENCY_INTERVAL_MS}`,
  noRows,
);
