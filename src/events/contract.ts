import { z } from "zod";
import { category } from "../categories/contract.ts";
import { ENVIRONMENTS } from "../context.ts";
import { int64Schema, textSchema, timeSchema } from "../contract/schema.ts";
import { order } from "../orders/contract.ts";
import { pet } from "../pets/contract.ts";

const PET_EVENTS = ["pet.created", "pet.updated", "pet.deleted"] as const;
const ORDER_EVENTS = ["order.placed", "order.completed", "order.cancelled"] as const;
const CATEGORY_EVENTS = ["category.created", "category.updated", "category.deleted"] as const;

export const EVENT_TYPES = [...PET_EVENTS, ...ORDER_EVENTS, ...CATEGORY_EVENTS] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const EVENT_ACTOR_KINDS = ["key", "person", "operator"] as const;

const actor = z
  .object({
    kind: z.enum(EVENT_ACTOR_KINDS).meta({ description: "What made the change." }),
    id: textSchema({
      description: "Identifier of the key or of the person's account; empty for the operator.",
      example: "key_4aYQwJdbBo8sV0rzP2fLxM",
    }),
    name: textSchema({
      description: "The key's name, or `operator`; empty for a person.",
      example: "till",
    }),
  })
  .meta({ id: "EventActor", description: "Who made a change." });

function eventSchema<const Types extends readonly [EventType, ...EventType[]], Data extends z.ZodObject>(
  id: string,
  types: Types,
  data: Data,
) {
  return z
    .object({
      id: int64Schema({
        minimum: 1,
        description: "Identifier, which grows in the order of commits.",
        example: 1,
      }),
      type: z.enum(types).meta({ description: "What was changed, and how." }),
      createdAt: timeSchema("Time of the change, in UTC."),
      environment: z.enum(ENVIRONMENTS).meta({ description: "The environment it happened in." }),
      actor,
      requestId: textSchema({ description: "The `X-Request-Id` of the change.", example: "req-1" }),
      data,
      previous: z.record(z.string(), z.unknown()).optional().meta({
        description:
          "The members of `data` that were changed, with their old values; null for one that was absent.",
      }),
    })
    .meta({ id, description: "`data` is the resource after the change, or as it last was when deleted." });
}

const petEvent = eventSchema("PetEvent", PET_EVENTS, pet);
const orderEvent = eventSchema("OrderEvent", ORDER_EVENTS, order);
const categoryEvent = eventSchema("CategoryEvent", CATEGORY_EVENTS, category);

export const event = z
  .discriminatedUnion("type", [petEvent, orderEvent, categoryEvent])
  .meta({ id: "Event", description: "A change that was committed." });
export type Event = z.infer<typeof event>;
