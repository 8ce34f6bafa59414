// Written by npm run docs from the OpenAPI documents.
import type { Int64 } from "exact-json/int64";

/** Availability of an animal. */
export type PetStatus = "available" | "pending" | "sold";

/** An animal to add. If `status` is left out, the animal has none. */
export interface NewPet {
  /** The animal's name, stored exactly as sent. At most 255 characters. */
  name: string;
  /** Identifier of the category the animal belongs to. The category need not exist. */
  categoryId: Int64;
  /** Availability of an animal. */
  status?: PetStatus | undefined;
  /** Your own number for the animal, such as an article, microchip or ring number. Unique: no two animals have the same one. At most 255 characters. */
  externalId?: string | undefined;
}

/** Changes to an animal as a JSON Merge Patch (RFC 7396). */
export interface PetPatch {
  /** The animal's name, stored exactly as sent. At most 255 characters. */
  name?: string | undefined;
  /** Identifier of the category the animal belongs to. The category need not exist. */
  categoryId?: Int64 | undefined;
  /** The new availability; `null` removes it. */
  status?: PetStatus | null | undefined;
  /** Your own number for the animal; `null` clears the number. At most 255 characters. */
  externalId?: string | null | undefined;
}

/** A category to add. */
export interface NewCategory {
  /** The category's number, which animals may already use. If left out, the service picks a number that no category and no animal has. */
  id?: Int64 | undefined;
  /** The category's name. At most 255 characters. */
  name: string;
  /** Describes which animals belong in the category. At most 1000 characters. */
  description?: string | undefined;
}

/** Changes to a category as a JSON Merge Patch (RFC 7396). */
export interface CategoryPatch {
  /** The category's name. At most 255 characters. */
  name?: string | undefined;
  /** The new description; `null` removes it. At most 1000 characters. */
  description?: string | null | undefined;
}

/** An order to place. */
export interface NewOrder {
  /** Identifier of the animal ordered. */
  petId: Int64;
  /** Quantity ordered: always 1, because an order is for one animal. 1 if left out. */
  quantity?: Int64 | undefined;
  /** Planned time of shipping (RFC 3339), when known. */
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
  /** URL that receives the events: https (in staging, http is also allowed), port 80, 443 or any from 1024 up, and no user name, password or fragment. At most 2048 characters. */
  url: string;
  /** Types of the events to send; all types if left out. At most 9. */
  types?: EventType[] | undefined;
  /** `enabled` if left out. */
  status?: WebhookStatus | undefined;
}

/** A `disabled` webhook receives nothing. A webhook is disabled by a request, or when its URL answers 410. */
export type WebhookStatus = "enabled" | "disabled";

/** Changes to a webhook as a JSON Merge Patch (RFC 7396). */
export interface WebhookPatch {
  /** URL that receives the events: https (in staging, http is also allowed), port 80, 443 or any from 1024 up, and no user name, password or fragment. At most 2048 characters. */
  url?: string | undefined;
  /** Types of the events that the webhook receives. At most 9. */
  types?: EventType[] | undefined;
  /** A `disabled` webhook receives nothing. A webhook is disabled by a request, or when its URL answers 410. */
  status?: WebhookStatus | undefined;
}

/** How to replace a webhook's secret. */
export interface SecretRotation {
  /** Hours during which deliveries are also signed with the old secret; 24 if left out. */
  overlapHours?: number | undefined;
}

/** A new time for the test clock. */
export interface NewTestClock {
  /** Time to which the test clock is set, and from which it runs on. `null` sets it back to the service's own time. */
  now: string | null;
}

/** The data that staging has after a reset. */
export interface NewReset {
  /** `empty`: no data. `shop`: a small pet shop with a month of history, with orders and with animals in every status. */
  fixture: Fixture;
}

/** `empty`: no data. `shop`: a small pet shop with a month of history, with orders and with animals in every status. */
export type Fixture = "empty" | "shop";

/** The body of a delivery. */
export interface PetEventPayload {
  /** The kind of change. */
  type: "pet.created" | "pet.updated" | "pet.deleted";
  /** Time of the change, in UTC. */
  timestamp: string;
  /** Identifier of the event. A change that begins after an earlier change was confirmed has a higher identifier than the earlier one. Some numbers may be skipped. */
  id: Int64;
  /** Environment in which the change was made. */
  environment: "production" | "staging";
  /** The person or program that made a change. */
  actor: EventActor;
  /** The `X-Request-Id` of the change. */
  requestId: string;
  /** An animal. `status` and `externalId` are absent if the animal has none. */
  data: Pet;
  /** The members of `data` that an update changed, with their old values. Absent for other events. */
  previous?: PreviousPet | undefined;
}

