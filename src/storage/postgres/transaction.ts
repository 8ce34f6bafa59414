import type { Maybe } from "../../platform/maybe.ts";
import { systemRandomBytes } from "../../platform/random.ts";
import type { OnCommit, Query } from "../database.ts";
import { isAppend } from "../insertion.ts";
import { command, execute } from "./connection.ts";
import { asOutcome, isConflict, isDuplicate } from "./errors.ts";
import type { ConnectionPool, PooledConnection } from "./pool.ts";
import type { Qualifier } from "./qualifier.ts";

const CONFLICT_RETRIES_MAX = 40; // retries of a transaction in conflict with others, before the response is 503
const CONFLICT_PAUSE_MAX_MS = 32; // longest random pause before such a retry

interface TransactionOptions {
  readonly qualified: Qualifier;
  readonly onCommit: OnCommit;
  /** Called after the end of a transaction that has appended to a log, committed or not. */
  readonly onAppended: () => void;
}

export function inTransaction<Result>(
  pool: Pick<ConnectionPool, "take">,
  work: (query: Query) => Maybe<Result>,
  options: TransactionOptions,
): Promise<Result> {
  return pool.take((connection) => runTransaction(connection, work, options));
}

async function runTransaction<Result>(
  connection: PooledConnection,
  work: (query: Query) => Maybe<Result>,
  { qualified, onCommit, onAppended }: TransactionOptions,
): Promise<Result> {
  let isOpen = true;
  let isCommitting = false;
  let appends = false;
  const query: Query = (statement, values) => {
    if (!isOpen) throw new Error("A transaction's query was used after its work had ended.");
    appends ||= isAppend(statement);
    return execute(connection, qualified(statement), values, "cancel");
  };
  try {
    // Not awaited, so that the first statement is sent together with it; the connection keeps their order.
    const begun = command(connection, connection.begin, "cancel");
    begun.catch(() => {});
    const result = await work(query);
    isOpen = false;
    await begun;
    isCommitting = true;
    await timed(onCommit, () => knowingOutcome(() => command(connection, "COMMIT", "leave")));
    return result;
  } catch (error) {
    isOpen = false;
    // A connection that cannot be rolled back is closed, so that the pool never reuses it.
    if (!isCommitting) await command(connection, "ROLLBACK", "cancel").catch(connection.close);
    throw error;
  } finally {
    if (appends) onAppended();
  }
}

export async function knowingOutcome<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    throw asOutcome(error);
  }
}

/** Measures the seconds of successful commits. */
export async function timed<Result>(
  onCommit: OnCommit,
  commit: () => Promise<Result>,
  writes = 1,
): Promise<Result> {
  const startedAt = performance.now();
  const result = await commit();
  onCommit(writes, (performance.now() - startedAt) / 1000);
  return result;
}

/** Pause before a retry, in milliseconds: increasing with every retry and random, so that rivals do not conflict again. */
function conflictPause(retry: number): number {
  const [byte = 0] = systemRandomBytes(1);
  return Math.min(2 ** retry, CONFLICT_PAUSE_MAX_MS) * (byte / 255);
}

export async function retryConflicts<Value>(run: () => Promise<Value>): Promise<Value> {
  for (let retry = 0; ; retry++) {
    try {
      return await run();
    } catch (error) {
      // A value that another transaction has just taken: the next run finds it, and says who has it.
      if (retry >= CONFLICT_RETRIES_MAX || !(isConflict(error) || isDuplicate(error))) throw error;
      await Bun.sleep(conflictPause(retry));
    }
  }
}
