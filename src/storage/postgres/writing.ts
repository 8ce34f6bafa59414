import type { Maybe } from "../../platform/maybe.ts";
import { type Semaphore, withPermit } from "../../platform/semaphore.ts";
import type { AtomicWrite, AwaitedQuery, Query } from "../database.ts";
import type { Compared, SqlValue } from "../statement.ts";
import type { ChangeUnlocked } from "./group-commit.ts";
import type { ConnectionPool } from "./pool.ts";
import { changeAlone, inTransaction, type TransactionOptions } from "./transaction.ts";

interface WritingOptions extends TransactionOptions {
  readonly read: AwaitedQuery;
  readonly changeUnlocked: ChangeUnlocked;
}

/**
 * Creates the function that runs the work of `Database.write`. The work runs in a transaction, unless it only reads and then makes
 * a single change. If the server refuses that change, nothing was changed, and the work can be run again.
 */
export function createWriting(
  pool: Pick<ConnectionPool, "take">,
  permits: Semaphore,
  { read, changeUnlocked, ...ways }: WritingOptions,
) {
  return async <Result>(work: (query: Query) => Maybe<Result>, atomic?: AtomicWrite, owner?: string) => {
    if (atomic === undefined) return withPermit(permits, () => inTransaction(pool, work, ways), owner);
    const { beforeSending } = atomic;
    let isFirst = true;
    return work((statement, values) => {
      const { compared } = statement;
      if (compared === undefined) return read(statement, values);
      const skips = isFirst && canSkip(compared);
      isFirst = false;
      // The rows that the change returns have the type that the statement declares for its own rows.
      if (skips) return changeUnlocked(compared, values as readonly SqlValue[], beforeSending) as never;
      // If the first attempt changed no row, the row may have been locked. The second attempt waits for the row.
      const changing = () => changeAlone(pool, statement, values, ways, beforeSending);
      return withPermit(permits, changing, owner).finally(() => compared.appends && ways.onAppended());
    });
  };
}

function canSkip(compared: Compared): compared is Required<Compared> {
  return compared.unlessLocked !== undefined;
}