/** The person or program that made a change. */
export interface EventActor {
  /** The kind of actor: an API key, a person in the console, or the operator. */
  kind: "key" | "person" | "operator";
  /** Identifier of the key or of the person's account; empty for the operator. */
  id: string;
  /** The key's name, or `operator`; empty for a person. */
  name: string;
}

/** An animal. `status` and `externalId` are absent if the animal has none. */
export interface Pet {
  /** Unique identifier, assigned by the service and never used again. */
  id: Int64;
  /** The animal's name, stored exactly as sent. */
  name: string;
  /** Identifier of the category the animal belongs to. The category need not exist. */
  categoryId: Int64;
  /** Availability of an animal. */
  status?: PetStatus | undefined;
  /** Your own number for the animal, such as an article, microchip or ring number. Unique: no two animals have the same one. At most 255 characters. */
  externalId?: string | undefined;
}

/** The animal's changed members, with their old values. */
export interface PreviousPet {
  /** The animal's name, stored exactly as sent. At most 255 characters. */
  name?: string | undefined;
  /** Identifier of the category the animal belongs to. The category need not exist. */
  categoryId?: Int64 | undefined;
  /** The old availability; null if the animal had none. */
  status?: PetStatus | null | undefined;
  /** Your own number before the change; null if the animal had none. At most 255 characters. */
  externalId?: string | null | undefined;
}

/** The body of a delivery. */
export interface OrderEventPayload {
  /** The kind of change. */
  type: "order.placed" | "order.completed" | "order.cancelled";
  /** Time of the change, in UTC. */
  timestamp: string;
  /** Identifier of the event. A change that begins after an earlier change was confirmed has a higher identifier than the earlier one. Some numbers may be skipped. */
  id: Int64;
  /** Environment in which the change was made. */
  environment: "production" | "staging";
  /** The person or program that made a change. */
  actor: EventActor;
  /** The `X-Request-Id` of the change. */
  requestId: string;
  /** An order for one animal. */
  data: Order;
  /** The members of `data` that an update changed, with their old values. Absent for other events. */
  previous?: PreviousOrder | undefined;
}

/** An order for one animal. */
export interface Order {
  /** Unique identifier, assigned by the service. */
  id: Int64;
  /** Identifier of the animal ordered. */
  petId: Int64;
  /** Quantity ordered. */
  quantity: Int64;
  /** Planned time of shipping, in UTC; null when not known. */
  shipDate: string | null;
  /** Whether the animal has been handed over. */
  complete: boolean;
  /** Time at which the order was placed, in UTC. */
  createdAt: string;
  /** Time at which the order was completed, in UTC; absent until then. */
  completedAt?: string | undefined;
}

/** The order's changed members, with their old values. */
export interface PreviousOrder {
  /** Whether the animal has been handed over. */
  complete?: boolean | undefined;
  /** Always null, because the order was not complete before. */
  completedAt?: null | undefined;
}

/** The body of a delivery. */
export interface CategoryEventPayload {
  /** The kind of change. */
  type: "category.created" | "category.updated" | "category.deleted";
  /** Time of the change, in UTC. */
  timestamp: string;
  /** Identifier of the event. A change that begins after an earlier change was confirmed has a higher identifier than the earlier one. Some numbers may be skipped. */
  id: Int64;
  /** Environment in which the change was made. */
  environment: "production" | "staging";
  /** The person or program that made a change. */
  actor: EventActor;
  /** The `X-Request-Id` of the change. */
  requestId: string;
  /** A category. `description` is absent if the category has none. */
  data: Category;
  /** The members of `data` that an update changed, with their old values. Absent for other events. */
  previous?: PreviousCategory | undefined;
}

/** A category. `description` is absent if the category has none. */
export interface Category {
  /** The category's number, to which animals refer by `categoryId`; any 64-bit integer. */
  id: Int64;
  /** The category's name. */
  name: string;
  /** Describes which animals belong in the category. */
  description?: string | undefined;
  /** Time at which the category was added, in UTC. */
  createdAt: string;
}

/** The category's changed members, with their old values. */
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
  /** The webhook's environment. */
  environment: "production" | "staging";
  /** An empty object. */
  data: Record<string, unknown>;
}

/** How many animals have each status. The four numbers add up to all animals of the store. */
export interface Inventory {
  /** Animals that are available. */
  available: number;
  /** Animals that are pending. */
  pending: number;
  /** Animals that are sold. */
  sold: number;
  /** Animals without a status. */
  withoutStatus: number;
}

/** A committed change. */
export type Event = PetEvent | OrderEvent | CategoryEvent;

