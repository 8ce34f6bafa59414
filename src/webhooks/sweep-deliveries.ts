import type { Int64 } from "exact-json/int64";
import { DELIVERY_SWEEP_ROWS } from "../limits.ts";
import type { Database } from "../storage/database.ts";
import {
  dropWaiting,
  removeDeleted,
  removeFirstAttempts,
  removeFirstDeliveries,
  selectEnded,
} from "./delivery-store.ts";

/**
 * Drops what waits for disabled webhooks, and deletes deleted ones with their deliveries: for each webhook a batch, since a
 * transaction for a million would hold up all others.
 *
 * @returns whether there is more
 */
export async function sweepDeliveries(database: Database): Promise<boolean> {
  let isMore = false;
  for (const { id, isDeleted } of await database.read(selectEnded, [])) {
    const swept = isDeleted ? await removeBatch(database, id) : await database.run(dropWaiting, [id]);
    if (swept.length === DELIVERY_SWEEP_ROWS) isMore = true;
  }
  return isMore;
}

function removeBatch(database: Database, webhookId: Int64): Promise<readonly Int64[]> {
  return database.write(async (query) => {
    await query(removeFirstAttempts, [webhookId]);
    const removed = await query(removeFirstDeliveries, [webhookId]);
    if (removed.length < DELIVERY_SWEEP_ROWS) await query(removeDeleted, [webhookId]);
    return removed;
  });
}
