import { z } from "zod";
import { category, categoryPatch } from "../categories/contract.ts";
import { ENVIRONMENTS } from "../context.ts";
import { type DocumentedOperations, sharing } from "../contract/operation.ts";
import { enumListParameter, enumParameter, int64Parameter, pagingParameters } from "../contract/parameter.ts";
import { int64Schema, textSchema, timeSchema } from "../contract/schema.ts";
import {
  CATEGORY_EVENTS,
  EVENT_ACTOR_KINDS,
  EVENT_TYPES,
  type EventType,
  eventType,
  ORDER_EVENTS,
  PET_EVENTS,
} from "../events/event.ts";
import { order } from "../orders/contract.ts";
import { pet, petPatch } from "../pets/contract.ts";

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

function eventSchema<
  const Types extends readonly [EventType, ...EventType[]],
  Data extends z.ZodObject,
  Previous extends z.ZodObject,
>(id: string, types: Types, data: Data, previous: Previous) {
  return z
    .object({
      id: int64Schema({
        minimum: 1,
        description:
          "Identifier, which grows: a change has a higher one than those that it follows. Numbers may be left out.",
        example: 1,
      }),
      type: z.enum(types).meta({ description: "What was changed, and how." }),
      createdAt: timeSchema("Time of the change, in UTC."),
      environment: z.enum(ENVIRONMENTS).meta({ description: "The environment it happened in." }),
      actor,
      requestId: textSchema({ description: "The `X-Request-Id` of the change.", example: "req-1" }),
      data,
      previous: previous.optional().meta({
        description:
          "The members of `data` that were changed, with their old values. Absent where the event is no update.",
      }),
    })
    .meta({ id, description: "`data` is the resource after the change, or as it last was when deleted." });
}

const previousPet = petPatch
  .extend({
    status: petPatch.shape.status.meta({ description: "The availability; null where there was none." }),
  })
  .meta({
    id: "PreviousPet",
    description: "The members of an animal that were changed, as they were before.",
  });
const previousOrder = order
  .pick({ complete: true })
  .partial()
  .extend({ completedAt: z.null().optional().meta({ description: "Null: the order was not complete." }) })
  .meta({
    id: "PreviousOrder",
    description: "The members of an order that were changed, as they were before.",
  });
const previousCategory = categoryPatch
  .extend({
    description: categoryPatch.shape.description.meta({
      description: "The description; null where there was none.",
    }),
  })
  .meta({
    id: "PreviousCategory",
    description: "The members of a category that were changed, as they were before.",
  });

const petEvent = eventSchema("PetEvent", PET_EVENTS, pet, previousPet);
const orderEvent = eventSchema("OrderEvent", ORDER_EVENTS, order, previousOrder);
const categoryEvent = eventSchema("CategoryEvent", CATEGORY_EVENTS, category, previousCategory);

export const event = z
  .discriminatedUnion("type", [petEvent, orderEvent, categoryEvent])
  .meta({ id: "Event", description: "A change that was committed." });
export type Event = z.infer<typeof event>;

const events = z.array(event).meta({ id: "Events", description: "Events, in the order asked for." });

const sold: Event = {
  id: 2,
  type: "pet.updated",
  createdAt: "2026-01-01T12:00:00.000Z",
  environment: "production",
  actor: { kind: "key", id: "key_4aYQwJdbBo8sV0rzP2fLxM", name: "till" },
  requestId: "req-1",
  data: { id: 1, name: "Fluffy", categoryId: 1, status: "sold" },
  previous: { status: "pending" },
};

const ORDERS = ["asc", "desc"] as const;

export const eventOperations = sharing({ tag: "Events", stability: "beta" }, {
  listEvents: {
    method: "GET",
    path: "/events",
    summary: "List events",
    description:
      "Lists what was changed, newest first, one page at a time. With `order=asc` the list starts at the oldest event, and the " +
      '`Link` with `rel="next"` is always there, also on an empty page: it leads to what comes next, so that a program can follow it ' +
      "for ever and misses nothing. With `Accept: text/event-stream` the events that follow are sent as they happen, from the one " +
      "behind `Last-Event-ID` on, or from now on; `order`, `limit` and `cursor` are refused there. The stream ends with its key. Events are deleted after a time, 90 days unless the operator has set another.",
    query: {
      petId: int64Parameter({ description: "Only events of this animal and of its orders.", example: 1 }),
      type: enumListParameter(EVENT_TYPES, {
        description:
          "Only events of these types, separated by commas: `type=pet.created,pet.deleted`; or repeat it.",
        schema: eventType,
        example: ["pet.updated"],
      }),
      order: enumParameter(ORDERS, {
        description: "`desc` for the newest first; `asc` for the oldest first. `desc` when left out.",
        schema: z.enum(ORDERS),
        example: "asc",
      }),
      ...pagingParameters,
    },
    success: {
      status: 200,
      description: "A page of events; or the events that follow.",
      schema: events,
      example: [sold],
      paged: true,
      stream: {
        query: ["petId", "type"],
        description:
          "Server-sent events (WHATWG HTML §9.2): `id` is the event's, `event` its `type`, `data` the event as JSON. " +
          "A comment shows every 15 seconds that the connection is alive.",
        example: `id: 2\nevent: pet.updated\ndata: ${JSON.stringify(sold)}\n\n`,
      },
    },
    errors: ["invalid_cursor", "cursor_expired"],
  },
} as const satisfies DocumentedOperations);
