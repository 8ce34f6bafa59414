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
    kind: z
      .enum(EVENT_ACTOR_KINDS)
      .meta({ description: "The kind of actor: an API key, a person in the console, or the operator." }),
    id: textSchema({
      description: "Identifier of the key or of the person's account; empty for the operator.",
      example: "key_4aYQwJdbBo8sV0rzP2fLxM",
    }),
    name: textSchema({
      description: "The key's name, or `operator`; empty for a person.",
      example: "till",
    }),
  })
  .meta({ id: "EventActor", description: "The person or program that made a change." });

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
          "Identifier. A later change has a higher one than every change that it follows; numbers may be skipped.",
        example: 1,
      }),
      type: z.enum(types).meta({ description: "The kind of change." }),
      createdAt: timeSchema("Time of the change, in UTC."),
      environment: z.enum(ENVIRONMENTS).meta({ description: "Environment in which the change was made." }),
      actor,
      requestId: textSchema({ description: "The `X-Request-Id` of the change.", example: "req-1" }),
      data,
      previous: previous.optional().meta({
        description: "Old values of the members of `data` that an update changed. Absent for other events.",
      }),
    })
    .meta({
      id,
      description:
        "A change, with the resource in `data` as it was afterwards, or, if it was deleted, as it was last.",
    });
}

const previousPet = petPatch
  .extend({
    status: petPatch.shape.status.meta({ description: "The old availability; null if the animal had none." }),
  })
  .meta({
    id: "PreviousPet",
    description: "Old values of the members of an animal that were changed.",
  });
const previousOrder = order
  .pick({ complete: true })
  .partial()
  .extend({
    completedAt: z
      .null()
      .optional()
      .meta({ description: "Always null, because the order was not complete before." }),
  })
  .meta({
    id: "PreviousOrder",
    description: "Old values of the members of an order that were changed.",
  });
const previousCategory = categoryPatch
  .extend({
    description: categoryPatch.shape.description.meta({
      description: "The old description; null if the category had none.",
    }),
  })
  .meta({
    id: "PreviousCategory",
    description: "Old values of the members of a category that were changed.",
  });

const petEvent = eventSchema("PetEvent", PET_EVENTS, pet, previousPet);
const orderEvent = eventSchema("OrderEvent", ORDER_EVENTS, order, previousOrder);
const categoryEvent = eventSchema("CategoryEvent", CATEGORY_EVENTS, category, previousCategory);

export const event = z
  .discriminatedUnion("type", [petEvent, orderEvent, categoryEvent])
  .meta({ id: "Event", description: "A committed change." });
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
      "Lists the changes, newest first, one page at a time. With `order=asc` the list starts with the oldest event, and every page, even an " +
      'empty one, has a `Link` with `rel="next"`: a program that keeps following it misses nothing. With `Accept: text/event-stream` the ' +
      "response is a stream of the events after `Last-Event-ID`, or of those from now on, as they happen; it refuses `order`, `limit` and " +
      "`cursor`. The stream ends when its key does. Events are deleted after 90 days, unless the operator has set another time.",
    query: {
      petId: int64Parameter({ description: "Only events of this animal and of its orders.", example: 1 }),
      type: enumListParameter(EVENT_TYPES, {
        description:
          "Only events of these types, separated by commas: `type=pet.created,pet.deleted`. You can also repeat the parameter.",
        schema: eventType,
        example: ["pet.updated"],
      }),
      order: enumParameter(ORDERS, {
        description: "`desc` for the newest first; `asc` for the oldest first. `desc` if left out.",
        schema: z.enum(ORDERS),
        example: "asc",
      }),
      ...pagingParameters,
    },
    success: {
      status: 200,
      description: "A page of events, or a stream of events.",
      schema: events,
      example: [sold],
      paged: true,
      stream: {
        query: ["petId", "type"],
        description:
          "Server-sent events (WHATWG HTML §9.2): `id` is the event's, `event` its `type`, `data` the event as JSON. " +
          "A comment every 15 seconds shows that the connection is alive.",
        example: `id: 2\nevent: pet.updated\ndata: ${JSON.stringify(sold)}\n\n`,
      },
    },
    errors: ["invalid_cursor", "cursor_expired"],
  },
} as const satisfies DocumentedOperations);
