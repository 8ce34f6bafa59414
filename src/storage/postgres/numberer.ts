import { NUMBERED_MAX } from "../../limits.ts";
import type { Database, Numberer } from "../database.ts";
import type { Append } from "../insertion.ts";
import { numberColumn } from "../row.ts";
import { type Row, type Statement, statement } from "../statement.ts";
import { queueOf } from "./qualifier.ts";

/** Isolation of numbering: a repeatable read's snapshot precedes the lock, and may be older than the batch before. */
const readCommitted: Statement<[]> = statement("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");

/** Tries to take a lock, which is held until the end of the transaction: a pooler's session is shared. */
const tryLock: Statement<[name: string], boolean> = statement(
  "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS is_locked",
  (row: Row) => Boolean(row["is_locked"]),
);

const selectWaiting = (log: string): Statement<[]> => statement(`SELECT id FROM ${queueOf(log)} LIMIT 1`);

/**
 * Moves the first rows of a queue into their log. They are numbered from its highest number, which was committed, so a lost
 * batch leaves neither a gap nor a duplicate. The log's sequence assigns no number, because they would be committed out of
 * order; it is raised to that number, and beyond it only by `adoptTimeline`.
 */
function moveQueued(schema: string, { log, columns }: Append<never>): Statement<[], number> {
  const queue = queueOf(log);
  const names = columns.map(([name]) => name).join(", ");
  return {
    sql: `WITH last AS MATERIALIZED (
        SELECT highest AS id, setval('${schema}.${log}_id_seq', greatest(highest, 1), highest > 0) FROM (
          SELECT greatest((SELECT max(id) FROM ${log}), (SELECT last_value - (NOT is_called)::int FROM ${log}_id_seq)) AS highest
        ) AS known
      ), moved AS (
        DELETE FROM ${queue} WHERE id <= (
          SELECT max(id) FROM (SELECT id FROM ${queue} ORDER BY id LIMIT (${NUMBERED_MAX})) AS first
        ) RETURNING *
      ), numbered AS (
        INSERT INTO ${log} (id, ${names})
        SELECT (SELECT id FROM last) + row_number() OVER (ORDER BY moved.id), ${names} FROM moved
        RETURNING id
      )
      SELECT count(*) AS count FROM numbered`,
    decode: numberColumn("count"),
  };
}

/** Gives rows of a log their numbers after they were committed: in one transaction at a time, across all processes. */
export function createNumberer(
  schema: string,
  append: Append<never>,
  transact: Pick<Database, "write">["write"],
): Numberer {
  const waiting = selectWaiting(append.log);
  const move = moveQueued(schema, append);
  return () =>
    transact(async (query) => {
      const [, [isLocked]] = await Promise.all([
        query(readCommitted, []),
        query(tryLock, [`${schema}.${append.log}`]),
      ]);
      if (!isLocked) return "locked";
      const [count = 0] = (await query(waiting, [])).length === 0 ? [] : await query(move, []);
      return count < NUMBERED_MAX ? "done" : "more";
    });
}
