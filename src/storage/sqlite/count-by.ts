import type { Database as Connection } from "bun:sqlite";
import { inTurn } from "../../platform/turns.ts";
import type { Query, WholeTables } from "../database.ts";
import { members, nullable, numberColumn, singleRow } from "../row.ts";
import { noRows, type Statement } from "../statement.ts";
import { connect, createQuery } from "./connection.ts";
import { asServiceError } from "./errors.ts";

const STEP_ROWS = 5_000; // number of rows that are counted before other requests get a turn; counting them takes less than a millisecond

type Step = Statement<
  [value: string | null, after: number, limit: number, ...among: string[]],
  { readonly found: number; readonly last: number | null }
>;

type CountBy = WholeTables["countBy"];

/**
 * Creates `countBy` for a query whose data does not change while it counts. It counts in steps, and other requests can run
 * between two steps.
 */
export function countWith(query: Query): CountBy {
  return async (table, column, values, among) => {
    const step: Step = {
      sql: `SELECT count(*) AS found, max(id) AS last FROM (SELECT id FROM ${table}
        WHERE ${column} IS $1${among ? ` AND ${among.column} = $4` : ""} AND id > $2 ORDER BY id LIMIT CAST($3 AS BIGINT))`,
      decode: members({ found: numberColumn, last: nullable(numberColumn) }),
    };
    const rest = among ? [among.value] : [];
    async function count(value: string | null): Promise<number> {
      let total = 0;
      for (let after = 0; ; ) {
        const from = after;
        const counted = await inTurn(query, () => query(step, [value, from, STEP_ROWS, ...rest]));
        const { found, last } = singleRow(counted);
        total += found;
        if (found < STEP_ROWS || last === null) return total;
        after = last;
      }
    }
    const counts: number[] = [];
    for (const value of values) counts.push(await count(value));
    return counts;
  };
}

/**
 * Creates `countBy` for a database that other requests change at the same time. Each count opens a connection, whose transaction
 * shows the data as it was at one moment.
 */
export function createCounter(file: string) {
  const open = new Set<Connection>();
  let isClosed = false;

  const countBy: CountBy = async (...given) => {
    const connection = await connect(file, false).catch((error: unknown) => {
      throw asServiceError(error);
    });
    open.add(connection);
    try {
      if (isClosed) throw new Error("The database has been closed.");
      const query = createQuery(connection, { isReading: true });
      await query(BEGIN, []);
      return await countWith(query)(...given);
    } finally {
      open.delete(connection);
      connection.close();
    }
  };

  return {
    countBy,
    /**
     * Ends all running counts. Their open connections would otherwise prevent the log from being copied to the database file when
     * the database is closed.
     */
    close() {
      isClosed = true;
      for (const connection of open) connection.close();
    },
  };
}

const BEGIN: Statement<[]> = { sql: "BEGIN", decode: noRows };
