import type { Maybe } from "../../platform/maybe.ts";
import { type Semaphore, withPermit } from "../../platform/semaphore.ts";
import type { AtomicWrite, AwaitedQuery, Query } from "../database.ts";
import type { Compared, SqlValue } from "../statement.ts";
import { RowTakenError } from "./errors.ts";
import type { ChangeUnlocked } from "./group-commit.ts";
import type { ConnectionPool } from "./pool.ts";
import { inTransaction, lostToAnother, retryConflicts, type TransactionOptions } from "./transaction.ts";

interface WritingOptions extends TransactionOptions {
  readonly read: AwaitedQuery;
  readonly changeUnlocked: ChangeUnlocked;
}

type Work<Result> = (query: Query) => Maybe<Result>;

/**
 * Creates the function that runs the work of `Database.write`. The work runs in a transaction, unless it only reads and then
 * makes a single change. That change has no effect if another client has changed or locked the row. The work then runs again in a
 * transaction, which waits for the row.
 */
export function createWriting(
  pool: Pick<ConnectionPool, "take">,
  permits: Semaphore,
  { read, changeUnlocked, ...ways }: WritingOptions,
) {
  // The work keeps its semaphore permit while it is retried. Otherwise, it would have to wait behind all other work again.
  const transact = <Result>(work: Work<Result>, owner?: string) =>
    withPermit(permits, () => retryConflicts(() => inTransaction(pool, work, ways)), owner);
  return async <Result>(work: Work<Result>, atomic?: AtomicWrite, owner?: string): Promise<Result> => {
    if (atomic === undefined) return transact(work, owner);
    const { beforeSending } = atomic;
    const changeNow: AwaitedQuery = async ({ compared }, values) => {
      if (!canSkip(compared)) throw new RowTakenError("The change may have to wait for another transaction.");
      const rows = await changeUnlocked(compared, values as readonly SqlValue[], beforeSending);
      if (rows.length === 0) throw new RowTakenError("Another transaction has changed or locked the row.");
      // The cast is safe, because a change returns rows of the type that its `Statement` declares.
      return rows as never;
    };
    try {
      return await work((statement, values) => (statement.compared ? changeNow : read)(statement, values));
    } catch (error) {
      if (!lostToAnother(error)) throw error;
    }
    const again = (query: Query) => {
      beforeSending?.();
      return work(query);
    };
    return transact(again, owner);
  };
}

function canSkip(compared: Compared | undefined): compared is Required<Compared> {
  return compared?.unlessLocked !== undefined;
}
