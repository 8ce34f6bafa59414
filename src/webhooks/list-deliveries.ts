import type { Context } from "../context.ts";
import { readPage } from "../contract/cursor.ts";
import type { Input, Page } from "../contract/operation.ts";
import type { Delivery, deliveryOperations } from "./delivery-contract.ts";
import { gatherDeliveries, selectDeliveryPage, selectDeliveryPageByStatus } from "./delivery-store.ts";
import { requireWebhook } from "./require-webhook.ts";

/** @throws ServiceError `not_found` */
export async function listDeliveries(
  ctx: Context,
  input: Input<typeof deliveryOperations.listDeliveries>,
): Promise<Page<Delivery>> {
  const { webhookId, status } = input;
  await requireWebhook(ctx.query, webhookId);
  return readPage(ctx, input, ["listDeliveries", webhookId, status], async (below, count) =>
    gatherDeliveries(
      status === undefined
        ? await ctx.query(selectDeliveryPage, [webhookId, below, count])
        : await ctx.query(selectDeliveryPageByStatus, [webhookId, below, count, status]),
    ),
  );
}
