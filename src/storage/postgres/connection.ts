import type { SQL } from "bun";
import type { Row, SqlValue, Statement } from "../statement.ts";
import { withDeadline } from "./deadline.ts";
import { isReadOnly } from "./errors.ts";
import type { ConnectionPool, PooledConnection } from "./pool.ts";

const STATEMENT_DEADLINE_MS = 4_000; // then 503; only a statement that does not commit is cancelled

/** Action at a missed deadline. A cancelled commit would be acknowledged with the standby still without it. */
type WhenLate = "cancel" | "leave";

/** Runs a statement on a shared connection, with a deadline. */
export function executeShared<Result>(
  pool: Pick<ConnectionPool, "share">,
  statement: Statement<never, Result>,
  values: readonly SqlValue[],
  whenLate: WhenLate,
): Promise<readonly Result[]> {
  return pool.share((connection) => execute(connection, statement, values, whenLate));
}

export async function execute<Result>(
  connection: PooledConnection,
  statement: Statement<never, Result>,
  values: readonly SqlValue[],
  whenLate: WhenLate,
): Promise<readonly Result[]> {
  const query = connection.sql.unsafe<Row[]>(statement.sql, [...values]);
  try {
    return (await answerOf(connection, query, whenLate)).map(statement.decode);
  } catch (error) {
    if (isReadOnly(error)) connection.retire();
    throw error;
  }
}

export function command(connection: PooledConnection, sql: string, whenLate: WhenLate): Promise<unknown> {
  return answerOf(connection, connection.sql.unsafe(sql).execute(), whenLate);
}

function answerOf<Value>(
  connection: PooledConnection,
  query: SQL.Query<Value>,
  whenLate: WhenLate,
): Promise<Value> {
  return withDeadline(query, STATEMENT_DEADLINE_MS, () => {
    // PgBouncer 1.18 ends when the sender of a request to cancel leaves before a frozen server has taken it.
    if (whenLate === "leave" || connection.isShared) return connection.waitFor(query);
    query.cancel();
    // The driver ends a cancelled query at once; the next one is answered after the server has ended it, too.
    connection.waitFor(connection.sql.unsafe("SELECT 1").execute());
  });
}
