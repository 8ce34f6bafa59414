import type { Int64 } from "exact-json/int64";
import type { Database } from "../storage/database.ts";
import { dueNew, insertDeliveries, lockTarget, selectBatchEnd, setLastEvent } from "./queue-store.ts";

const DELIVERY_BATCH_EVENTS = 250; // events whose deliveries to a webhook are made in one transaction: a few milliseconds

/**
 * Makes a webhook's deliveries of the next events, in one transaction with the mark up to which it has them: no event is
 * missed, and none gets two.
 */
export async function makeDeliveries(database: Database, webhookId: Int64, now: number): Promise<void> {
  const lock = lockTarget(database.locks.claim);
  const made = await database.write(async (query) => {
    const [after] = await query(lock, [webhookId]);
    if (after === undefined) return [];
    const [upTo] = await query(selectBatchEnd, [after, DELIVERY_BATCH_EVENTS]);
    if (upTo === undefined) return [];
    const inserted = await query(insertDeliveries, [webhookId, after, upTo, now]);
    await query(setLastEvent, [webhookId, upTo]);
    return inserted;
  });
  // After the commit: a delivery that ends meanwhile sees the new ones, or is seen to have ended.
  const [first] = made.toSorted((one, other) => (one < other ? -1 : 1));
  if (first !== undefined) await database.run(dueNew, [webhookId, first, now]);
}
