// Written by npm run docs from the OpenAPI documents.
import type { Int64 } from "exact-json/int64";

/** Availability of an animal. */
export type PetStatus = "available" | "pending" | "sold";

/** An animal to add. Without `status`, the animal has no status. */
export interface NewPet {
  /** The animal's name, stored exactly as sent. At most 255 characters. */
  name: string;
  /** Identifier of the animal's category. The animal can be added before the category. */
  categoryId: Int64;
  /** Availability of an animal. */
  status?: PetStatus | undefined;
  /** Your own number for the animal, such as an article, microchip or ring number. No two animals can have the same number. At most 255 characters. */
  externalId?: string | undefined;
}

/** Changes to an animal, as a JSON Merge Patch (RFC 7396). */
export interface PetPatch {
  /** The animal's name, stored exactly as sent. At most 255 characters. */
  name?: string | undefined;
  /** Identifier of the animal's category. The animal can be added before the category. */
  categoryId?: Int64 | undefined;
  /** The new status; `null` removes the status. */
  status?: PetStatus | null | undefined;
  /** Your new number for the animal; `null` removes the number. At most 255 characters. */
  externalId?: string | null | undefined;
}

/** A category to add. */
export interface NewCategory {
  /** Identifier for the new category. Animals may already have this value as their `categoryId`. If you leave it out, the service generates an unused identifier. */
  id?: Int64 | undefined;
  /** The category's name. At most 255 characters. */
  name: string;
  /** Description of the animals in the category. At most 1000 characters. */
  description?: string | undefined;
}

/** Changes to a category, as a JSON Merge Patch (RFC 7396). */
export interface CategoryPatch {
  /** The category's name. At most 255 characters. */
  name?: string | undefined;
  /** The new description; `null` removes the description. At most 1000 characters. */
  description?: string | null | undefined;
}

/** An order to place. */
export interface NewOrder {
  /** Identifier of the ordered animal. */
  petId: Int64;
  /** Quantity ordered: always 1, because an order is for one animal. May be left out. */
  quantity?: Int64 | undefined;
  /** Planned time of shipping (RFC 3339), if known. */
  shipDate?: string | null | undefined;
}

/** The kind of change. */
export type EventType =
  | "pet.created"
  | "pet.updated"
  | "pet.deleted"
  | "order.placed"
  | "order.completed"
  | "order.cancelled"
  | "category.created"
  | "category.updated"
  | "category.deleted";

/** A webhook to add. */
export interface NewWebhook {
  /** URL that receives the events: https (in staging, http is also allowed), port 80, 443 or at least 1024, and without a user name, password or fragment. At most 2048 characters. */
  url: string;
  /** Types of the events to send; all types if left out. At most 9. */
  types?: EventType[] | undefined;
  /** `enabled` if left out. */
  status?: WebhookStatus | undefined;
}

/** A `disabled` webhook receives nothing. You can disable a webhook, and the service disables a webhook whose URL answers 410. */
export type WebhookStatus = "enabled" | "disabled";

/** Changes to a webhook, as a JSON Merge Patch (RFC 7396). */
export interface WebhookPatch {
  /** URL that receives the events: https (in staging, http is also allowed), port 80, 443 or at least 1024, and without a user name, password or fragment. At most 2048 characters. */
  url?: string | undefined;
  /** Types of the events that the webhook receives. At most 9. */
  types?: EventType[] | undefined;
  /** A `disabled` webhook receives nothing. You can disable a webhook, and the service disables a webhook whose URL answers 410. */
  status?: WebhookStatus | undefined;
}

/** Options for replacing a webhook's secret. */
export interface SecretRotation {
  /** Hours during which deliveries are also signed with the old secret. The default is 24. */
  overlapHours?: number | undefined;
}

/** A new time for the test clock. */
export interface NewTestClock {
  /** New time for the test clock. The clock keeps running from this time. With `null`, the test clock shows the service's own time again. */
  now: string | null;
}

/** The data that staging has after a reset. */
export interface NewReset {
  /** `empty`: no data. `shop`: a small pet shop with orders, with animals in every status, and with a month of history. */
  fixture: Fixture;
}

/** `empty`: no data. `shop`: a small pet shop with orders, with animals in every status, and with a month of history. */
export type Fixture = "empty" | "shop";

