import type { Context } from "../context.ts";
import { readPage } from "../contract/cursor.ts";
import type { Input, Page } from "../contract/operation.ts";
import type { Delivery, deliveryOperations } from "./delivery-contract.ts";
import { gatherDeliveries, selectDeliveryPage, selectDeliveryPageByStatus } from "./delivery-store.ts";
import { requireWebhook } from "./require-webhook.ts";

/** @throws ServiceError `not_found` */
export async function listDeliveries(
  { actor, query }: Context,
  input: Input<typeof deliveryOperations.listDeliveries>,
): Promise<Page<Delivery>> {
  const { webhookId, status } = input;
  await requireWebhook(query, webhookId);
  return readPage(actor, input, ["listDeliveries", webhookId, status], async (below, count) =>
    gatherDeliveries(
      status === undefined
        ? await query(selectDeliveryPage, [webhookId, below, count])
        : await query(selectDeliveryPageByStatus, [webhookId, below, count, status]),
    ),
  );
}
