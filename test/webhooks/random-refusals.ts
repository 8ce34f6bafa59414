import { expect } from "bun:test";
import { numberColumn } from "../../src/storage/row.ts";
import { createRandom, type Random } from "../random.ts";
import { createReceiver, eventOf, subjectOf, verify } from "./receiver.ts";
import type { Stage } from "./stage.ts";

const HOUR_MS = 3_600_000;
const PETS = 5;

/**
 * Makes changes for an hour, with a webhook that refuses at random. Asserts that every event is delivered, those of one
 * animal in order, and that the published library accepts the signature of each request.
 */
export async function refuseForAnHour(stage: Stage, seed: number, changes: number): Promise<void> {
  const { app, addWebhook, advanceUntil, rows } = stage;
  const random = createRandom(seed);
  const answers = random.split();
  const endsAt = app.clock.now() + HOUR_MS;
  const receiver = createReceiver(() => {
    return app.clock.now() < endsAt && answers.chance(0.5)
      ? answers.pick([302, 400, 404, 429, 500, 503])
      : 204;
  });
  try {
    const { secret } = await addWebhook(receiver.url);
    for (let change = 0; change < changes; change++) {
      await changeSomething(stage, random, change);
      const until = app.clock.now() + random.between(0, (2 * HOUR_MS) / changes);
      await advanceUntil(() => app.clock.now() >= Math.min(until, endsAt));
    }
    await advanceUntil(stage.isSettled);
    const events = await rows("SELECT id FROM event ORDER BY id", numberColumn("id"));
    expect(events.length).toBe(changes);
    expect(await stage.statuses()).toEqual({ delivered: events.length });

    const accepted = receiver.received.filter(({ status }) => status === 204);
    expect(accepted.map((delivery) => eventOf(delivery).id).toSorted((a, b) => a - b)).toEqual([...events]);
    expect(receiver.received.length).toBeGreaterThan(accepted.length);
    for (const ofOne of Map.groupBy(receiver.received, subjectOf).values()) {
      const ids = ofOne.map((delivery) => eventOf(delivery).id);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    }
    for (const delivery of receiver.received) {
      const sentAt = Number(delivery.headers["webhook-timestamp"]) * 1_000;
      verify(delivery, secret, sentAt);
      expect(delivery.headers["webhook-id"]).toBe(`evt_${eventOf(delivery).id}`);
    }
  } finally {
    await receiver.stop();
  }
}

/** Makes a change that appends one event. */
async function changeSomething({ call }: Stage, random: Random, change: number): Promise<void> {
  if (change < PETS) await call("POST /pets", { name: "x", categoryId: 1 });
  else if (random.chance(0.1)) await call("POST /categories", { name: "x" });
  else await call(`PATCH /pets/${random.between(1, PETS)}`, { name: `change ${change}` });
}
