import { afterEach, describe, expect, test } from "bun:test";
import { DELIVERY_DELAYS_MS } from "../../src/limits.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { textColumn } from "../../src/storage/row.ts";
import { readMetrics } from "../../src/telemetry/metrics/metrics.ts";
import { onEachEngine } from "../test-app.ts";
import { until } from "../until.ts";
import { createReceiver, eventOf, type Receiver, verify } from "./receiver.ts";
import { openStage, type Stage } from "./stage.ts";

const HOUR_MS = 3_600_000;

let stage: Stage;
let receivers: Receiver[] = [];
afterEach(async () => {
  await stage.close();
  for (const receiver of receivers) await receiver.stop();
  receivers = [];
});

function receive(answer: Parameters<typeof createReceiver>[0] = () => 204): Receiver {
  const receiver = createReceiver(answer);
  receivers.push(receiver);
  return receiver;
}

const addPet = (name = "x") => stage.call("POST /pets", { name, categoryId: 1 });
/** Advances the clock by only 1 ms at a time, so that running delivery attempts do not expire. */
const untilSoon = (condition: () => boolean | Promise<boolean>) =>
  until(async () => {
    await stage.app.clock.advance(1);
    return condition();
  });
const addPets = (count: number) => Promise.all(Array.from({ length: count }, () => addPet()));

onEachEngine((store) => {
  describe("an event that is refused to the end", () => {
    test("fails after its last attempt without delaying other animals' events", async () => {
      stage = await openStage(await store());
      const receiver = receive((body) => (body.includes('"evil"') ? 500 : 204));
      await stage.addWebhook(receiver.url);
      await addPet("evil");
      await stage.call("PATCH /pets/1", { name: "good", categoryId: 2 });
      await stage.call("PATCH /pets/1", { categoryId: 3 });
      await addPet("good");
      const attemptsOf = (id: number) => DELIVERY_DELAYS_MS.map(() => id);
      await stage.advanceUntil(() => receiver.received.some((delivery) => eventOf(delivery).id === 4));
      expect(receiver.received.length).toBeLessThan(DELIVERY_DELAYS_MS.length);
      await stage.advanceUntil(stage.isSettled);
      const ids = receiver.received.map((delivery) => eventOf(delivery).id);
      expect(ids.filter((id) => id !== 4)).toEqual([...attemptsOf(1), ...attemptsOf(2), 3]);
      expect(await stage.statuses()).toEqual({ failed: 2, delivered: 2 });
    });
  });

  describe("the answer 410", () => {
    test("disables the webhook and drops its queued deliveries; once enabled again, it gets only later events", async () => {
      stage = await openStage(await store());
      let status = 500;
      const receiver = receive(async () => {
        await stage.app.clock.advance(2_000);
        return status;
      });
      const { id } = await stage.addWebhook(receiver.url);
      await addPet();
      await stage.call("PATCH /pets/1", { name: "y" });
      await stage.advanceUntil(() => receiver.received.length > 0);
      const [behind, first] = Object(await stage.call(`GET /webhooks/${id}/deliveries`));
      const { createdAt, durationMs } = first.attempts[0];
      expect(durationMs).toBeGreaterThanOrEqual(2_000);
      // The next attempt comes 5 s to 5.5 s after the end of this one. The delivery of the animal's next event has to wait, so it
      // has no due time yet.
      expect(Date.parse(first.nextAttemptAt) - Date.parse(createdAt) - durationMs).toBeWithin(5_000, 5_501);
      expect([behind.status, behind.nextAttemptAt]).toEqual(["queued", undefined]);
      status = 410;
      await stage.advanceUntil(stage.isSettled);
      expect(await stage.statuses()).toEqual({ failed: 1, dropped: 1 });
      expect(await stage.call(`GET /webhooks/${id}`)).toMatchObject({ status: "disabled" });
      const audited = await stage.rows(
        "SELECT detail FROM audit_entry ORDER BY id DESC LIMIT 1",
        textColumn("detail"),
      );
      expect(audited[0]).toEndWith("disabled because the URL answered 410");
      await addPet();
      await stage.advanceUntil(stage.isSettled);
      const before = receiver.received.length;

      status = 204;
      await stage.call(`PATCH /webhooks/${id}`, { status: "enabled" });
      await addPet("seen");
      await stage.advanceUntil(async () => (await stage.statuses())["delivered"] === 1);
      expect(receiver.received.slice(before).map((delivery) => eventOf(delivery).data)).toEqual([
        expect.objectContaining({ name: "seen" }),
      ]);
    });
  });

  describe("old deliveries", () => {
    test("are deleted with their attempts, except queued ones", async () => {
      stage = await openStage({ ...(await store()), historyDays: "7" });
      let status = 204;
      const receiver = receive(() => status);
      await stage.addWebhook(receiver.url);
      await addPet();
      await stage.advanceUntil(stage.isSettled);
      status = 500;
      await addPet();
      await stage.advanceUntil(() => receiver.received.length === 2);
      const attempts = () =>
        stage.rows("SELECT delivery_id FROM delivery_attempt", textColumn("delivery_id"));
      expect(await attempts()).toEqual(["1", "2"]);
      await stage.run("UPDATE delivery SET created_at = created_at - $1", 7 * 24 * HOUR_MS);
      await stage.app.clock.advance(HOUR_MS);
      await until(async () => (await stage.rows("SELECT id FROM delivery", () => 1)).length === 1);
      expect(await stage.statuses()).toEqual({ queued: 1 });
      expect(new Set(await attempts())).toEqual(new Set(["2"]));
    });
  });
});

