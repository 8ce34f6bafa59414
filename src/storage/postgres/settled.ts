import { SETTLED_LOOKS_MAX, SETTLED_PAUSE_MS } from "../../limits.ts";
import { selectHighestId } from "../catalogue.ts";
import type { AwaitedQuery, Database } from "../database.ts";
import { singleRow, textColumn } from "../row.ts";
import { type Statement, statement } from "../statement.ts";

/** Transactions that write into a table: each has the lock before it takes an identifier. */
const selectWriters: Statement<[table: string], string> = statement(
  `SELECT virtualtransaction AS writer FROM pg_locks WHERE locktype = 'relation' AND mode = 'RowExclusiveLock'
    AND relation = to_regclass($1) AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  (row) => textColumn(row, "writer"),
);

/**
 * A sequence gives out identifiers in order, and they are committed out of it. A lower one than the highest committed was given
 * out before, so that who may still commit it is among those that write at this moment: once they have ended, none is missing.
 *
 * @param read at the primary: a standby does not have its locks
 */
export function createSettledId(schema: string, read: AwaitedQuery): Database["settledId"] {
  return async (table) => {
    const settled = singleRow(await read(selectHighestId(table), []));
    const writersNow = () => read(selectWriters, [`${schema}.${table}`]);
    let writers = await writersNow();
    for (let looks = 0; writers.length > 0; looks++) {
      if (looks === SETTLED_LOOKS_MAX) return undefined;
      await Bun.sleep(SETTLED_PAUSE_MS);
      const others = await writersNow();
      writers = writers.filter((writer) => others.includes(writer));
    }
    return settled;
  };
}
