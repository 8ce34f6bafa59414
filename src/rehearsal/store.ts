import { IDEMPOTENCY_INTERVAL_MS } from "../limits.ts";
import type { Query } from "../storage/database.ts";
import { noRows, type SqlValue, type Statement, statement } from "../storage/statement.ts";

export const setClockOffset: Statement<[offsetMs: number], undefined> = statement(
  "UPDATE rehearsal SET clock_offset = $1",
  noRows,
);

const ELAPSED = "COALESCE((SELECT CAST(value AS BIGINT) FROM setting WHERE name = 'elapsed'), 0) + $1";

/** Records that were made later than the clock shows now would last until it shows their time again. Processes count apart by some minutes. */
export const clampRecords: Statement<[offsetMs: number], undefined> = statement(
  `UPDATE idempotency_record SET created_at = ${ELAPSED} WHERE created_at > ${ELAPSED} + ${2 * IDEMPOTENCY_INTERVAL_MS}`,
  noRows,
);

export const setStore: Statement<[storeId: string, lastEventId: bigint], undefined> = statement(
  "UPDATE rehearsal SET store_id = $1, last_event_id = $2",
  noRows,
);

/** Rows in one statement. */
const ROWS_MAX = 500;

/** Adds rows, with identifiers in their order. They make no events. */
export async function insertRows(
  query: Query,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_MAX) {
    const some = rows.slice(start, start + ROWS_MAX);
    const places = some.map(
      (_, row) => `(${columns.map((_, column) => `$${row * columns.length + column + 1}`).join(", ")})`,
    );
    const sql = `INSERT INTO ${table} (${columns.join(", ")}) VALUES ${places.join(", ")}`;
    const insertion: Statement<readonly SqlValue[], undefined> = { sql, decode: noRows };
    await query(insertion, some.flat());
  }
}
