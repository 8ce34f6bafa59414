import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import type { Delivery, deliveryOperations } from "./delivery-contract.ts";
import { insertTest } from "./delivery-store.ts";
import { requireDelivery } from "./require-delivery.ts";
import { requireEnabledWebhook } from "./require-webhook.ts";

/** @throws ServiceError `not_found`, `webhook_disabled` */
export async function testWebhook(
  { query, now }: Context,
  { webhookId }: Input<typeof deliveryOperations.testWebhook>,
): Promise<Delivery> {
  await requireEnabledWebhook(query, webhookId);
  const [id = 0] = await query(insertTest, [webhookId, now]);
  return requireDelivery(query, webhookId, id);
}
