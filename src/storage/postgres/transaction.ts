import type { SQL } from "bun";
import { CONFLICT_PAUSE_MAX_MS, CONFLICT_RETRIES_MAX } from "../../limits.ts";
import type { Maybe } from "../../platform/maybe.ts";
import { systemRandomBytes } from "../../platform/random.ts";
import type { OnCommit, Query } from "../database.ts";
import { command, execute, reserve } from "./connection.ts";
import { asOutcome, isConflict } from "./errors.ts";

export async function inTransaction<Result>(
  sql: SQL,
  work: (query: Query) => Maybe<Result>,
  onCommit: OnCommit,
): Promise<Result> {
  const connection = await reserve(sql);
  let isBroken = false;
  let isOpen = true;
  const query: Query = (statement, values) => {
    if (!isOpen) throw new Error("A transaction's query was used after its work had ended.");
    return execute(connection, statement, values);
  };
  try {
    // Not waited for: the connection keeps the order, and the first statement goes out with it.
    const begun = command(connection, "BEGIN");
    begun.catch(() => {});
    const result = await work(query);
    isOpen = false;
    await begun;
    await timed(onCommit, () => knowingOutcome(() => command(connection, "COMMIT")));
    return result;
  } catch (error) {
    isOpen = false;
    await command(connection, "ROLLBACK").catch(() => {
      isBroken = true;
    });
    throw error;
  } finally {
    // A connection that could not be rolled back must not be handed to the next one as it is.
    await (isBroken ? connection.close({ timeout: 0 }) : connection.release());
  }
}

export async function knowingOutcome<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    throw asOutcome(error);
  }
}

/** Failed commits are not measured. */
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

/** Milliseconds, longer with every try and never the same for two, so that rivals do not meet again. */
function conflictPause(retry: number): number {
  const [byte = 0] = systemRandomBytes(1);
  return Math.min(2 ** retry, CONFLICT_PAUSE_MAX_MS) * (byte / 255);
}

export async function retryConflicts<Value>(run: () => Promise<Value>): Promise<Value> {
  for (let retry = 0; ; retry++) {
    try {
      return await run();
    } catch (error) {
      if (retry >= CONFLICT_RETRIES_MAX || !isConflict(error)) throw error;
      await Bun.sleep(conflictPause(retry));
    }
  }
}