// The content of deliveries does not depend on the database engine.
describe("what is sent", () => {
  test("is the event as the feed shows it, with exact integers", async () => {
    stage = await openStage({});
    const receiver = receive();
    await stage.addWebhook(receiver.url);
    const reply = await stage.app.send("production", "POST /v1/pets", {
      key: stage.key,
      body: '{"name":"Fluffy","categoryId":9223372036854775807}',
    });
    expect(reply.status).toBe(201);
    await stage.advanceUntil(stage.isSettled);
    const [delivery] = receiver.received;
    const [event] = Object(await stage.call("GET /events"));
    expect(delivery?.body).toContain('"data":{"id":1,"name":"Fluffy","categoryId":9223372036854775807}');
    expect(delivery?.body).toStartWith(`{"type":"pet.created","timestamp":"${event.createdAt}","id":1,`);
    expect(delivery && eventOf(delivery)).toEqual(event);
    expect(delivery?.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": expect.stringMatching(/^petstore\/\d/),
      "webhook-id": "evt_1",
    });
  });

  test("is signed with both secrets while a rotated one overlaps", async () => {
    stage = await openStage({});
    const receiver = receive();
    const { id, secret: old } = await stage.addWebhook(receiver.url);
    const rotated = await stage.call(`POST /webhooks/${id}/rotate-secret`, { overlapHours: 1 });
    const fresh = String(rotated["secret"]);
    for (const isOverlapping of [true, false]) {
      await addPet();
      await stage.advanceUntil(stage.isSettled);
      const delivery = receiver.received.at(-1);
      if (delivery === undefined) throw new Error("Nothing arrived.");
      const now = Number(delivery.headers["webhook-timestamp"]) * 1_000;
      verify(delivery, fresh, now);
      if (isOverlapping) verify(delivery, old, now);
      else expect(() => verify(delivery, old, now)).toThrow("No matching signature found");
      await stage.app.clock.advance(2 * HOUR_MS);
    }
  });

  test("a second time has the same webhook-id and one more attempt", async () => {
    stage = await openStage({});
    const receiver = receive();
    const { id } = await stage.addWebhook(receiver.url);
    await addPet();
    await stage.advanceUntil(stage.isSettled);
    await stage.call(`POST /webhooks/${id}/test`);
    await stage.advanceUntil(stage.isSettled);
    await stage.call(`POST /webhooks/${id}/deliveries/1/redeliver`);
    await untilSoon(stage.isSettled);
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(ids).toEqual(["evt_1", "evt_test2", "evt_1"]);
    const tested = { timestamp: expect.any(String), environment: "production", data: {} };
    expect(JSON.parse(receiver.received[1]?.body ?? "")).toEqual({ type: "webhook.test", ...tested });
    const deliveries = Object(await stage.call(`GET /webhooks/${id}/deliveries`));
    const attempts = deliveries.map((delivery: { attempts: { status: number }[] }) =>
      delivery.attempts.map(({ status }) => status),
    );
    expect(attempts).toEqual([[204], [204, 204]]);
  });
});

