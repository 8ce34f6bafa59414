import type { Maybe } from "../../platform/maybe.ts";
import { type Semaphore, withPermit } from "../../platform/semaphore.ts";
import type { AtomicWrite, AwaitedQuery, Query } from "../database.ts";
import type { ConnectionPool } from "./pool.ts";
import { changeAlone, inTransaction, type TransactionOptions } from "./transaction.ts";

interface WritingOptions extends TransactionOptions {
  readonly read: AwaitedQuery;
  /** Runs a change on a connection that other callers use at the same time. */
  readonly run: AwaitedQuery;
}

/**
 * Creates a function that runs work in a transaction or, if the work reads before its only change, without one. If the server
 * refuses the change, nothing was changed, and the work may run again.
 */
export function createWriting(
  pool: Pick<ConnectionPool, "take">,
  permits: Semaphore,
  { read, run, ...ways }: WritingOptions,
) {
  return async <Result>(work: (query: Query) => Maybe<Result>, atomic?: AtomicWrite, owner?: string) => {
    if (atomic === undefined) return withPermit(permits, () => inTransaction(pool, work, ways), owner);
    const { beforeSending } = atomic;
    const runNow: AwaitedQuery = async (statement, values) => {
      beforeSending?.();
      return run(statement, values);
    };
    let isFirst = true;
    return work((statement, values) => {
      const { compared } = statement;
      if (compared === undefined) return read(statement, values);
      const unlessLocked = isFirst ? compared.unlessLocked : undefined;
      isFirst = false;
      // A change that changed no row may have found the row locked. When it is tried again, it waits for the row.
      const changing =
        unlessLocked === undefined
          ? withPermit(permits, () => changeAlone(pool, statement, values, ways, beforeSending), owner)
          : runNow(unlessLocked as typeof statement, values);
      return changing.finally(() => compared.appends && ways.onAppended());
    });
  };
}
