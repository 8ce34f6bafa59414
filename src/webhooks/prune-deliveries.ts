import type { Int64 } from "exact-json/int64";
import { DELIVERY_SWEEP_ROWS } from "../limits.ts";
import type { Database } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import { pruneAttempts, pruneDeliveries as removeSettled, selectPruneBatch } from "./queue-store.ts";

/**
 * Deletes deliveries that were made before this and wait no more, with their attempts: a batch in each transaction, the oldest
 * first, until one has no such delivery.
 *
 * @param before milliseconds since 1970
 */
export async function pruneDeliveries(database: Database, before: number): Promise<void> {
  let after: Int64 | undefined = 0;
  while (after !== undefined) after = await pruneBatch(database, after, before);
}

/** @returns the last delivery that it has looked at; undefined when there is nothing more to delete */
async function pruneBatch(
  { read, write }: Database,
  after: Int64,
  before: number,
): Promise<Int64 | undefined> {
  const { last, old } = singleRow(await read(selectPruneBatch, [after, before, DELIVERY_SWEEP_ROWS]));
  if (last === undefined || old === 0) return undefined;
  await write(async (query) => {
    await query(pruneAttempts, [after, last, before]);
    await query(removeSettled, [after, last, before]);
  });
  return last;
}
