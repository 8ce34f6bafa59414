import { z } from "zod";
import type { WebhookRequest } from "../contract/openapi/webhooks.ts";
import { type EventType, event } from "../event-kinds/event-kinds.ts";

const AT = "2026-01-01T12:00:00.000Z";
const [petEvent, orderEvent, categoryEvent] = event.options;

/** Webhook requests for events, as the API documents describe them: one request for each kind of resource. */
export const eventRequests: readonly WebhookRequest[] = [
  {
    name: "pet",
    summary: "An animal was added, changed or removed",
    ...payloadOf(petEvent, "pet.updated", {
      data: { id: 1, name: "Fluffy", categoryId: 1, status: "pending" },
      previous: { status: "available" },
    }),
  },
  {
    name: "order",
    summary: "An order was placed, completed or cancelled",
    description: "A `pet.updated` event for the ordered animal follows this event.",
    ...payloadOf(orderEvent, "order.placed", {
      data: { id: 1, petId: 1, quantity: 1, shipDate: null, complete: false, createdAt: AT },
    }),
  },
  {
    name: "category",
    summary: "A category was added, changed or removed",
    ...payloadOf(categoryEvent, "category.created", {
      data: { id: 1, name: "Cats", description: "Purring animals", createdAt: AT },
    }),
  },
];

/** Returns the body of an event's delivery: the event itself, with its time in `timestamp`. */
function payloadOf(schema: (typeof event.options)[number], type: EventType, changed: object) {
  const { type: typeSchema, createdAt: timestamp, ...members } = schema.shape;
  return {
    types: typeSchema.options,
    schema: z
      .object({ type: typeSchema, timestamp, ...members })
      .meta({ id: `${schema.meta()?.id}Payload`, description: "The body of a delivery." }),
    example: {
      type,
      timestamp: AT,
      id: 1,
      environment: "production",
      actor: { kind: "key", id: "key_4aYQwJdbBo8sV0rzP2fLxM", name: "till" },
      requestId: "3f0c2c1e9b7a4d5f8e6a1b2c3d4e5f60",
      ...changed,
    },
  };
}
