import { z } from "zod";
import type { Operation } from "../contract/operation.ts";
import { timeSchema } from "../contract/schema.ts";

const newClock = z
  .object({ now: timeSchema("The time that the test clock is to show. It runs on from there.") })
  .meta({ id: "NewTestClock", description: "What the test clock is set to." });

const testClock = z
  .object({
    now: timeSchema("The time that counts for removals of operations and for idempotency, in UTC."),
    realNow: timeSchema("The service's own time, in UTC: of keys, sessions, events and deliveries."),
    moved: z.boolean().meta({ description: "Whether the test clock was set and not brought back." }),
  })
  .meta({ id: "TestClock", description: "The test clock of staging." });
export type TestClock = z.infer<typeof testClock>;

const moved = { now: "2030-12-05T00:00:00.000Z", realNow: "2026-01-01T12:00:00.000Z", moved: true };

/** Of every operation here. */
const all = { tag: "Rehearsal", access: "read-write", stability: "beta" } as const;

/** The operations that staging alone has. */
export const rehearsalOperations = {
  getTestClock: {
    ...all,
    id: "getTestClock",
    method: "GET",
    path: "/test/clock",
    summary: "Get the test clock",
    description:
      "Returns the time of the test clock, and the service's own. For a read-write key, as all of Rehearsal.",
    success: { status: 200, description: "The test clock.", schema: testClock, example: moved },
  },
  setTestClock: {
    ...all,
    id: "setTestClock",
    method: "PUT",
    path: "/test/clock",
    summary: "Set the test clock",
    description:
      "Moves staging in time, forwards or back: from its removal date on `getPet` answers 410, and is in no document; an `Idempotency-Key` " +
      "is forgotten 24 hours after its request. The clock runs on from the time that is set, until it is set again or brought back, and " +
      "counts in every process within a second. Keys, sessions, events, deliveries, deletions of old ones, rate limits and logs " +
      "stay with the service's own time. Set back, requests with an `Idempotency-Key` that were made later count as made now.",
    body: {
      schema: newClock,
      mediaTypes: ["application/json"],
      examples: { removal: { now: moved.now } },
    },
    success: { status: 200, description: "The test clock as it is now.", schema: testClock, example: moved },
  },
  deleteTestClock: {
    ...all,
    id: "deleteTestClock",
    method: "DELETE",
    path: "/test/clock",
    summary: "Bring the test clock back",
    description: "From now on the service's own time counts for everything.",
    success: { status: 204, description: "The test clock shows the service's own time." },
  },
} as const satisfies Record<string, Operation>;
