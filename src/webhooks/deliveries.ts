import type { Int64 } from "exact-json/int64";
import type { Context } from "../context.ts";
import { readPage } from "../contract/cursor.ts";
import type { Input, Page } from "../contract/operation.ts";
import { gatherAttempts } from "../delivery-queue/store.ts";
import { ServiceError } from "../errors.ts";
import { DELIVERY_SWEEP_ROWS } from "../limits.ts";
import type { Database } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import type { Delivery, deliveryOperations } from "./delivery-contract.ts";
import {
  dropQueued,
  insertTest,
  queueAgain,
  removeDeleted,
  removeFirstAttempts,
  removeFirstDeliveries,
  selectDelivery,
  selectDeliveryPage,
  selectDeliveryPageByStatus,
  selectEnded,
} from "./delivery-store.ts";
import {
  dueOldest,
  insertDeliveries,
  lockTarget,
  selectBatchEnd,
  selectBatchLast,
  setLastEvent,
  type Target,
} from "./queue-store.ts";
import { getWebhook, requireEnabledWebhook } from "./verbs.ts";

/** Returns a page of a webhook's deliveries. @throws ServiceError `not_found` */
export async function listDeliveries(
  ctx: Context,
  input: Input<typeof deliveryOperations.listDeliveries>,
): Promise<Page<Delivery>> {
  const { webhookId, status } = input;
  await getWebhook(ctx, input);
  return readPage(ctx, input, ["listDeliveries", webhookId, status], async (below, count) =>
    gatherAttempts(
      status === undefined
        ? await ctx.query(selectDeliveryPage, [webhookId, below, count])
        : await ctx.query(selectDeliveryPageByStatus, [webhookId, below, count, status]),
    ),
  );
}

/** Returns one delivery of a webhook. @throws ServiceError `not_found` */
export async function getDelivery(
  ctx: Context,
  { webhookId, deliveryId }: Input<typeof deliveryOperations.getDelivery>,
): Promise<Delivery> {
  await getWebhook(ctx, { webhookId });
  const [delivery] = gatherAttempts(await ctx.query(selectDelivery, [webhookId, deliveryId]));
  if (delivery !== undefined) return delivery;
  throw new ServiceError("not_found", `Webhook ${webhookId} has no delivery ${deliveryId}.`);
}

/** Queues a test delivery. @throws ServiceError `not_found`, `webhook_disabled` */
export async function testWebhook(
  ctx: Context,
  { webhookId }: Input<typeof deliveryOperations.testWebhook>,
): Promise<Delivery> {
  await requireEnabledWebhook(ctx, webhookId);
  const [deliveryId = 0] = await ctx.query(insertTest, [webhookId, ctx.now]);
  return getDelivery(ctx, { webhookId, deliveryId });
}

/**
 * Sends a delivery again.
 *
 * @throws ServiceError `not_found` if the delivery or its event has been deleted; `webhook_disabled` if the webhook is disabled
 */
export async function redeliver(
  ctx: Context,
  { webhookId, deliveryId }: Input<typeof deliveryOperations.redeliver>,
): Promise<Delivery> {
  const [queued] = await ctx.query(queueAgain, [webhookId, deliveryId, ctx.now]);
  const delivery = await getDelivery(ctx, { webhookId, deliveryId });
  if (queued !== undefined) return delivery;
  await requireEnabledWebhook(ctx, webhookId);
  throw new ServiceError(
    "not_found",
    `Event ${delivery.eventId} of delivery ${deliveryId} has been deleted. Events are kept for PETSTORE_HISTORY_DAYS days.`,
  );
}

/**
 * Creates a webhook's deliveries for the next batch of events, and advances the webhook's position in the log. Returns false if
 * another transaction has locked the webhook, or has already created these deliveries.
 */
export async function makeDeliveries(database: Database, { id, end }: Target, now: number): Promise<boolean> {
  const made = await database.write(async (query) => {
    const [after] = await query(lockTarget(database.locks.claim), [id]);
    // Another process may already have created the deliveries for these events, or even for later ones.
    if (after === undefined || after >= end) return undefined;
    const upTo = singleRow(await query(selectBatchEnd, [after, end]));
    const inserted = await query(insertDeliveries, { webhookId: id, after, upTo, now });
    await query(setLastEvent, [id, upTo]);
    return inserted;
  });
  // The deliveries are made due only after the commit. If an earlier delivery ends at the same time, either the code that ends it
  // makes the new deliveries due, or this statement sees that the earlier delivery has ended.
  const [first] = made?.toSorted((one, other) => (one < other ? -1 : 1)) ?? [];
  if (first !== undefined) await database.run(dueOldest, [id, first, now]);
  return made !== undefined;
}

/**
 * Creates the functions that repair deliveries. A repair finds queued deliveries that wrongly have no due time, because a process
 * died or a statement failed.
 */
export function createRepair(database: Database) {
  let isNeeded = true;
  /** The identifier of the first delivery in the next batch, keyed by webhook. */
  const rest = new Map<Int64, Int64>();
  return {
    request() {
      isNeeded = true;
    },
    /** Repairs one batch of each webhook's queue. Returns true if more batches remain. */
    async step(webhooks: readonly Target[], now: number): Promise<boolean> {
      if (isNeeded) for (const { id } of webhooks) rest.set(id, 0);
      isNeeded &&= webhooks.length === 0;
      for (const [id, first] of rest) {
        await database.run(dueOldest, [id, first, now]);
        const [last] = await database.run(selectBatchLast, [id, first]);
        if (last === undefined) rest.delete(id);
        else rest.set(id, last);
      }
      return rest.size > 0;
    },
  };
}

/**
 * Drops the queued deliveries of disabled webhooks, and deletes removed webhooks with their deliveries. Each call handles only
 * one batch per webhook, because a transaction that changes a million rows would block all others.
 *
 * @returns true if rows remain
 */
export async function sweepDeliveries(database: Database): Promise<boolean> {
  let isMore = false;
  for (const { id, isDeleted } of await database.read(selectEnded, [])) {
    const swept = isDeleted ? await removeBatch(database, id) : await database.run(dropQueued, [id]);
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