/** The body of a delivery. */
export interface PetEventPayload {
  /** The kind of change. */
  type: "pet.created" | "pet.updated" | "pet.deleted";
  /** Time of the change, in UTC. */
  timestamp: string;
  /** Identifier of the event. Identifiers increase: if a change begins after another change was confirmed, its event has the higher identifier. Some numbers may be missing. */
  id: Int64;
  /** Environment in which the change was made. */
  environment: "production" | "staging";
  /** The person or program that made a change. */
  actor: EventActor;
  /** The `X-Request-Id` of the request that made the change. */
  requestId: string;
  /** An animal. `status` and `externalId` are absent if they are not set. */
  data: Pet;
  /** The members of `data` that an update changed, with their old values. Absent if the event is not an update. */
  previous?: PreviousPet | undefined;
}

/** The person or program that made a change. */
export interface EventActor {
  /** The kind of actor: an API key, a person in the console, or the operator. */
  kind: "key" | "person" | "operator";
  /** Identifier of the API key or of the person's account; empty for the operator. */
  id: string;
  /** Name of the API key, or `operator`; empty for a person. */
  name: string;
}

/** An animal. `status` and `externalId` are absent if they are not set. */
export interface Pet {
  /** Unique identifier, assigned by the service and never used again. */
  id: Int64;
  /** The animal's name, stored exactly as sent. */
  name: string;
  /** Identifier of the animal's category. The animal can be added before the category. */
  categoryId: Int64;
  /** Availability of an animal. */
  status?: PetStatus | undefined;
  /** Your own number for the animal, such as an article, microchip or ring number. No two animals can have the same number. At most 255 characters. */
  externalId?: string | undefined;
}

/** The members that were changed, with their old values. */
export interface PreviousPet {
  /** The animal's name, stored exactly as sent. At most 255 characters. */
  name?: string | undefined;
  /** Identifier of the animal's category. The animal can be added before the category. */
  categoryId?: Int64 | undefined;
  /** The old status; null if the animal had no status. */
  status?: PetStatus | null | undefined;
  /** The old `externalId`; null if the animal had none. At most 255 characters. */
  externalId?: string | null | undefined;
}

/** The body of a delivery. */
export interface OrderEventPayload {
  /** The kind of change. */
  type: "order.placed" | "order.completed" | "order.cancelled";
  /** Time of the change, in UTC. */
  timestamp: string;
  /** Identifier of the event. Identifiers increase: if a change begins after another change was confirmed, its event has the higher identifier. Some numbers may be missing. */
  id: Int64;
  /** Environment in which the change was made. */
  environment: "production" | "staging";
  /** The person or program that made a change. */
  actor: EventActor;
  /** The `X-Request-Id` of the request that made the change. */
  requestId: string;
  /** An order for one animal. */
  data: Order;
  /** The members of `data` that an update changed, with their old values. Absent if the event is not an update. */
  previous?: PreviousOrder | undefined;
}

/** An order for one animal. */
export interface Order {
  /** Unique identifier, assigned by the service. */
  id: Int64;
  /** Identifier of the ordered animal. */
  petId: Int64;
  /** Ordered quantity. */
  quantity: Int64;
  /** Planned time of shipping, in UTC; null if not known. */
  shipDate: string | null;
  /** True after the order was completed: the animal is sold. */
  complete: boolean;
  /** Time at which the order was placed, in UTC. */
  createdAt: string;
  /** Time at which the order was completed, in UTC; absent while the order is open. */
  completedAt?: string | undefined;
}

/** The members that were changed, with their old values. */
export interface PreviousOrder {
  /** True after the order was completed: the animal is sold. */
  complete?: boolean | undefined;
  /** Always null, because an order has no `completedAt` until it is completed. */
  completedAt?: null | undefined;
}

/** The body of a delivery. */
export interface CategoryEventPayload {
  /** The kind of change. */
  type: "category.created" | "category.updated" | "category.deleted";
  /** Time of the change, in UTC. */
  timestamp: string;
  /** Identifier of the event. Identifiers increase: if a change begins after another change was confirmed, its event has the higher identifier. Some numbers may be missing. */
  id: Int64;
  /** Environment in which the change was made. */
  environment: "production" | "staging";
  /** The person or program that made a change. */
  actor: EventActor;
  /** The `X-Request-Id` of the request that made the change. */
  requestId: string;
  /** A category. `description` is absent if the category has no description. */
  data: Category;
  /** The members of `data` that an update changed, with their old values. Absent if the event is not an update. */
  previous?: PreviousCategory | undefined;
}

/** A category. `description` is absent if the category has no description. */
export interface Category {
  /** Identifier of the category: any 64-bit integer. Animals in the category have this value as their `categoryId`. */
  id: Int64;
  /** The category's name. */
  name: string;
  /** Description of the animals in the category. */
  description?: string | undefined;
  /** Time at which the category was added, in UTC. */
  createdAt: string;
}

