import type { Int64 } from "exact-json/int64";
import { digits, withQuery } from "./address.ts";
import { type List, listAt } from "./list.ts";
import type { CallOptions, ChangeOptions } from "./options.ts";
import { createRequester } from "./request.ts";
import type { Settings } from "./settings.ts";
import type {
  Delivery,
  DeliveryFilter,
  NewWebhook,
  Paging,
  SecretRotation,
  Webhook,
  WebhookPatch,
  WebhookWithSecret,
} from "./types.ts";

/** Operations on webhooks, which are URLs that the service sends events to. The client needs an API key of an owner. Beta. */
export interface Webhooks {
  /** `listWebhooks`: lists all webhooks, newest first. */
  list(paging?: Paging, call?: CallOptions): List<Webhook>;
  /**
   * `createWebhook`: adds a webhook, which receives events from now on. Only this result contains the secret that `verifyWebhook`
   * needs.
   */
  create(newWebhook: NewWebhook, call?: CallOptions): Promise<WebhookWithSecret>;
  /** `getWebhook`: reads one webhook, without its secret. */
  get(id: Int64, call?: CallOptions): Promise<Webhook>;
  /** `updateWebhook`: changes the given members; `status: "enabled"` enables the webhook again. */
  update(id: Int64, patch: WebhookPatch, call?: ChangeOptions): Promise<Webhook>;
  /** `deleteWebhook`: removes a webhook and its deliveries. */
  delete(id: Int64, call?: ChangeOptions): Promise<void>;
  /**
   * `rotateWebhookSecret`: creates a new secret. Only this result contains it. During the overlap, deliveries are also signed
   * with the old secret.
   */
  rotateSecret(id: Int64, rotation?: SecretRotation, call?: ChangeOptions): Promise<WebhookWithSecret>;
  /** `testWebhook`: sends a `webhook.test` event to a webhook. */
  test(id: Int64, call?: CallOptions): Promise<Delivery>;
  /** `listDeliveries`: lists the deliveries to a webhook, with their attempts, newest first. */
  deliveries(id: Int64, filter?: DeliveryFilter & Paging, call?: CallOptions): List<Delivery>;
  /** `getDelivery`: reads one delivery, with its attempts. */
  delivery(id: Int64, deliveryId: Int64, call?: CallOptions): Promise<Delivery>;
  /** `redeliver`: sends a delivery again. */
  redeliver(id: Int64, deliveryId: Int64, call?: CallOptions): Promise<Delivery>;
}

export function webhookMethods(settings: Settings): Webhooks {
  const { get, post, patch, delete: remove } = createRequester(settings);
  const collection = `${settings.storeUrl}/webhooks`;
  const item = (id: Int64) => `${collection}/${digits(id)}`;
  const deliveries = (id: Int64) => `${item(id)}/deliveries`;
  const delivery = (id: Int64, deliveryId: Int64) => `${deliveries(id)}/${digits(deliveryId)}`;
  return {
    list: (paging = {}, call) => listAt(settings, () => withQuery(collection, { ...paging }), call),
    create: async (newWebhook, call) => post(collection, newWebhook, call),
    get: async (id, call) => get(item(id), call),
    update: async (id, changes, call) => patch(item(id), changes, call),
    delete: async (id, call) => remove(item(id), call),
    rotateSecret: async (id, rotation = {}, call) => post(`${item(id)}/rotate-secret`, rotation, call),
    test: async (id, call) => post(`${item(id)}/test`, undefined, call),
    deliveries: (id, filter = {}, call) =>
      listAt(settings, () => withQuery(deliveries(id), { ...filter }), call),
    delivery: async (id, deliveryId, call) => get(delivery(id, deliveryId), call),
    redeliver: async (id, deliveryId, call) => post(`${delivery(id, deliveryId)}/redeliver`, undefined, call),
  };
}
