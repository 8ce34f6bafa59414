import { z } from "zod";
import { named, type Operations } from "../contract/operation.ts";
import { int64Parameter, opaqueParameter, pagingParameters } from "../contract/parameter.ts";
import type { Event } from "../event-kinds/event-kinds.ts";

/** A line of the activity: an event, or the newest of several like it in a row, such as an import. */
export type ActivityLine = Event & {
  readonly count: number;
  /** True if older events may belong to the line, too. */
  readonly isAtLeast: boolean;
  /** Name of an order's animal; empty if it was removed, and for all other events. */
  readonly petName: string;
};

export const activityOperations = named({
  listActivity: {
    method: "GET",
    path: "/activity",
    query: {
      petId: int64Parameter({ description: "Only changes of this animal and of its orders.", example: 1 }),
      by: opaqueParameter({
        description: "Only changes by this author: kind and identifier.",
        expected: "person, key or operator, a colon, and the author's identifier",
        accepts: (text) => /^(person|key|operator):/.test(text),
        example: "person:1",
      }),
      from: int64Parameter({
        description: "Only changes at this time or later.",
        example: 1_767_225_600_000,
      }),
      before: int64Parameter({ description: "Only changes before this time.", example: 1_767_312_000_000 }),
      each: int64Parameter({
        description: "Begins with this event, and shows each one in a line of its own.",
        example: 1,
      }),
      ...pagingParameters,
    },
    success: { status: 200, paged: true, schema: z.custom<readonly ActivityLine[]>() },
    errors: ["invalid_cursor"],
  },
} as const satisfies Operations);
