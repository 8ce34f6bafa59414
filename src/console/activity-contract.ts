import { z } from "zod";
import { named, type Operations } from "../contract/operation.ts";
import { int64Parameter, opaqueParameter, pagingParameters } from "../contract/parameter.ts";
import type { Event } from "../event-kinds/event-kinds.ts";

/**
 * One line of the activity list: a single event, or a group of similar consecutive events, such as those of an import. The line
 * of a group contains only its newest event.
 */
export type ActivityLine = Event & {
  readonly count: number;
  /** True if there may be more than `count` events, because the server has not read all older events. */
  readonly isAtLeast: boolean;
  /** The name of the ordered animal. It is empty if the animal has been removed, or the event is not about an order. */
  readonly petName: string;
};

export const activityOperations = named({
  listActivity: {
    method: "GET",
    path: "/activity",
    query: {
      petId: int64Parameter({
        description: "Returns only changes to this animal and its orders.",
        example: 1,
      }),
      by: opaqueParameter({
        description:
          "Returns only changes by this author. The value consists of the author's kind, a colon, and the author's identifier.",
        expected: "a kind of author (person, key or operator), a colon, and the author's identifier",
        accepts: (text) => /^(person|key|operator):/.test(text),
        example: "person:1",
      }),
      from: int64Parameter({
        description: "Returns only changes at this time or later.",
        example: 1_767_225_600_000,
      }),
      before: int64Parameter({
        description: "Returns only changes before this time.",
        example: 1_767_312_000_000,
      }),
      each: int64Parameter({
        description:
          "Identifier of the first event to return. With this parameter, changes are not grouped: every line is a single event.",
        example: 1,
      }),
      ...pagingParameters,
    },
    success: { status: 200, paged: true, schema: z.custom<readonly ActivityLine[]>() },
    errors: ["invalid_cursor"],
  },
} as const satisfies Operations);
