import { conditionalEndpoint, endpoint, endpoints } from "../http/endpoint.ts";
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
) {
  const rules = { privateDestinations };
  const operations = { ...webhookOperations, ...deliveryOperations };
  const waking = { onCommitted: wakeWorker };
  return endpoints(operations, {
    listWebhooks,
    createWebhook: (ctx, input) => createWebhook(ctx, input, rules),
    getWebhook,
    updateWebhook: conditionalEndpoint(
      operations.updateWebhook,
      (ctx, input) => updateWebhook(ctx, input, rules),
      getWebhook,
      waking,
    ),
    deleteWebhook: conditionalEndpoint(operations.deleteWebhook, deleteWebhook, getWebhook, waking),
    rotateWebhookSecret,
    testWebhook: endpoint(operations.testWebhook, testWebhook, waking),
    listDeliveries,
    redeliver: endpoint(operations.redeliver, redeliver, waking),
  });
}
