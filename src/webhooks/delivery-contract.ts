import { z } from "zod";
import { ENVIRONMENTS } from "../context.ts";
import type { WebhookRequest } from "../contract/openapi/webhooks.ts";
import { type DocumentedOperations, sharing } from "../contract/operation.ts";
import { enumParameter, int64Parameter, pagingParameters } from "../contract/parameter.ts";
import { enumSchema, int64Schema, timeSchema } from "../contract/schema.ts";
import { DELIVERY_STATUSES, deliveryStatus, progress } from "../delivery-queue/contract.ts";
import { EVENT_TYPES } from "../event-kinds/event-kinds.ts";
import { all, pathParameters } from "./contract.ts";

export const TEST_TYPE = "webhook.test";
export const DELIVERY_TYPES = [...EVENT_TYPES, TEST_TYPE] as const;

const delivery = z
  .object({
    id: int64Schema({ minimum: 1, description: "Unique identifier, assigned by the service.", example: 1 }),
    eventId: int64Schema({ minimum: 1, description: "Identifier of the event." })
      .nullable()
      .meta({ description: "The event that is delivered; null for a test.", example: 1 }),
    type: enumSchema(DELIVERY_TYPES, {
      id: "DeliveryType",
      description: "The event's type, or `webhook.test`.",
    }),
    status: deliveryStatus,
    createdAt: timeSchema("Time at which the delivery was queued, in UTC."),
    ...progress,
  })
  .meta({ id: "Delivery", description: "The delivery of an event to a webhook." });
export type Delivery = z.infer<typeof delivery>;

const delivered = {
  id: 1,
  eventId: 1,
  type: "pet.created",
  status: "delivered",
  createdAt: "2026-01-01T12:00:00.000Z",
  attempts: [{ createdAt: "2026-01-01T12:00:00.050Z", durationMs: 84, status: 204, error: null }],
};
const queued = { ...delivered, status: "queued", nextAttemptAt: "2026-01-01T12:00:00.000Z" };
const test = { ...queued, eventId: null, type: TEST_TYPE, attempts: [] };
const location = "/webhooks/{webhookId}/deliveries/{id}";

const deliveryParameters = {
  ...pathParameters,
  deliveryId: int64Parameter({ description: "Identifier of the delivery.", example: 1 }),
};
export const deliveryOperations = sharing(all, {
  testWebhook: {
    method: "POST",
    path: "/webhooks/{webhookId}/test",
    summary: "Test a webhook",
    description: "Queues a delivery of the type `webhook.test`.",
    pathParameters,
    success: { status: 202, description: "The test is queued.", schema: delivery, example: test, location },
    errors: ["not_found", "webhook_disabled"],
  },
  listDeliveries: {
    method: "GET",
    path: "/webhooks/{webhookId}/deliveries",
    summary: "List deliveries",
    description: "Lists a webhook's deliveries with their attempts, newest first, one page at a time.",
    pathParameters,
    query: {
      limit: pagingParameters.limit,
      status: enumParameter(DELIVERY_STATUSES, {
        description: "Returns only deliveries with this status.",
        schema: z.enum(DELIVERY_STATUSES),
        example: "queued",
      }),
      cursor: pagingParameters.cursor,
    },
    success: {
      status: 200,
      description: "A page of deliveries.",
      schema: z.array(delivery).meta({ id: "Deliveries", description: "Deliveries, newest first." }),
      example: [delivered],
      paged: true,
    },
    errors: ["not_found", "invalid_cursor"],
  },
  getDelivery: {
    method: "GET",
    path: "/webhooks/{webhookId}/deliveries/{deliveryId}",
    summary: "Get a delivery",
    description: "Returns one delivery of a webhook with its attempts.",
    pathParameters: deliveryParameters,
    success: { status: 200, description: "The delivery.", schema: delivery, example: delivered },
    errors: ["not_found"],
  },
  redeliver: {
    method: "POST",
    path: "/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver",
    summary: "Send a delivery again",
    description:
      "Queues a delivery again, with the same `webhook-id` and as many retries as a new delivery. A delivery that is still queued is " +
      "attempted at once. If its event has been deleted, the request fails with `not_found`.",
    pathParameters: deliveryParameters,
    success: {
      status: 202,
      description: "The delivery is queued again.",
      schema: delivery,
      example: queued,
      location,
    },
    errors: ["not_found", "webhook_disabled"],
  },
} as const satisfies DocumentedOperations);

const payload = z
  .object({
    type: z.literal(TEST_TYPE).meta({ description: "The kind of event." }),
    timestamp: timeSchema("Time at which the test was requested, in UTC."),
    environment: z.enum(ENVIRONMENTS).meta({ description: "Environment of the webhook." }),
    data: z.object({}).meta({ description: "An empty object." }),
  })
  .meta({ id: "WebhookTestPayload", description: "The body of a test delivery." });

export const testRequest: WebhookRequest = {
  name: "test",
  types: [TEST_TYPE],
  summary: "A test was requested",
  description:
    "`testWebhook` sends this delivery, even to a webhook that receives only other types. The test is not stored as an event.",
  schema: payload,
  example: { type: TEST_TYPE, timestamp: "2026-01-01T12:00:00.000Z", environment: "production", data: {} },
};
