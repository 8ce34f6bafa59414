import { type ReservedSQL, SQL } from "bun";
import {
  ACQUIRE_DEADLINE_MS,
  CONNECT_DEADLINE_SECONDS,
  SERVER_STATEMENT_TIMEOUT_MS,
  STATEMENT_DEADLINE_MS,
} from "../../limits.ts";
import type { Row, SqlValue, Statement } from "../database.ts";
import { DeadlineError } from "./errors.ts";

export function connect(url: string, max: number, settings: Readonly<Record<string, string | boolean>>): SQL {
  return new SQL({
    url,
    max,
    bigint: true,
    connectionTimeout: CONNECT_DEADLINE_SECONDS,
    connection: {
      application_name: "petstore",
      statement_timeout: SERVER_STATEMENT_TIMEOUT_MS,
      // A process that dies in the middle of a transaction must not keep its locks.
      idle_in_transaction_session_timeout: SERVER_STATEMENT_TIMEOUT_MS,
      ...settings,
    },
  });
}

/** Runs one statement within its deadline; after it, the statement is cancelled and not waited for. */
export async function execute<Result>(
  sql: SQL | ReservedSQL,
  statement: Statement<never, Result>,
  values: readonly SqlValue[],
): Promise<readonly Result[]> {
  const query = sql.unsafe<Row[]>(statement.sql, [...values]);
  const rows = await withDeadline(query, STATEMENT_DEADLINE_MS, () => query.cancel());
  return rows.map(statement.decode);
}

async function withDeadline<Value>(
  promise: Promise<Value>,
  milliseconds: number,
  onLate: () => unknown,
): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new DeadlineError(`No answer within ${milliseconds} ms.`));
    onLate();
  }, milliseconds);
  // After the deadline its rejection would be unhandled.
  promise.catch(() => {});
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

export function command(connection: ReservedSQL, sql: string): Promise<unknown> {
  const query = connection.unsafe(sql).execute();
  return withDeadline(query, STATEMENT_DEADLINE_MS, () => query.cancel());
}

/** @throws DeadlineError when no connection is free in time */
export async function reserve(sql: SQL): Promise<ReservedSQL> {
  const signal = AbortSignal.timeout(ACQUIRE_DEADLINE_MS);
  try {
    return await sql.reserve({ signal });
  } catch (error) {
    if (error !== signal.reason) throw error;
    throw new DeadlineError(`No connection within ${ACQUIRE_DEADLINE_MS} ms.`, { cause: error });
  }
}
