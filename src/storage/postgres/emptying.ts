import { NUMBERED_MAX } from "../../limits.ts";
import type { Maintenance } from "../database.ts";
import { int64Column, singleRow } from "../row.ts";
import { noRows, type Statement } from "../statement.ts";

/**
 * Empties with TRUNCATE: it also takes away what was committed after the transaction's snapshot, waits for who writes, and undoes the
 * restart of a sequence with the transaction. The sequence of a log is set for good; it is behind the log's highest number by one
 * batch of the numberer at most.
 */
export function createEmptying(schema: string): Maintenance["empty"] {
  return async (query, { restarting, continuing, log }) => {
    const truncate = (tables: readonly string[], how: string): Statement<[], undefined> => ({
      sql: `TRUNCATE ${tables.map((table) => `${schema}.${table}`).join(", ")} ${how}`,
      decode: noRows,
    });
    await query(truncate(restarting, "RESTART IDENTITY"), []);
    await query(truncate([...continuing, log], "CONTINUE IDENTITY"), []);
    const raise: Statement<[], bigint> = {
      sql: `SELECT setval('${schema}.${log}_id_seq', last_value + ${NUMBERED_MAX + 1}) AS last FROM ${schema}.${log}_id_seq`,
      decode: (row) => BigInt(int64Column(row, "last")),
    };
    return singleRow(await query(raise, []));
  };
}
