import { z } from "zod";
import { type DocumentedOperations, sharing } from "../contract/operation.ts";
import { enumSchema, timeSchema } from "../contract/schema.ts";

const newClock = z
  .object({
    now: timeSchema("").nullable().meta({
      description:
        "New time for the test clock. The clock keeps running from this time. With `null`, the test clock shows the service's own time again.",
    }),
  })
  .meta({ id: "NewTestClock", description: "A new time for the test clock." });

const testClock = z
  .object({
    now: timeSchema(
      "The time of the test clock, in UTC. This time decides when deprecated operations are removed and idempotency keys expire.",
    ),
    realNow: timeSchema("The service's own time, in UTC, used for keys, sessions, events and deliveries."),
    moved: z.boolean().meta({
      description: "True while the test clock differs from the service's own time.",
    }),
  })
  .meta({ id: "TestClock", description: "The test clock of staging." });
export type TestClock = z.infer<typeof testClock>;

const moved = { now: "2030-12-05T00:00:00.000Z", realNow: "2026-01-01T12:00:00.000Z", moved: true };

const FIXTURE_NAMES = ["empty", "shop"] as const;
export type FixtureName = (typeof FIXTURE_NAMES)[number];

const fixture = enumSchema(FIXTURE_NAMES, {
  id: "Fixture",
  description:
    "`empty`: no data. `shop`: a small pet shop with orders, with animals in every status, and with a month of history.",
  example: "shop",
});
const newReset = z
  .object({ fixture })
  .meta({ id: "NewReset", description: "The data that staging has after a reset." });
const count = (what: string) =>
  z
    .int()
    .min(0)
    .meta({ description: `Number of ${what}.` });
const reset = z
  .object({ fixture, pets: count("animals"), categories: count("categories"), orders: count("orders") })
  .meta({ id: "Reset", description: "The data in staging after the reset." });
export type Reset = z.infer<typeof reset>;

export const rehearsalOperations = sharing({ tag: "Rehearsal", stability: "beta" }, {
  getTestClock: {
    method: "GET",
    path: "/test/clock",
    access: "read-write",
    summary: "Get the test clock",
    description:
      "Returns the time of the test clock and the service's own time. Like every operation in the group Rehearsal, this one needs a read-write key.",
    success: { status: 200, description: "The test clock.", schema: testClock, example: moved },
  },
  setTestClock: {
    method: "PUT",
    path: "/test/clock",
    summary: "Set the test clock",
    description:
      "Sets staging's clock to another time, so that you can try what happens at that time. For example, `getPet` answers 410 from its removal date on, and " +
      "an `Idempotency-Key` is forgotten 24 hours after its request. The clock keeps running from the given time until you set another time, or return to the service's " +
      "own time with `null`. Every process uses the new time within a second. Keys, sessions, events, deliveries, the deletion of old data, rate limits and logs " +
      "always use the service's own time. If you set the clock back, earlier requests with an `Idempotency-Key` count as if they were sent now.",
    body: {
      schema: newClock,
      examples: { removal: { now: moved.now }, back: { now: null } },
    },
    success: {
      status: 200,
      description: "The current state of the test clock.",
      schema: testClock,
      example: moved,
    },
  },
  resetStore: {
    method: "POST",
    path: "/test/reset",
    summary: "Replace staging's data with sample data",
    description:
      "Removes every animal, category, order, event and delivery from staging, and adds a fixture: sample data that always has the same animals with " +
      "the same identifiers. This is the only operation that uses identifiers again. Everything happens in one transaction, and the audit log records the reset. " +
      "The events of the fixture `shop` are dated in the last month, and are not sent to webhooks and open streams. Every `Idempotency-Key` is forgotten. A cursor from before the reset gets 400. Open event streams end, and a `Last-Event-ID` from before the reset gets 410. " +
      "The reset keeps webhooks with their secrets, the test clock, messages, accounts and keys. The identifiers of events and deliveries continue, " +
      "so no `webhook-id` is used twice.",
    body: {
      schema: newReset,
      examples: { shop: { fixture: "shop" }, empty: { fixture: "empty" } },
    },
    success: {
      status: 200,
      description: "Staging has been reset, and contains only the fixture.",
      schema: reset,
      example: { fixture: "shop", pets: 25, categories: 6, orders: 7 },
    },
  },
} as const satisfies DocumentedOperations);
