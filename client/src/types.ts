// Written by npm run docs from the OpenAPI documents.
import type { Int64 } from "exact-json/int64";

/** Availability of an animal. */
export type PetStatus = "available" | "pending" | "sold";

/** An animal to add. Without a `status` the animal has none. */
export interface NewPet {
  /** The animal's name, stored exactly as sent. At most 255 characters. */
  name: string;
  /** Identifier of the category the animal belongs to. The category need not exist. */
  categoryId: Int64;
  /** Availability of an animal. */
  status?: PetStatus | undefined;
}

/** Changes to an animal as a JSON Merge Patch (RFC 7396). */
export interface PetPatch {
  /** The animal's name, stored exactly as sent. At most 255 characters. */
  name?: string | undefined;
  /** Identifier of the category the animal belongs to. The category need not exist. */
  categoryId?: Int64 | undefined;
  /** The new availability; `null` removes it. */
  status?: PetStatus | null | undefined;
}

/** A category to add. */
export interface NewCategory {
  /** The number to name, whether animals use it or not. Left out, the service generates one that neither a category nor an animal has. */
  id?: Int64 | undefined;
  /** The category's name. At most 255 characters. */
  name: string;
  /** Description of what belongs in it. At most 1000 characters. */
  description?: string | undefined;
}

/** Changes to a category as a JSON Merge Patch (RFC 7396). */
export interface CategoryPatch {
  /** The category's name. At most 255 characters. */
  name?: string | undefined;
  /** What belongs in it; `null` removes the description. */
  description?: string | null | undefined;
}

/** An order to place. */
export interface NewOrder {
  /** Identifier of the animal ordered. */
  petId: Int64;
  /** Quantity ordered: an order is for one animal. 1 when left out. */
  quantity?: Int64 | undefined;
  /** Planned time of shipping (RFC 3339), when known. */
  shipDate?: string | null | undefined;
}

/** What was changed, and how. */
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
  /** Address that events are sent to: https, or http in staging, with port 80, 443 or one from 1024 on, without user name, password and fragment. At most 2048 characters. */
  url: string;
  /** The types of events to send; left out, all of them. At most 9. */
  types?: EventType[] | undefined;
  /** `enabled` when left out. */
  status?: WebhookStatus | undefined;
}

/** A `disabled` one is sent nothing. Its address disables it with the answer 410. */
export type WebhookStatus = "enabled" | "disabled";

/** Changes to a webhook as a JSON Merge Patch (RFC 7396). */
export interface WebhookPatch {
  /** Address that events are sent to: https, or http in staging, with port 80, 443 or one from 1024 on, without user name, password and fragment. At most 2048 characters. */
  url?: string | undefined;
  /** The types of events that it is sent. At most 9. */
  types?: EventType[] | undefined;
  /** A `disabled` one is sent nothing. Its address disables it with the answer 410. */
  status?: WebhookStatus | undefined;
}

/** How a webhook gets another secret. */
export interface SecretRotation {
  /** Hours in which deliveries are signed with the old secret, too; 24 when left out. */
  overlapHours?: number | undefined;
}

/** What the test clock is set to. */
export interface NewTestClock {
  /** Time that the test clock shows, and runs on from; null for the service's own time. */
  now: string | null;
}

/** What staging starts over with. */
export interface NewReset {
  /** `empty`: nothing; `shop`: a small pet shop, with animals in every status and orders. */
  fixture: Fixture;
}

/** `empty`: nothing; `shop`: a small pet shop, with animals in every status and orders. */
export type Fixture = "empty" | "shop";

/** The body of a delivery. */
export interface PetEventPayload {
  /** What was changed, and how. */
  type: "pet.created" | "pet.updated" | "pet.deleted";
  /** Time of the change, in UTC. */
  timestamp: string;
  /** Identifier, which grows: a change has a higher one than those that it follows. Numbers may be left out. */
  id: Int64;
  /** The environment it happened in. */
  environment: "production" | "staging";
  /** Who made a change. */
  actor: EventActor;
  /** The `X-Request-Id` of the change. */
  requestId: string;
  /** An animal. `status` is absent when the animal has none. */
  data: Pet;
  /** The members of `data` that were changed, with their old values. Absent where the event is no update. */
  previous?: PreviousPet | undefined;
}

