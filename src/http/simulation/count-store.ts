import type { Database } from "../../storage/database.ts";
import { numberColumn, singleRow } from "../../storage/row.ts";
import { noRows, type Statement, statement } from "../../storage/statement.ts";

/** The requests of a key for an operation with one `Petstore-Simulate` header. */
type CountName = readonly [keyId: string, operation: string, header: string];

/** Yields how many there have been with this one. */
const countRequest: Statement<[...CountName, now: number, oldest: number], number> = statement(
  `INSERT INTO simulation (key_id, operation, header, requests, requested_at) VALUES ($1, $2, $3, 1, $4)
    ON CONFLICT (key_id, operation, header) DO UPDATE SET
      requests = CASE WHEN simulation.requested_at <= $5 THEN 1 ELSE simulation.requests + 1 END,
      requested_at = excluded.requested_at
    RETURNING requests`,
  (row) => numberColumn(row, "requests"),
);

const removeEnded: Statement<[oldest: number], undefined> = statement(
  "DELETE FROM simulation WHERE requested_at <= $1",
  noRows,
);

/**
 * Counts a request, in all processes together. A count ends when no request has come since `oldest`; those that have ended
 * are deleted whenever another one begins.
 */
export async function countSimulated(
  database: Database,
  name: CountName,
  now: number,
  oldest: number,
): Promise<number> {
  const count = singleRow(await database.run(countRequest, [...name, now, oldest]));
  if (count === 1) await database.run(removeEnded, [oldest]);
  return count;
}