/** A change. `data` has the resource as it was after the change, or before the change if it was deleted. */
export interface PetEvent {
  /** Identifier of the event. A change that begins after an earlier change was confirmed has a higher identifier than the earlier one. Some numbers may be skipped. */
  id: Int64;
  /** The kind of change. */
  type: "pet.created" | "pet.updated" | "pet.deleted";
  /** Time of the change, in UTC. */
  createdAt: string;
  /** Environment in which the change was made. */
  environment: "production" | "staging";
  /** The person or program that made a change. */
  actor: EventActor;
  /** The `X-Request-Id` of the change. */
  requestId: string;
  /** An animal. `status` and `externalId` are absent if the animal has none. */
  data: Pet;
  /** The members of `data` that an update changed, with their old values. Absent for other events. */
  previous?: PreviousPet | undefined;
}

/** A change. `data` has the resource as it was after the change, or before the change if it was deleted. */
export interface OrderEvent {
  /** Identifier of the event. A change that begins after an earlier change was confirmed has a higher identifier than the earlier one. Some numbers may be skipped. */
  id: Int64;
  /** The kind of change. */
  type: "order.placed" | "order.completed" | "order.cancelled";
  /** Time of the change, in UTC. */
  createdAt: string;
  /** Environment in which the change was made. */
  environment: "production" | "staging";
  /** The person or program that made a change. */
  actor: EventActor;
  /** The `X-Request-Id` of the change. */
  requestId: string;
  /** An order for one animal. */
  data: Order;
  /** The members of `data` that an update changed, with their old values. Absent for other events. */
  previous?: PreviousOrder | undefined;
}

/** A change. `data` has the resource as it was after the change, or before the change if it was deleted. */
export interface CategoryEvent {
  /** Identifier of the event. A change that begins after an earlier change was confirmed has a higher identifier than the earlier one. Some numbers may be skipped. */
  id: Int64;
  /** The kind of change. */
  type: "category.created" | "category.updated" | "category.deleted";
  /** Time of the change, in UTC. */
  createdAt: string;
  /** Environment in which the change was made. */
  environment: "production" | "staging";
  /** The person or program that made a change. */
  actor: EventActor;
  /** The `X-Request-Id` of the change. */
  requestId: string;
  /** A category. `description` is absent if the category has none. */
  data: Category;
  /** The members of `data` that an update changed, with their old values. Absent for other events. */
  previous?: PreviousCategory | undefined;
}

/** An address that events are sent to. */
export interface Webhook {
  /** Unique identifier, assigned by the service. */
  id: Int64;
  /** URL that receives the events: https (in staging, http is also allowed), port 80, 443 or any from 1024 up, and no user name, password or fragment. At most 2048 characters. */
  url: string;
  /** Types of the events that the webhook receives. At most 9. */
  types: EventType[];
  /** A `disabled` webhook receives nothing. A webhook is disabled by a request, or when its URL answers 410. */
  status: WebhookStatus;
  /** Time of creation, in UTC. */
  createdAt: string;
}

/** A webhook with its new secret. */
export interface WebhookWithSecret {
  /** Unique identifier, assigned by the service. */
  id: Int64;
  /** URL that receives the events: https (in staging, http is also allowed), port 80, 443 or any from 1024 up, and no user name, password or fragment. At most 2048 characters. */
  url: string;
  /** Types of the events that the webhook receives. At most 9. */
  types: EventType[];
  /** A `disabled` webhook receives nothing. A webhook is disabled by a request, or when its URL answers 410. */
  status: WebhookStatus;
  /** Time of creation, in UTC. */
  createdAt: string;
  /** Secret that signs the deliveries (Standard Webhooks): `whsec_` and 32 bytes in base64. It is not shown again. */
  secret: string;
}

