import { z } from "zod";
import { type DocumentedOperations, sharing } from "../contract/operation.ts";
import { enumSchema, timeSchema } from "../contract/schema.ts";

const newClock = z
  .object({
    now: timeSchema("").nullable().meta({
      description: "Time that the test clock shows, and runs on from; null for the service's own time.",
    }),
  })
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

const FIXTURE_NAMES = ["empty", "shop"] as const;
export type FixtureName = (typeof FIXTURE_NAMES)[number];

const fixture = enumSchema(FIXTURE_NAMES, {
  id: "Fixture",
  description: "`empty`: nothing; `shop`: a small pet shop, with animals in every status and orders.",
  example: "shop",
});
const newReset = z
  .object({ fixture })
  .meta({ id: "NewReset", description: "What staging starts over with." });
const count = (what: string) =>
  z
    .int()
    .min(0)
    .meta({ description: `How many ${what} there are.` });
const reset = z
  .object({ fixture, pets: count("animals"), categories: count("categories"), orders: count("orders") })
  .meta({ id: "Reset", description: "What staging has now." });
export type Reset = z.infer<typeof reset>;

export const rehearsalOperations = sharing({ tag: "Rehearsal", stability: "beta" }, {
  getTestClock: {
    method: "GET",
    path: "/test/clock",
    access: "read-write",
    summary: "Get the test clock",
    description:
      "Returns the time of the test clock, and the service's own. For a read-write key, as all of Rehearsal.",
    success: { status: 200, description: "The test clock.", schema: testClock, example: moved },
  },
  setTestClock: {
    method: "PUT",
    path: "/test/clock",
    summary: "Set the test clock",
    description:
      "Moves staging in time, forwards or back. From its removal date on `getPet` answers 410, and is in no document; an `Idempotency-Key` " +
      "is forgotten 24 hours after its request. The clock runs on from the time that is set, until it is set again, or brought back by `null`, and " +
      "counts in every process within a second. Keys, sessions, events, deliveries, deletions of old ones, rate limits and logs " +
      "stay with the service's own time. Set back, requests with an `Idempotency-Key` that were made later count as made now.",
    body: {
      schema: newClock,
      examples: { removal: { now: moved.now }, back: { now: null } },
    },
    success: { status: 200, description: "The test clock as it is now.", schema: testClock, example: moved },
  },
  resetStore: {
    method: "POST",
    path: "/test/reset",
    summary: "Start over with a fixture",
    description:
      "Takes away every animal, category, order, event and delivery of staging, and adds a fixture: the same animals with the same " +
      "identifiers every time, as here alone identifiers are used again. It is one transaction, makes no events, and is in the audit list. What is known under an `Idempotency-Key` is forgotten. Cursors from before are 400; event " +
      "streams end, and their `Last-Event-ID` is 410. Webhooks stay, with their secrets, and so do the test clock, messages, accounts and keys. Numbers of " +
      "events and deliveries go on, so that no `webhook-id` is used twice.",
    body: {
      schema: newReset,
      examples: { shop: { fixture: "shop" }, empty: { fixture: "empty" } },
    },
    success: {
      status: 200,
      description: "Staging has the fixture, and nothing else.",
      schema: reset,
      example: { fixture: "shop", pets: 25, categories: 6, orders: 7 },
    },
  },
} as const satisfies DocumentedOperations);
