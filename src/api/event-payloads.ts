import { z } from "zod";
import type { WebhookRequest } from "../contract/openapi/webhooks.ts";
import type { EventType } from "../events/event.ts";
import { event } from "./event-contract.ts";

const AT = "2026-01-01T12:00:00.000Z";
const FLUFFY = { id: 1, name: "Fluffy", categoryId: 1, status: "available" };
const ORDER = { id: 1, petId: 1, quantity: 1, shipDate: null, complete: false };
const CATS = { id: 1, name: "Cats", description: "Purring animals" };

/** A summary and an example for each event type; `data` is the resource after the change. */
const DESCRIBED: Readonly<Record<EventType, { summary: string; data: object; previous?: object }>> = {
  "pet.created": { summary: "An animal was added", data: FLUFFY },
  "pet.updated": {
    summary: "An animal was changed, by hand or by an order",
    data: { ...FLUFFY, status: "pending" },
    previous: { status: "available" },
  },
  "pet.deleted": { summary: "An animal was removed", data: FLUFFY },
  "order.placed": { summary: "An order was placed", data: ORDER },
  "order.completed": {
    summary: "An order was completed",
    data: { ...ORDER, complete: true },
    previous: { complete: false },
  },
  "order.cancelled": { summary: "An order was cancelled", data: ORDER },
  "category.created": { summary: "A category was added", data: CATS },
  "category.updated": {
    summary: "A category was changed",
    data: { ...CATS, name: "Felines" },
    previous: { name: "Cats" },
  },
  "category.deleted": { summary: "A category was removed", data: CATS },
};

export const eventRequests: readonly WebhookRequest[] = event.options.flatMap((schema) => {
  const payload = z
    .object({
      type: schema.shape.type,
      timestamp: schema.shape.createdAt,
      data: schema,
    })
    .meta({ id: `${schema.meta()?.id}Payload`, description: "The body of a delivery." });
  return schema.shape.type.options.map((type) => ({
    type,
    summary: DESCRIBED[type].summary,
    ...(type.startsWith("order.") && { description: "The `pet.updated` of its animal follows." }),
    schema: payload,
    example: { type, timestamp: AT, data: exampleOf(type) },
  }));
});

function exampleOf(type: EventType) {
  const { data, previous } = DESCRIBED[type];
  return {
    id: 1,
    type,
    createdAt: AT,
    environment: "production",
    actor: { kind: "key", id: "key_4aYQwJdbBo8sV0rzP2fLxM", name: "till" },
    requestId: "3f0c2c1e9b7a4d5f8e6a1b2c3d4e5f60",
    data,
    ...(previous && { previous }),
  };
}