/** An event on its way to a webhook. */
export interface Delivery {
  /** Unique identifier, assigned by the service. */
  id: Int64;
  /** The event; null for a test. */
  eventId: Int64 | null;
  /** The event's type, or `webhook.test`. */
  type: DeliveryType;
  /** `queued` until it is `delivered`, or `failed` after the last attempt. A delivery of an event is `dropped` if its webhook is disabled before it is delivered. */
  status: DeliveryStatus;
  /** Time at which the delivery was queued, in UTC. */
  createdAt: string;
  /** Earliest time of the next attempt, in UTC; during an attempt, the time at which that attempt counts as lost. Present only while the status is `queued`, and absent while an earlier event of the same animal has to be delivered first. */
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

/** `queued` until it is `delivered`, or `failed` after the last attempt. A delivery of an event is `dropped` if its webhook is disabled before it is delivered. */
export type DeliveryStatus = "queued" | "delivered" | "failed" | "dropped";

/** One attempt to deliver. */
export interface DeliveryAttempt {
  /** Start of the attempt, in UTC. */
  createdAt: string;
  /** Duration of the attempt, in milliseconds. */
  durationMs: number;
  /** HTTP status of the response; null if there was none. */
  status: number | null;
  /** The reason why there was no response; null if there was one. */
  error: string | null;
}

/** The API key of the request. */
export interface Key {
  /** Identifier of the key, not its secret. */
  id: string;
  /** Purpose of the key. */
  name: string;
  /** Environment that the key is for. */
  environment: "production" | "staging";
  /** Current access of the key: `read`; `sell`, which also places, completes and cancels orders; or `read-write`. A viewer's key can only read, whatever access it was created with. */
  access: "read" | "sell" | "read-write";
  /** Current role of the key's account. */
  role: "viewer" | "staff" | "owner";
  /** Time of the key's creation, in UTC. */
  createdAt: string;
  /** Time at which the key expires, in UTC; absent if the key does not expire. */
  expiresAt?: string | undefined;
}

/** The test clock of staging. */
export interface TestClock {
  /** The time of the test clock, in UTC. Deprecated operations are removed, and idempotency keys expire, by this time. */
  now: string;
  /** The service's own time, in UTC, used for keys, sessions, events and deliveries. */
  realNow: string;
  /** True from the time the test clock is set until it returns to the service's own time. */
  moved: boolean;
}

/** The data in staging after the reset. */
export interface Reset {
  /** `empty`: no data. `shop`: a small pet shop with a month of history, with orders and with animals in every status. */
  fixture: Fixture;
  /** How many animals there are. */
  pets: number;
  /** How many categories there are. */
  categories: number;
  /** How many orders there are. */
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
  /** A message as it is delivered. */
  data: SubmittedMessage;
}

/** A message as it is delivered. */
export interface SubmittedMessage {
  /** Identifier of the message. */
  id: string;
  /** The text of the message. */
  message: string;
  /** Time of submission, in UTC. */
  createdAt: string;
  /** Environment of the key that submitted the message. Absent from messages stored by early versions, which did not record it. */
  environment?: "production" | "staging" | undefined;
}

/** A submitted message. */
export interface Message {
  /** Identifier of the message. */
  id: string;
  /** The text of the message. */
  message: string;
  /** `queued` until it is `delivered`, or `failed` after the last attempt. A delivery of an event is `dropped` if its webhook is disabled before it is delivered. */
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
  /** `queued` until it is `delivered`, or `failed` after the last attempt. A delivery of an event is `dropped` if its webhook is disabled before it is delivered. */
  status: DeliveryStatus;
  /** Time of submission, in UTC. */
  createdAt: string;
  /** Earliest time of the next attempt, in UTC; during an attempt, the time at which that attempt counts as lost. Present only while the status is `queued`, and absent while an earlier event of the same animal has to be delivered first. */
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
  /** Only animals with this availability. An animal without a status matches none. */
  status?: PetStatus | undefined;
  /** `true` for animals with a status only, `false` for those without one. */
  hasStatus?: boolean | undefined;
  /** Only animals in this category. */
  categoryId?: Int64 | undefined;
  /** Only animals whose name matches: every word of this text must begin a word of the name. Case, width and accents are ignored: `flu` finds `Mr. Fluffy`, `strasse` finds `Straße`. Text in Han, kana, Hangul or Thai also matches inside words, and text that consists of symbols, such as an emoji, matches anywhere. A request searches at most 20,000 animals, so a page may have fewer animals than `limit`, or none, and still have a `Link` to the next page. */
  name?: string | undefined;
  /** Only the animals with these identifiers. At most 100. */
  ids?: readonly Int64[] | undefined;
  /** Only the animals with these numbers of your own. At most 100. */
  externalIds?: readonly string[] | undefined;
}

/** Filters of `listOrders`. An item must meet all of them. */
export interface OrderFilter {
  /** Only orders for this animal. */
  petId?: Int64 | undefined;
  /** `true` for complete orders only; `false` for open orders only. */
  complete?: boolean | undefined;
  /** Only orders that were completed at this time (RFC 3339) or later. As in a search, a page may have fewer orders than `limit`, or none, although there is a `Link` to the next page. */
  completedFrom?: string | undefined;
  /** Only orders that were completed before this time (RFC 3339). */
  completedBefore?: string | undefined;
}

/** Filters of `listEvents`. An item must meet all of them. */
export interface EventFilter {
  /** Only events of this animal and of its orders. */
  petId?: Int64 | undefined;
  /** Only events of these types. At most 9. */
  types?: readonly EventType[] | undefined;
  /** `desc` lists the newest event first, `asc` the oldest. `desc` if left out. */
  order?: "asc" | "desc" | undefined;
}

/** Filters of `listDeliveries`. An item must meet all of them. */
export interface DeliveryFilter {
  /** Only deliveries with this status. */
  status?: DeliveryStatus | undefined;
}

/** Options of a list: `limit` is the size of a page, not of the list. */
export interface Paging {
  /** Maximum number of items returned. With `id` or `externalId`, the default is the number of identifiers. 1 to 100; 20 if left out. */
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