/** The members that were changed, with their old values. */
export interface PreviousCategory {
  /** The category's name. At most 255 characters. */
  name?: string | undefined;
  /** The old description; null if the category had none. At most 1000 characters. */
  description?: string | null | undefined;
}

/** The body of a test delivery. */
export interface WebhookTestPayload {
  /** The kind of event. */
  type: "webhook.test";
  /** Time at which the test was requested, in UTC. */
  timestamp: string;
  /** Environment of the webhook. */
  environment: "production" | "staging";
  /** An empty object. */
  data: Record<string, unknown>;
}

/** Number of animals with each status. The sum of the four counts is the number of all animals in the store. */
export interface Inventory {
  /** Number of available animals. */
  available: number;
  /** Number of pending animals. */
  pending: number;
  /** Number of sold animals. */
  sold: number;
  /** Number of animals without a status. */
  withoutStatus: number;
}

/** A committed change. */
export type Event = PetEvent | OrderEvent | CategoryEvent;

/** A change. `data` is the resource after the change; if the resource was deleted, `data` is the resource before the deletion. */
export interface PetEvent {
  /** Identifier of the event. Identifiers increase: if a change begins after another change was confirmed, its event has the higher identifier. Some numbers may be missing. */
  id: Int64;
  /** The kind of change. */
  type: "pet.created" | "pet.updated" | "pet.deleted";
  /** Time of the change, in UTC. */
  createdAt: string;
  /** Environment in which the change was made. */
  environment: "production" | "staging";
  /** The person or program that made a change. */
  actor: EventActor;
  /** The `X-Request-Id` of the request that made the change. */
  requestId: string;
  /** An animal. `status` and `externalId` are absent if they are not set. */
  data: Pet;
  /** The members of `data` that an update changed, with their old values. Absent if the event is not an update. */
  previous?: PreviousPet | undefined;
}

/** A change. `data` is the resource after the change; if the resource was deleted, `data` is the resource before the deletion. */
export interface OrderEvent {
  /** Identifier of the event. Identifiers increase: if a change begins after another change was confirmed, its event has the higher identifier. Some numbers may be missing. */
  id: Int64;
  /** The kind of change. */
  type: "order.placed" | "order.completed" | "order.cancelled";
  /** Time of the change, in UTC. */
  createdAt: string;
  /** Environment in which the change was made. */
  environment: "production" | "staging";
  /** The person or program that made a change. */
  actor: EventActor;
  /** The `X-Request-Id` of the request that made the change. */
  requestId: string;
  /** An order for one animal. */
  data: Order;
  /** The members of `data` that an update changed, with their old values. Absent if the event is not an update. */
  previous?: PreviousOrder | undefined;
}

/** A change. `data` is the resource after the change; if the resource was deleted, `data` is the resource before the deletion. */
export interface CategoryEvent {
  /** Identifier of the event. Identifiers increase: if a change begins after another change was confirmed, its event has the higher identifier. Some numbers may be missing. */
  id: Int64;
  /** The kind of change. */
  type: "category.created" | "category.updated" | "category.deleted";
  /** Time of the change, in UTC. */
  createdAt: string;
  /** Environment in which the change was made. */
  environment: "production" | "staging";
  /** The person or program that made a change. */
  actor: EventActor;
  /** The `X-Request-Id` of the request that made the change. */
  requestId: string;
  /** A category. `description` is absent if the category has no description. */
  data: Category;
  /** The members of `data` that an update changed, with their old values. Absent if the event is not an update. */
  previous?: PreviousCategory | undefined;
}

/** A URL that events are sent to. */
export interface Webhook {
  /** Unique identifier, assigned by the service. */
  id: Int64;
  /** URL that receives the events: https (in staging, http is also allowed), port 80, 443 or at least 1024, and without a user name, password or fragment. At most 2048 characters. */
  url: string;
  /** Types of the events that the webhook receives. At most 9. */
  types: EventType[];
  /** A `disabled` webhook receives nothing. You can disable a webhook, and the service disables a webhook whose URL answers 410. */
  status: WebhookStatus;
  /** Time of creation, in UTC. */
  createdAt: string;
}

