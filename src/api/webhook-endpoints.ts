import { conditionalEndpoint, type Endpoints, endpoint } from "../http/endpoint.ts";
import { webhookOperations } from "../webhooks/contract.ts";
import { listDeliveries, redeliver, testWebhook } from "../webhooks/deliveries.ts";
import { deliveryOperations } from "../webhooks/delivery-contract.ts";
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
  type WebhookRules,
} from "../webhooks/verbs.ts";

/**
 * Every operation of an environment's webhooks.
 *
 * @param wakeWorker called once deliveries are queued, or are to be dropped
 */
export function webhookEndpoints(
  privateDestinations: WebhookRules["privateDestinations"],
  wakeWorker: () => void,
): Endpoints<typeof webhookOperations & typeof deliveryOperations> {
  const rules = { privateDestinations };
  const { updateWebhook: update, deleteWebhook: remove } = webhookOperations;
  const waking = { onCommitted: wakeWorker };
  return {
    listWebhooks: endpoint(webhookOperations.listWebhooks, listWebhooks),
    createWebhook: endpoint(webhookOperations.createWebhook, (ctx, input) =>
      createWebhook(ctx, input, rules),
    ),
    getWebhook: endpoint(webhookOperations.getWebhook, getWebhook),
    updateWebhook: conditionalEndpoint(
      update,
      (ctx, input) => updateWebhook(ctx, input, rules),
      getWebhook,
      waking,
    ),
    deleteWebhook: conditionalEndpoint(remove, deleteWebhook, getWebhook, waking),
    rotateWebhookSecret: endpoint(webhookOperations.rotateWebhookSecret, rotateWebhookSecret),
    testWebhook: endpoint(deliveryOperations.testWebhook, testWebhook, waking),
    listDeliveries: endpoint(deliveryOperations.listDeliveries, listDeliveries),
    redeliver: endpoint(deliveryOperations.redeliver, redeliver, waking),
  };
}
