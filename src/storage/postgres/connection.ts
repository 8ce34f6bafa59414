import type { SQL } from "bun";
import { inOrder, type Row, type Statement, type Values } from "../statement.ts";
import { withDeadline } from "./deadline.ts";
import { isReadOnly } from "./errors.ts";
import type { ConnectionPool, PooledConnection } from "./pool.ts";

const STATEMENT_DEADLINE_MS = 4_000; // deadline of a statement; after that, the response is 503, and the statement is cancelled unless it commits a change

/**
 * The reaction to a statement that misses its deadline: cancel it, or leave it running. A statement that commits is left running.
 * If the commit were cancelled while it waits for a standby, the server would acknowledge it although no standby has received it.
 */
type WhenLate = "cancel" | "leave";

/** Runs a statement with a deadline, on a connection that other callers use at the same time. */
export function executeShared<Result>(
  pool: Pick<ConnectionPool, "share">,
  statement: Statement<never, Result>,
  values: Values,
  whenLate: WhenLate,
): Promise<readonly Result[]> {
  return pool.share((connection) => execute(connection, statement, values, whenLate));
}

export async function execute<Result>(
  connection: PooledConnection,
  statement: Statement<never, Result>,
  values: Values,
  whenLate: WhenLate,
): Promise<readonly Result[]> {
  const query = connection.sql.unsafe<Row[]>(statement.sql, [...inOrder(statement, values)]);
  try {
    return (await answerOf(connection, query, whenLate)).map(statement.decode);
  } catch (error) {
    if (isReadOnly(error)) connection.retire();
    throw error;
  }
}

/** Waits for the answer to a query that has already been sent, but only until the deadline. */
export function answerOf<Value>(
  connection: PooledConnection,
  query: SQL.Query<Value>,
  whenLate: WhenLate,
): Promise<Value> {
  return withDeadline(query, STATEMENT_DEADLINE_MS, () => {
    // Queries are never cancelled through a pooler, because PgBouncer 1.18 crashes if the sender of a cancel request disconnects
    // before a frozen server has received the request.
    if (whenLate === "leave" || connection.isShared) return connection.waitFor(query);
    query.cancel();
    // The driver reports a cancelled query as ended immediately, although the server may still be working on it. For this reason,
    // another query is sent: when the server answers that one, the cancelled query has really ended.
    connection.waitFor(connection.sql.unsafe("SELECT 1").execute());
  });
}