/** A webhook with its new secret. */
export interface WebhookWithSecret {
  /** Unique identifier, assigned by the service. */
  id: Int64;
  /** URL that receives the events: https (in staging, http is also allowed), port 80, 443 or at least 1024, and without a user name, password or fragment. At most 2048 characters. */
  url: string;
  /** Types of the events that the webhook receives. At most 9. */
  types: EventType[];
  /** A `disabled` webhook receives nothing. You can disable a webhook, and the service disables a webhook whose URL answers 410. */
  status: WebhookStatus;
  /** Time of creation, in UTC. */
  createdAt: string;
  /** Secret that signs the deliveries (Standard Webhooks): `whsec_` and 32 bytes in base64. The secret is not shown again. */
  secret: string;
}

/** The delivery of an event to a webhook. */
export interface Delivery {
  /** Unique identifier, assigned by the service. */
  id: Int64;
  /** The event that is delivered; null for a test. */
  eventId: Int64 | null;
  /** The event's type, or `webhook.test`. */
  type: DeliveryType;
  /** `queued` at first, then `delivered`, or `failed` after the last attempt. A delivery of an event becomes `dropped` if its webhook is disabled before the event is delivered. */
  status: DeliveryStatus;
  /** Time at which the delivery was queued, in UTC. */
  createdAt: string;
  /** Earliest time of the next attempt, in UTC. While an attempt is running, this is the time at which the service stops waiting for its result. Absent if the status is not `queued`, or if an earlier event of the same animal has to be delivered first. */
  nextAttemptAt?: string | undefined;
  /** The latest attempts, newest first. At most 20. */
  attempts: DeliveryAttempt[];
}

/** The event's type, or `webhook.test`. */
export type DeliveryType =
  | "pet.created"
  | "pet.updated"
  | "pet.deleted"
  | "order.placed"
  | "order.completed"
  | "order.cancelled"
  | "category.created"
  | "category.updated"
  | "category.deleted"
  | "webhook.test";

/** `queued` at first, then `delivered`, or `failed` after the last attempt. A delivery of an event becomes `dropped` if its webhook is disabled before the event is delivered. */
export type DeliveryStatus = "queued" | "delivered" | "failed" | "dropped";

/** One attempt to deliver. */
export interface DeliveryAttempt {
  /** Start of the attempt, in UTC. */
  createdAt: string;
  /** Duration of the attempt, in milliseconds. */
  durationMs: number;
  /** HTTP status of the response; null if there was no response. */
  status: number | null;
  /** The reason why there was no response; null if there was a response. */
  error: string | null;
}

/** The API key that sent the request. */
export interface Key {
  /** Identifier of the API key. This is not the key itself. */
  id: string;
  /** Purpose of the key. */
  name: string;
  /** Environment that the key is for. */
  environment: "production" | "staging";
  /** Current access of the key: `read`, `sell` (read, and also place, complete and cancel orders) or `read-write`. While the account is a viewer, the key can only read. */
  access: "read" | "sell" | "read-write";
  /** Current role of the account that owns the key. */
  role: "viewer" | "staff" | "owner";
  /** Time at which the key was created, in UTC. */
  createdAt: string;
  /** Time at which the key expires, in UTC; absent if the key does not expire. */
  expiresAt?: string | undefined;
}

/** The test clock of staging. */
export interface TestClock {
  /** The time of the test clock, in UTC. This time decides when deprecated operations are removed and idempotency keys expire. */
  now: string;
  /** The service's own time, in UTC, used for keys, sessions, events and deliveries. */
  realNow: string;
  /** True while the test clock differs from the service's own time. */
  moved: boolean;
}

/** The data in staging after the reset. */
export interface Reset {
  /** `empty`: no data. `shop`: a small pet shop with orders, with animals in every status, and with a month of history. */
  fixture: Fixture;
  /** Number of animals. */
  pets: number;
  /** Number of categories. */
  categories: number;
  /** Number of orders. */
  orders: number;
}

/** A message to submit. */
export interface NewMessage {
  /** The text of the message. */
  message: string;
}

/** The body of a delivery. */
export interface MessagePayload {
  /** The kind of event. */
  type: "message.submitted";
  /** Time of submission, in UTC. */
  timestamp: string;
  /** A message as the receiver gets it. */
  data: SubmittedMessage;
}

/** A message as the receiver gets it. */
export interface SubmittedMessage {
  /** Identifier of the message. */
  id: string;
  /** The text of the message. */
  message: string;
  /** Time of submission, in UTC. */
  createdAt: string;
  /** Environment of the key that submitted the message. Absent if the message was stored by an early version of petstore. */
  environment?: "production" | "staging" | undefined;
}

