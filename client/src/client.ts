// The entry point of the package @petstore/client.
import { type Categories, categoryMethods } from "./categories.ts";
import { type Events, eventMethods } from "./events.ts";
import { keyMethods, type OwnKey } from "./key.ts";
import { type Messages, messageMethods } from "./messages.ts";
import type { ClientOptions } from "./options.ts";
import { type Orders, orderMethods } from "./orders.ts";
import { type Pets, petMethods } from "./pets.ts";
import { type Rehearsal, rehearsalMethods } from "./rehearsal.ts";
import { readSettings } from "./settings.ts";
import { type Webhooks, webhookMethods } from "./webhooks.ts";

export type { Int64 } from "exact-json/int64";
// biome-ignore lint/performance/noBarrelFile: a published package needs one entry point, which exports every public name
export {
  type MemberError,
  PetstoreConflictError,
  PetstoreConnectionError,
  PetstoreError,
  PetstoreForbiddenError,
  PetstoreInvalidError,
  PetstoreNotFoundError,
  PetstoreRateLimitError,
  PetstoreServerError,
  PetstoreUnauthorizedError,
  type UnknownErrorCode,
} from "./errors.ts";
export { etagOf } from "./etag.ts";
export type { FollowOptions } from "./follow.ts";
export type { Answer, Hooks, Retry, SentRequest } from "./hooks.ts";
export type { List, Page } from "./list.ts";
export type { CallOptions, ChangeOptions, ClientOptions, Fetch } from "./options.ts";
export type {
  Category,
  CategoryEvent,
  CategoryPatch,
  Delivery,
  DeliveryAttempt,
  DeliveryFilter,
  DeliveryStatus,
  DeliveryType,
  ErrorCode,
  Event,
  EventActor,
  EventFilter,
  EventType,
  Fixture,
  Inventory,
  Key,
  Message,
  MessageWithAttempts,
  NewCategory,
  NewMessage,
  NewOrder,
  NewPet,
  NewReset,
  NewTestClock,
  NewWebhook,
  Order,
  OrderEvent,
  OrderFilter,
  Paging,
  Pet,
  PetEvent,
  PetFilter,
  PetPatch,
  PetStatus,
  PreviousCategory,
  PreviousOrder,
  PreviousPet,
  Reset,
  SecretRotation,
  SubmittedMessage,
  TestClock,
  Webhook,
  WebhookPatch,
  WebhookPayload,
  WebhookStatus,
  WebhookWithSecret,
} from "./types.ts";
export { type VerifyOptions, verifyWebhook } from "./verify-webhook.ts";
export { type WebhookHeaders, WebhookVerificationError } from "./webhook-signature.ts";
export type { Categories, Events, Messages, Orders, OwnKey, Pets, Rehearsal, Webhooks };

export interface Client {
  readonly pets: Pets;
  readonly categories: Categories;
  readonly orders: Orders;
  readonly events: Events;
  readonly webhooks: Webhooks;
  readonly messages: Messages;
  readonly key: OwnKey;
  readonly rehearsal: Rehearsal;
}

/**
 * Creates a client that has every operation as a method. Integers are exact, and transient failures are retried safely.
 *
 * Every method rejects with `PetstoreError` if the service answers with an error, and with `PetstoreConnectionError` if there
 * is no usable response.
 *
 * @throws TypeError for an invalid option
 */
export function createClient(options: ClientOptions = {}): Client {
  const settings = readSettings(options);
  return {
    pets: petMethods(settings),
    categories: categoryMethods(settings),
    orders: orderMethods(settings),
    events: eventMethods(settings),
    webhooks: webhookMethods(settings),
    messages: messageMethods(settings),
    key: keyMethods(settings),
    rehearsal: rehearsalMethods(settings),
  };
}