/** Who made a change. */
export interface EventActor {
  /** What made the change. */
  kind: "key" | "person" | "operator";
  /** Identifier of the key or of the person's account; empty for the operator. */
  id: string;
  /** The key's name, or `operator`; empty for a person. */
  name: string;
}

/** An animal. `status` is absent when the animal has none. */
export interface Pet {
  /** Unique identifier, assigned by the service and never used again. */
  id: Int64;
  /** The animal's name, stored exactly as sent. */
  name: string;
  /** Identifier of the category the animal belongs to. The category need not exist. */
  categoryId: Int64;
  /** Availability of an animal. */
  status?: PetStatus | undefined;
}

/** The members of an animal that were changed, as they were before. */
export interface PreviousPet {
  /** The animal's name, stored exactly as sent. At most 255 characters. */
  name?: string | undefined;
  /** Identifier of the category the animal belongs to. The category need not exist. */
  categoryId?: Int64 | undefined;
  /** The availability; null where there was none. */
  status?: PetStatus | null | undefined;
}

/** The body of a delivery. */
export interface OrderEventPayload {
  /** What was changed, and how. */
  type: "order.placed" | "order.completed" | "order.cancelled";
  /** Time of the change, in UTC. */
  timestamp: string;
  /** Identifier, which grows: a change has a higher one than those that it follows. Numbers may be left out. */
  id: Int64;
  /** The environment it happened in. */
  environment: "production" | "staging";
  /** Who made a change. */
  actor: EventActor;
  /** The `X-Request-Id` of the change. */
  requestId: string;
  /** An order for one animal. */
  data: Order;
  /** The members of `data` that were changed, with their old values. Absent where the event is no update. */
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

/** The members of an order that were changed, as they were before. */
export interface PreviousOrder {
  /** Whether the animal has been handed over. */
  complete?: boolean | undefined;
  /** Null: the order was not complete. */
  completedAt?: null | undefined;
}

/** The body of a delivery. */
export interface CategoryEventPayload {
  /** What was changed, and how. */
  type: "category.created" | "category.updated" | "category.deleted";
  /** Time of the change, in UTC. */
  timestamp: string;
  /** Identifier, which grows: a change has a higher one than those that it follows. Numbers may be left out. */
  id: Int64;
  /** The environment it happened in. */
  environment: "production" | "staging";
  /** Who made a change. */
  actor: EventActor;
  /** The `X-Request-Id` of the change. */
  requestId: string;
  /** A category. `description` is absent when it has none. */
  data: Category;
  /** The members of `data` that were changed, with their old values. Absent where the event is no update. */
  previous?: PreviousCategory | undefined;
}

/** A category. `description` is absent when it has none. */
export interface Category {
  /** The category's number, to which animals refer by `categoryId`; any 64-bit integer. */
  id: Int64;
  /** The category's name. */
  name: string;
  /** Description of what belongs in it. */
  description?: string | undefined;
  /** Time at which the category was added, in UTC. */
  createdAt: string;
}

/** The members of a category that were changed, as they were before. */
export interface PreviousCategory {
  /** The category's name. At most 255 characters. */
  name?: string | undefined;
  /** The description; null where there was none. */
  description?: string | null | undefined;
}

/** The body of a test. */
export interface WebhookTestPayload {
  /** What happened. */
  type: "webhook.test";
  /** Time at which the test was asked for, in UTC. */
  timestamp: string;
  /** The webhook's environment. */
  environment: "production" | "staging";
  /** Empty. */
  data: Record<string, unknown>;
}

/** A change that was committed. */
export type Event = PetEvent | OrderEvent | CategoryEvent;

/** `data` is the resource after the change, or as it last was when deleted. */
export interface PetEvent {
  /** Identifier, which grows: a change has a higher one than those that it follows. Numbers may be left out. */
  id: Int64;
  /** What was changed, and how. */
  type: "pet.created" | "pet.updated" | "pet.deleted";
  /** Time of the change, in UTC. */
  createdAt: string;
  /** The environment it happened in. */
  environment: "production" | "staging";
  /** Who made a change. */
  actor: EventActor;
  /** The `X-Request-Id` of the change. */
  requestId: string;
  /** An animal. `status` is absent when the animal has none. */
  data: Pet;
  /** The members of `data` that were changed, with their old values. Absent where the event is no update. */
  previous?: PreviousPet | undefined;
}

/** `data` is the resource after the change, or as it last was when deleted. */
export interface OrderEvent {
  /** Identifier, which grows: a change has a higher one than those that it follows. Numbers may be left out. */
  id: Int64;
  /** What was changed, and how. */
  type: "order.placed" | "order.completed" | "order.cancelled";
  /** Time of the change, in UTC. */
  createdAt: string;
  /** The environment it happened in. */
  environment: "production" | "staging";
  /** Who made a change. */
  actor: EventActor;
  /** The `X-Request-Id` of the change. */
  requestId: string;
  /** An order for one animal. */
  data: Order;
  /** The members of `data` that were changed, with their old values. Absent where the event is no update. */
  previous?: PreviousOrder | undefined;
}

/** `data` is the resource after the change, or as it last was when deleted. */
export interface CategoryEvent {
  /** Identifier, which grows: a change has a higher one than those that it follows. Numbers may be left out. */
  id: Int64;
  /** What was changed, and how. */
  type: "category.created" | "category.updated" | "category.deleted";
  /** Time of the change, in UTC. */
  createdAt: string;
  /** The environment it happened in. */
  environment: "production" | "staging";
  /** Who made a change. */
  actor: EventActor;
  /** The `X-Request-Id` of the change. */
  requestId: string;
  /** A category. `description` is absent when it has none. */
  data: Category;
  /** The members of `data` that were changed, with their old values. Absent where the event is no update. */
  previous?: PreviousCategory | undefined;
}

/** An address that events are sent to. */
export interface Webhook {
  /** Unique identifier, assigned by the service. */
  id: Int64;
  /** Address that events are sent to: https, or http in staging, with port 80, 443 or one from 1024 on, without user name, password and fragment. At most 2048 characters. */
  url: string;
  /** The types of events that it is sent. At most 9. */
  types: EventType[];
  /** A `disabled` one is sent nothing. Its address disables it with the answer 410. */
  status: WebhookStatus;
  /** Time of creation, in UTC. */
  createdAt: string;
}

/** A webhook with its new secret. */
export interface WebhookWithSecret {
  /** Unique identifier, assigned by the service. */
  id: Int64;
  /** Address that events are sent to: https, or http in staging, with port 80, 443 or one from 1024 on, without user name, password and fragment. At most 2048 characters. */
  url: string;
  /** The types of events that it is sent. At most 9. */
  types: EventType[];
  /** A `disabled` one is sent nothing. Its address disables it with the answer 410. */
  status: WebhookStatus;
  /** Time of creation, in UTC. */
  createdAt: string;
  /** What deliveries are signed with (Standard Webhooks): `whsec_` and 32 bytes in base64. It is not shown again. */
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
  /** `queued` until it is `delivered`; `failed` when no further attempt is made. Only events are `dropped`: when their webhook is disabled first. */
  status: DeliveryStatus;
  /** Time at which it was queued, in UTC. */
  createdAt: string;
  /** Earliest time of the next attempt, in UTC. While an attempt is under way, the time at which it counts as lost. Absent unless `queued`, and behind an earlier event of the same animal. */
  nextAttemptAt?: string | undefined;
  /** Its last attempts, newest first. At most 20. */
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

/** `queued` until it is `delivered`; `failed` when no further attempt is made. Only events are `dropped`: when their webhook is disabled first. */
export type DeliveryStatus = "queued" | "delivered" | "failed" | "dropped";

/** One try to deliver. */
export interface DeliveryAttempt {
  /** When it began, in UTC. */
  createdAt: string;
  /** Milliseconds until its end. */
  durationMs: number;
  /** HTTP status of the answer; null without one. */
  status: number | null;
  /** Why there was no answer; null with one. */
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
  /** Access of the key now. A viewer's key only reads, whatever its own access. */
  access: "read" | "read-write";
  /** Role of the key's account now. */
  role: "viewer" | "staff" | "owner";
  /** Time of the key's creation, in UTC. */
  createdAt: string;
  /** Time at which the key expires, in UTC; absent if it does not. */
  expiresAt?: string | undefined;
}

/** The test clock of staging. */
export interface TestClock {
  /** The time that counts for removals of operations and for idempotency, in UTC. */
  now: string;
  /** The service's own time, in UTC: of keys, sessions, events and deliveries. */
  realNow: string;
  /** Whether the test clock was set and not brought back. */
  moved: boolean;
}

/** What staging has now. */
export interface Reset {
  /** `empty`: nothing; `shop`: a small pet shop, with animals in every status and orders. */
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
  /** What happened. */
  type: "message.submitted";
  /** Time of submission, in UTC. */
  timestamp: string;
  /** A message, as it is delivered. */
  data: SubmittedMessage;
}

/** A message, as it is delivered. */
export interface SubmittedMessage {
  /** Identifier of the message. */
  id: string;
  /** The text of the message. */
  message: string;
  /** Time of submission, in UTC. */
  createdAt: string;
  /** Of the key that submitted it. Absent for messages of versions that did not store it. */
  environment?: "production" | "staging" | undefined;
}

/** A submitted message. */
export interface Message {
  /** Identifier of the message. */
  id: string;
  /** The text of the message. */
  message: string;
  /** `queued` until it is `delivered`; `failed` when no further attempt is made. Only events are `dropped`: when their webhook is disabled first. */
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
  /** `queued` until it is `delivered`; `failed` when no further attempt is made. Only events are `dropped`: when their webhook is disabled first. */
  status: DeliveryStatus;
  /** Time of submission, in UTC. */
  createdAt: string;
  /** Earliest time of the next attempt, in UTC. While an attempt is under way, the time at which it counts as lost. Absent unless `queued`, and behind an earlier event of the same animal. */
  nextAttemptAt?: string | undefined;
  /** Its last attempts, newest first. At most 20. */
  attempts: DeliveryAttempt[];
}

/** The body of a delivery: its `type` says what its `data` is. */
export type WebhookPayload =
  | PetEventPayload
  | OrderEventPayload
  | CategoryEventPayload
  | WebhookTestPayload
  | MessagePayload;

/** Conditions of `listPets`: an item meets all of them. */
export interface PetFilter {
  /** Only animals with this availability. An animal without a status matches none. */
  status?: PetStatus | undefined;
  /** Only animals in this category. */
  categoryId?: Int64 | undefined;
  /** Only animals whose name has, for each word of this text, a word that begins with it; case, width and accents do not count: `flu` finds `Mr. Fluffy`, `strasse` finds `Straße`. Han, kana, Hangul and Thai are found inside a word, and a text of signs alone, such as an emoji, anywhere. A page may have fewer animals than `limit`, or none, while the `Link` to the next one is there: a request looks at 20,000 animals at most. */
  name?: string | undefined;
  /** Only the animals with these identifiers. At most 100. */
  ids?: readonly Int64[] | undefined;
}

/** Conditions of `listOrders`: an item meets all of them. */
export interface OrderFilter {
  /** Only orders for this animal. */
  petId?: Int64 | undefined;
  /** `true` for complete orders only, `false` for open ones only. */
  complete?: boolean | undefined;
}

/** Conditions of `listEvents`: an item meets all of them. */
export interface EventFilter {
  /** Only events of this animal and of its orders. */
  petId?: Int64 | undefined;
  /** Only events of these types. At most 9. */
  types?: readonly EventType[] | undefined;
  /** `desc` for the newest first; `asc` for the oldest first. `desc` when left out. */
  order?: "asc" | "desc" | undefined;
}

/** Conditions of `listDeliveries`: an item meets all of them. */
export interface DeliveryFilter {
  /** Only deliveries with this status. */
  status?: DeliveryStatus | undefined;
}

/** How a list is read: `limit` bounds a page, not the list. */
export interface Paging {
  /** Maximum number of items returned. With `id`, the default is the number of identifiers. 1 to 100; 20 when left out. */
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
