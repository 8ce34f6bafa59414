import { z } from "zod";
import { type DocumentedOperations, sharing } from "../contract/operation.ts";
import { enumListParameter, enumParameter, int64Parameter, pagingParameters } from "../contract/parameter.ts";
import { EVENT_TYPES, type Event, event, eventType } from "../event-kinds/event-kinds.ts";

const events = z.array(event).meta({ id: "Events", description: "Events, in the requested order." });

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
      'empty one, has a `Link` with `rel="next"`: a program that keeps requesting this next page misses no event. With `Accept: text/event-stream` the ' +
      "response is an event stream: it begins after the event that `Last-Event-ID` names, or without `Last-Event-ID`, with the next new event. A stream does not accept " +
      "`order`, `limit` and `cursor`, and ends when its key expires or is revoked. Events are deleted after 90 days, unless the operator has set a different period.",
    query: {
      petId: int64Parameter({
        description: "Returns only events about this animal and its orders.",
        example: 1,
      }),
      type: enumListParameter(EVENT_TYPES, {
        description:
          "Returns only events of these types, separated by commas: `type=pet.created,pet.deleted`. You can also repeat the parameter.",
        schema: eventType,
        example: ["pet.updated"],
      }),
      order: enumParameter(ORDERS, {
        description: "`desc` (the default) lists the newest event first, `asc` the oldest.",
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
          "Server-sent events (WHATWG HTML §9.2): `id` is the identifier of the event, `event` is its `type`, and `data` is the event as JSON. " +
          "The service sends a comment every 15 seconds, so that you can detect a lost connection.",
        example: `id: 2\nevent: pet.updated\ndata: ${JSON.stringify(sold)}\n\n`,
      },
    },
    errors: ["invalid_cursor", "cursor_expired"],
  },
} as const satisfies DocumentedOperations);