describe("the answer 410 of an address that was changed in the meantime", () => {
  test("does not disable the webhook, whose delivery goes to the new address", async () => {
    stage = await openStage({});
    const answer = Promise.withResolvers<number>();
    let isAsked = false;
    const former = receive(() => {
      isAsked = true;
      return answer.promise;
    });
    const present = receive();
    const { id } = await stage.addWebhook(former.url);
    await addPet();
    await untilSoon(() => isAsked);
    await stage.call(`PATCH /webhooks/${id}`, { url: present.url });
    answer.resolve(410);
    await stage.advanceUntil(stage.isSettled);
    expect(present.received.map(({ headers }) => headers["webhook-id"])).toEqual(["evt_1"]);
    expect(await stage.call(`GET /webhooks/${id}`)).toMatchObject({ status: "enabled", url: present.url });
  });
});

describe("a webhook that is slow", () => {
  test("delays no other webhook", async () => {
    stage = await openStage({});
    const held = Promise.withResolvers<number>();
    let asked = 0;
    const slow = receive(() => {
      asked++;
      return held.promise;
    });
    const fast = receive();
    await stage.addWebhook(slow.url);
    await stage.addWebhook(fast.url);
    await addPets(20);
    await untilSoon(() => fast.received.length === 20 && asked >= 16);
    expect([asked, slow.received.length]).toEqual([16, 0]);
    held.resolve(204);
    await stage.advanceUntil(stage.isSettled);
    expect(await stage.statuses()).toEqual({ delivered: 40 });
  });
});

describe("a webhook on a private address", () => {
  test("is sent nothing unless the setting allows it, and the attempt names the setting", async () => {
    stage = await openStage({ webhooksPrivate: "refuse" });
    const receiver = receive();
    const { id } = await stage.addWebhook("https://hooks.example.com/");
    await stage.run("UPDATE webhook SET url = $1", receiver.url);
    await addPet();
    await stage.advanceUntil(
      async () => (await stage.rows("SELECT 1 FROM delivery_attempt", () => 1)).length > 0,
    );
    const [delivery] = Object(await stage.call(`GET /webhooks/${id}/deliveries`));
    expect(delivery.attempts[0]).toMatchObject({
      status: null,
      error: expect.stringMatching(
        /private address \S+\. To allow deliveries to private addresses, set PETSTORE_WEBHOOKS_PRIVATE=allow\.$/,
      ),
    });
    expect(receiver.received).toEqual([]);
    expect(JSON.stringify(stage.app.logged)).not.toContain(receiver.url);
  });
});

describe("the metrics", () => {
  test("show the waiting deliveries, the delay of the slowest webhook and the outcomes of attempts", async () => {
    stage = await openStage({});
    const receiver = receive(() => 503);
    await stage.addWebhook(receiver.url);
    await addPet();
    await stage.advanceUntil(() => receiver.received.length > 1);
    const { text } = await readMetrics(stage.app.metrics);
    const metric = (name: string) => Number(new RegExp(`^${name} (.+)$`, "m").exec(text)?.[1]);
    expect(metric('petstore_deliveries_queued\\{source="production"\\}')).toBe(1);
    for (const source of ["staging", "messages"])
      expect(metric(`petstore_deliveries_queued\\{source="${source}"\\}`)).toBe(0);
    expect(metric('petstore_delivery_lag_seconds\\{source="production"\\}')).toBeGreaterThanOrEqual(5);
    expect(metric('petstore_delivery_overdue_seconds\\{source="messages"\\}')).toBe(0);
    expect(metric('petstore_deliveries_total\\{source="production",outcome="refused"\\}')).toBe(2);
  });
});
describe("old messages", () => {
  test("lose their attempts", async () => {
    const { url: messagesWebhookUrl } = receive(() => 500);
    stage = await openStage({ historyDays: "7", messagesWebhookUrl, messagesWebhookPrivate: "allow" });
    await stage.app.send("messages", "POST /messages", { key: stage.key, body: '{"message":"x"}' });
    const messages = await openDatabase("messages", stage.app.config);
    const count = async (sql: string) => (await messages.read({ sql, decode: () => 1 }, [])).length;
    await until(async () => (await count("SELECT 1 FROM delivery_attempt")) === 1);
    await messages.run({ sql: "UPDATE delivery_attempt SET at = 1, status = 404", decode: () => 1 }, []);
    await stage.app.clock.advance(HOUR_MS);
    await until(async () => (await count("SELECT 1 FROM delivery_attempt WHERE status = 404")) === 0);
    expect(await count("SELECT 1 FROM message")).toBe(1);
    await messages.close();
  });
});
