import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import type { Delivery, deliveryOperations } from "./delivery-contract.ts";
import { queueAgain } from "./delivery-store.ts";
import { requireDelivery } from "./require-delivery.ts";
import { requireEnabledWebhook } from "./require-webhook.ts";

/** @throws ServiceError `not_found`, also where the event was pruned, `webhook_disabled` */
export async function redeliver(
  { query, now }: Context,
  { webhookId, deliveryId }: Input<typeof deliveryOperations.redeliver>,
): Promise<Delivery> {
  const [queued] = await query(queueAgain, [webhookId, deliveryId, now]);
  if (queued === undefined) await requireEnabledWebhook(query, webhookId);
  const delivery = await requireDelivery(query, webhookId, deliveryId);
  if (queued !== undefined) return delivery;
  throw new ServiceError(
    "not_found",
    `Event ${delivery.eventId} of delivery ${deliveryId} has been pruned. Events are kept for PETSTORE_HISTORY_DAYS days.`,
  );
}