/** A submitted message. */
export interface Message {
  /** Identifier of the message. */
  id: string;
  /** The text of the message. */
  message: string;
  /** `queued` at first, then `delivered`, or `failed` after the last attempt. A delivery of an event becomes `dropped` if its webhook is disabled before the event is delivered. */
  status: DeliveryStatus;
  /** Time of submission, in UTC. */
  createdAt: string;
}

/** A message with the attempts to deliver it. */
export interface MessageWithAttempts {
  /** Identifier of the message. */
  id: string;
  /** The text of the message. */
  message: string;
  /** `queued` at first, then `delivered`, or `failed` after the last attempt. A delivery of an event becomes `dropped` if its webhook is disabled before the event is delivered. */
  status: DeliveryStatus;
  /** Time of submission, in UTC. */
  createdAt: string;
  /** Earliest time of the next attempt, in UTC. While an attempt is running, this is the time at which the service stops waiting for its result. Absent if the status is not `queued`, or if an earlier event of the same animal has to be delivered first. */
  nextAttemptAt?: string | undefined;
  /** The latest attempts, newest first. At most 20. */
  attempts: DeliveryAttempt[];
}

/** The body of a delivery. Its `type` decides what its `data` is. */
export type WebhookPayload =
  | PetEventPayload
  | OrderEventPayload
  | CategoryEventPayload
  | WebhookTestPayload
  | MessagePayload;

/** Filters of `listPets`. An item must meet all of them. */
export interface PetFilter {
  /** Returns only animals with this status. Use `hasStatus=false` for animals without a status. */
  status?: PetStatus | undefined;
  /** `true`: only animals with a status. `false`: only animals without a status. */
  hasStatus?: boolean | undefined;
  /** Returns only animals in this category. */
  categoryId?: Int64 | undefined;
  /** Returns only animals whose name matches: every word of this text must begin a word of the name. Upper and lower case, full-width letters and accents make no difference: `flu` finds `Mr. Fluffy`, `strasse` finds `Straße`. Text in Han, kana, Hangul or Thai also matches inside words, and text that consists of symbols, such as an emoji, matches anywhere. A request searches at most 20,000 animals, so a page may have fewer animals than `limit`, or no animals, even if there is a `Link` to the next page. */
  name?: string | undefined;
  /** Returns only animals with these identifiers. At most 100. */
  ids?: readonly Int64[] | undefined;
  /** Returns only the animals whose `externalId` is one of the given values. At most 100. */
  externalIds?: readonly string[] | undefined;
}

/** Filters of `listOrders`. An item must meet all of them. */
export interface OrderFilter {
  /** Returns only orders for this animal. */
  petId?: Int64 | undefined;
  /** `true`: only complete orders. `false`: only open orders. */
  complete?: boolean | undefined;
  /** Returns only orders that were completed at this time (RFC 3339) or later. A page may have fewer orders than `limit`, or no orders, even if there is a `Link` to the next page. */
  completedFrom?: string | undefined;
  /** Returns only orders that were completed before this time (RFC 3339). */
  completedBefore?: string | undefined;
}

/** Filters of `listEvents`. An item must meet all of them. */
export interface EventFilter {
  /** Returns only events about this animal and its orders. */
  petId?: Int64 | undefined;
  /** Returns only events of these types. At most 9. */
  types?: readonly EventType[] | undefined;
  /** `desc` (the default) lists the newest event first, `asc` the oldest. */
  order?: "asc" | "desc" | undefined;
}

/** Filters of `listDeliveries`. An item must meet all of them. */
export interface DeliveryFilter {
  /** Returns only deliveries with this status. */
  status?: DeliveryStatus | undefined;
}

/** Options of a list: `limit` is the size of a page, not of the list. */
export interface Paging {
  /** Maximum number of items in the response. With `id` or `externalId`, the default is the number of values in that parameter. 1 to 100; 20 if left out. */
  limit?: number | undefined;
}

/** The error codes of this version of the interface; a later one may add others. */
export type ErrorCode =
  | "invalid_request"
  | "invalid_parameter"
  | "invalid_cursor"
  | "content_type_missing"
  | "invalid_json"
  | "invalid_body"
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "request_timeout"
  | "pet_not_available"
  | "order_already_complete"
  | "pet_has_open_order"
  | "category_in_use"
  | "webhook_disabled"
  | "idempotency_in_progress"
  | "conflict"
  | "gone"
  | "cursor_expired"
  | "precondition_failed"
  | "payload_too_large"
  | "unsupported_media_type"
  | "idempotency_key_reused"
  | "rate_limited"
  | "internal_error"
  | "unavailable";
