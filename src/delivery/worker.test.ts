import { afterEach, describe, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../../test/test-app.ts";
import { until } from "../../test/until.ts";
import { DELIVERY_DELAYS_MS, DELIVERY_LEASE_MS } from "../limits.ts";
import type { Outcome } from "./source.ts";
import { type Deliver, signatureHeaders } from "./webhook.ts";
import { DELIVERY_JITTER, DELIVERY_POLL_MS } from "./worker.ts";

const STEP_MS = 60_000;

let app: TestApp;
afterEach(() => app.close());

/**
 * Creates a destination for deliveries. The test decides how the destination answers. The destination records when each request
 * arrives.
 */
function createDestination(answer: (attempt: number) => Outcome | Promise<Outcome> | Error) {
  const attempts: { id: string; at: number }[] = [];
  const watchers: (() => void)[] = [];
  const deliver: Deliver = async ({ id }, now) => {
    attempts.push({ id, at: now });
    for (const watcher of watchers.splice(0)) watcher();
    const outcome = answer(attempts.length);
    if (outcome instanceof Error) throw outcome;
    return { outcome: await outcome };
  };
  return { attempts, deliver };
}

async function submit(key: string): Promise<string> {
  const response = await app.send("messages", "POST /messages", { key, body: '{"message":"x"}' });
  return JSON.parse(await response.text()).id;
}

async function statusOf(id: string, key: string): Promise<string> {
  return JSON.parse(await (await app.send("messages", `GET /messages/${id}`, { key })).text()).status;
}

/** Advances the clock in steps until the condition is true. After each step, the worker gets time to finish its work. */
async function advanceUntil(condition: () => boolean | Promise<boolean>, step = 1_000): Promise<void> {
  for (let turn = 0; turn < 10_000; turn++) {
    for (let breath = 0; breath < 5; breath++) await new Promise((resolve) => setImmediate(resolve));
    if (await condition()) return;
    await app.clock.advance(step);
  }
  throw new Error("It never came to that.");
}

describe("a destination that refuses", () => {
  test("is tried again at growing intervals, and the message fails after the last one", async () => {
    const destination = createDestination((attempt) =>
      attempt % 2 === 0 ? "refused" : new Error("unreachable"),
    );
    app = await createTestApp({ deliver: destination.deliver });
    const { token: key } = await app.makeKey();
    const id = await submit(key);
    const { attempts } = destination;
    for (const [index, delay] of DELIVERY_DELAYS_MS.entries()) {
      await app.clock.advance(Math.max(0, delay - STEP_MS));
      await advanceUntil(() => attempts.length > index, STEP_MS);
    }
    await until(async () => (await statusOf(id, key)) === "failed");
    expect(attempts).toHaveLength(DELIVERY_DELAYS_MS.length);
    expect(new Set(attempts.map((attempt) => attempt.id))).toEqual(new Set([id]));
    for (const [index, delay] of DELIVERY_DELAYS_MS.entries()) {
      if (index === 0) continue;
      const waited = (attempts[index]?.at ?? 0) - (attempts[index - 1]?.at ?? 0);
      expect(waited).toBeGreaterThanOrEqual(delay);
      // The clock advances in steps, so the worker may notice a due delivery one step late.
      expect(waited).toBeLessThanOrEqual(delay * (1 + DELIVERY_JITTER) + 2 * STEP_MS);
    }
    await app.clock.advance(48 * 3_600_000);
    expect(attempts).toHaveLength(DELIVERY_DELAYS_MS.length);
  });
});

describe("a slow destination", () => {
  test("no other worker claims a message during its lease, and other messages do not wait for it", async () => {
    const released = Promise.withResolvers<Outcome>();
    const destination = createDestination((attempt) => (attempt === 1 ? released.promise : "delivered"));
    app = await createTestApp({ deliver: destination.deliver });
    const { token: key } = await app.makeKey();
    const slow = await submit(key);
    await until(() => destination.attempts.length === 1);
    const quick = await submit(key);
    await advanceUntil(async () => (await statusOf(quick, key)) === "delivered", 100);
    const leaseEnd = (destination.attempts[0]?.at ?? 0) + DELIVERY_LEASE_MS;
    await advanceUntil(() => app.clock.now() >= leaseEnd - 1_000);
    expect(destination.attempts.map(({ id }) => id)).toEqual([slow, quick]);
    released.resolve("delivered");
    await advanceUntil(async () => (await statusOf(slow, key)) === "delivered");
  });
});

describe("a worker that died in the middle of an attempt", () => {
  test("leaves its message to other workers only once the lease ends", async () => {
    const destination = createDestination(() => "delivered");
    app = await createTestApp({ deliver: destination.deliver });
    const { token: key } = await app.makeKey();
    const { Database } = await import("bun:sqlite");
    const past = new Database(`${app.config.dataDir}/messages.sqlite`);
    const leaseEnd = app.clock.now() + DELIVERY_LEASE_MS;
    past.run("INSERT INTO message VALUES ('msg_orphan', 'x', 'production', 'queued', 1, ?, ?, NULL)", [
      leaseEnd,
      app.clock.now(),
    ]);
    past.close();
    await advanceUntil(async () => (await statusOf("msg_orphan", key)) === "delivered", 500);
    expect(destination.attempts[0]?.at).toBeGreaterThanOrEqual(leaseEnd);
  });
});

describe("a claim that fails while the queue can be read", () => {
  test("is retried a second later", async () => {
    const destination = createDestination(() => "delivered");
    app = await createTestApp({ deliver: destination.deliver });
    const { token: key } = await app.makeKey();
    const { Database } = await import("bun:sqlite");
    const queue = new Database(`${app.config.dataDir}/messages.sqlite`);
    const submittedAt = app.clock.now();
    // The trigger makes every attempt to claim a delivery fail until the clock has advanced.
    queue.run(`CREATE TRIGGER busy BEFORE UPDATE ON message WHEN NEW.due_at <= ${submittedAt + DELIVERY_LEASE_MS}
      BEGIN SELECT RAISE(ABORT, 'busy'); END`);
    queue.close();
    const id = await submit(key);
    await advanceUntil(async () => (await statusOf(id, key)) === "delivered");
    expect(app.clock.now() - submittedAt).toBeLessThanOrEqual(2 * DELIVERY_POLL_MS);
  });
});

describe("a clock that was ten years ahead, and is right again", () => {
  test("does not delay the messages that were submitted in the meantime", async () => {
    const destination = createDestination((attempt) => (attempt === 1 ? "refused" : "delivered"));
    app = await createTestApp({ deliver: destination.deliver });
    const { token: key } = await app.makeKey();
    const years = 10 * 365 * 24 * 3_600_000;
    app.clock.set(years);
    const id = await submit(key);
    await until(() => destination.attempts.length === 1);
    app.clock.set(-years);
    const rightAgain = app.clock.now();
    await advanceUntil(async () => (await statusOf(id, key)) === "delivered");
    expect(app.clock.now() - rightAgain).toBeLessThan(20 * STEP_MS);
  });
});

test("a delivery is signed as the published example is", () => {
  const secret = `whsec_${Buffer.from("petstore-example-secret-32bytes!").toString("base64")}`;
  const body =
    '{"type":"pet.created","timestamp":"2026-11-21T03:00:00.000Z","data":{"id":1,"name":"Fluffy","categoryId":1,"status":"available"}}';
  expect(signatureHeaders([secret], "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W", 1_795_230_000_000, body)).toEqual({
    "webhook-id": "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W",
    "webhook-timestamp": "1795230000",
    "webhook-signature": "v1,3T/l76nBME5vNpbpqRQRN/N6vcimNBAGPSnmoQ1Ihhs=",
  });
});
