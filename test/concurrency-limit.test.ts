import { drainMicrotasks } from "bun:jsc";
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { REQUESTS_IN_FLIGHT_MAX } from "../src/http/concurrency-limit.ts";
import { KEY_SHARES } from "../src/http/key-shares.ts";
import { COMMIT_BATCH_FULL } from "../src/storage/sqlite/group-commit.ts";
import { createTestApp, onEachEngine, type TestApp } from "./test-app.ts";
import { untilCached, whileCached } from "./until.ts";

const EXCESS = 100;
const PET = '{"name":"x","categoryId":1}';

let app: TestApp;
let key: string;
let keys: readonly string[];
beforeEach(async () => {
  app = await createTestApp();
  key = (await app.makeKey()).token;
  keys = [key, (await app.makeKey()).token];
});
afterEach(() => app.close());

/** Sends `count` requests within one turn of the event loop. */
function atOnce(count: number, ask: () => Promise<Response>): Promise<readonly Response[]> {
  return Promise.all(Array.from({ length: count }, ask));
}

function statuses(responses: readonly Response[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

let sent = 0;
/** Creates an animal with one of two API keys. Only both keys together may use all request slots. */
const create = (of = keys[sent++ % 2] ?? "") =>
  app.send("production", "POST /v1/pets", { key: of, body: PET });

describe("more concurrent requests than the limit", () => {
  test("512 succeed, the rest get 503 at once, and the next 512 succeed", async () => {
    const { token: other } = await app.makeKey();
    const responses = await Promise.all([
      atOnce(REQUESTS_IN_FLIGHT_MAX, create),
      atOnce(EXCESS, () => app.send("production", "POST /v1/pets", { key: other, body: PET })),
    ]);
    expect(statuses(responses.flat())).toEqual({ 201: REQUESTS_IN_FLIGHT_MAX, 503: EXCESS });
    expect(statuses(await atOnce(REQUESTS_IN_FLIGHT_MAX, create))).toEqual({ 201: REQUESTS_IN_FLIGHT_MAX });
    expect(await app.reading("petstore_requests_shed_total")).toBe(EXCESS);
    expect(await app.reading("petstore_requests_in_flight")).toBe(0);
  });

  test("are counted from their arrival to their response", async () => {
    const waiting = atOnce(7, create);
    // The service has now read the bodies of the requests, but has not yet begun to commit the animals.
    drainMicrotasks();
    expect(await app.reading("petstore_requests_in_flight")).toBe(7);
    await waiting;
    expect(await app.reading("petstore_requests_in_flight")).toBe(0);
  });

  test("release the slot of a failed read, whose error is logged but not revealed", async () => {
    const file = new Database(join(app.config.dataDir, "production.sqlite"));
    file.run("ALTER TABLE pet RENAME TO gone");
    file.close();
    const failed = await atOnce(REQUESTS_IN_FLIGHT_MAX + 1, () =>
      app.send("production", "GET /v1/pets", { key }),
    );
    expect(statuses(failed)).toEqual({ 500: REQUESTS_IN_FLIGHT_MAX + 1 });
    expect(await failed[0]?.json()).toHaveProperty("code", "internal_error");
    expect(await app.reading("petstore_requests_in_flight")).toBe(0);
    const labels = 'service="production",operation="listPets",status="500"';
    expect(await app.reading(`petstore_requests_total{${labels}}`)).toBe(REQUESTS_IN_FLIGHT_MAX + 1);
    expect(app.logged).toContainEqual(
      expect.objectContaining({ requestId: failed[0]?.headers.get("x-request-id") }),
    );
  });

  test("the limit is shared by all services of the process; a refused request changes nothing", async () => {
    const of = { environment: "staging" } as const;
    const stagingKeys = [(await app.makeKey(of)).token, (await app.makeKey(of)).token];
    const stagingKey = () => stagingKeys[sent++ % 2] ?? "";
    const [staging, messages] = await Promise.all([
      atOnce(REQUESTS_IN_FLIGHT_MAX, () =>
        app.send("staging", "POST /v1/pets", { key: stagingKey(), body: PET }),
      ),
      atOnce(1, () => app.send("messages", "POST /messages", { key, body: '{"message":"x"}' })),
      atOnce(1, create),
    ]);
    expect(statuses(staging)).toEqual({ 201: REQUESTS_IN_FLIGHT_MAX });
    expect(statuses(messages)).toEqual({ 503: 1 });
    expect(await (await app.send("production", "GET /v1/pets", { key })).json()).toEqual([]);
  });

  test("probes, the document, metrics and cached responses are never refused", async () => {
    for (let count = 0; count < 2; count++) await app.send("production", "GET /v1/pets", { key });
    const [, ...open] = await whileCached(app, [key], () =>
      Promise.all([
        atOnce(REQUESTS_IN_FLIGHT_MAX + EXCESS, create),
        app.send("production", "GET /healthz"),
        app.send("production", "GET /readyz"),
        app.send("production", "GET /openapi.json"),
        app.send("production", "GET /v1/pets", { key }),
        app.metricsServer.fetch(new Request("http://petstore.test/metrics")),
      ]),
    );
    expect(statuses(open)).toEqual({ 200: 5 });
  });
});

describe("a flood of requests within one turn of the event loop", () => {
  test("does not delay commits: a full batch is committed at once", async () => {
    // Opens the first transaction on the database file, before the test begins to measure.
    await create();
    let hasTurned = false;
    setImmediate(() => {
      hasTurned = true;
    });
    // The last response is awaited only after this turn of the event loop, because more bytes might follow its request on the
    // connection.
    const responses = Array.from({ length: COMMIT_BATCH_FULL + 1 }, () => {
      const response = create();
      // Imitates the runtime, which also drains microtasks after each request.
      drainMicrotasks();
      return response;
    });
    await Promise.all(responses.slice(0, COMMIT_BATCH_FULL));
    expect(hasTurned).toBe(false);
    await Promise.all(responses);
  });
});

describe("a client that sends its body slowly", () => {
  /** Sends a request with only half of its body. `end` sends the other half. */
  function heldBody() {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(Buffer.from(PET.slice(0, 5)));
        await ended;
        controller.enqueue(Buffer.from(PET.slice(5)));
        controller.close();
      },
    });
    const headers = {
      Host: "petstore.test",
      Authorization: `Bearer ${keys[sent++ % 2]}`,
      "Content-Type": "application/json",
    };
    const request = new Request("http://petstore.test/v1/pets", { method: "POST", headers, body });
    const response = app.services.production?.fetch(request);
    if (response === undefined) throw new Error("There is no production.");
    return { response, end };
  }

  test("holds no slot while it sends", async () => {
    const held = Array.from({ length: REQUESTS_IN_FLIGHT_MAX }, heldBody);
    // From now on, every request is waiting for the rest of its body.
    await new Promise((resolve) => setImmediate(resolve));
    expect(await app.reading("petstore_requests_in_flight")).toBe(0);
    expect(statuses(await atOnce(REQUESTS_IN_FLIGHT_MAX, create))).toEqual({ 201: REQUESTS_IN_FLIGHT_MAX });
    for (const { end } of held) end();
    const late = await Promise.all(held.map(({ response }) => response));
    expect(statuses(late)).toEqual({ 201: REQUESTS_IN_FLIGHT_MAX });
  });
});

test("searches of one key do not delay another key's requests", async () => {
  const [busy = "", calm] = keys;
  const body = JSON.stringify({ name: "x".repeat(255), categoryId: 1 });
  await atOnce(600, () => app.send("production", "POST /v1/pets", { key: busy, body }));
  for (const one of keys) await untilCached(app, one);
  const answered: string[] = [];
  const noted = (name: string) => () => answered.push(name);
  const search = (by = "", name = "none") => app.send("production", `GET /v1/pets?name=${name}`, { key: by });
  await Promise.all([
    ...[1, 2, 3].map((word) => search(busy, `none${word}`).then(noted("search"))),
    search(calm).then(noted("calm search")),
    create(calm).then(noted("change")),
  ]);
  expect(answered.slice(0, 2)).toEqual(["change", "calm search"]);
});

onEachEngine(
  (store) => {
    test("a key that holds half of the slots gets 429 for more, and nobody else is refused", async () => {
      await app.close();
      app = await createTestApp({}, await store());
      const { token: busy } = await app.makeKey();
      const { token: calm } = await app.makeKey();
      const { token: staging } = await app.makeKey({ environment: "staging" });
      const [max] = KEY_SHARES.requests;
      const post = (token: string, path = "/v1/pets") =>
        app.send("production", `POST ${path}`, { key: token, body: PET });
      const [hostile, ...others] = await whileCached(app, [busy], () =>
        Promise.all([
          atOnce(REQUESTS_IN_FLIGHT_MAX + EXCESS, () => post(busy)),
          atOnce(10, () => post(calm)),
          atOnce(10, () => app.send("staging", "POST /v1/pets", { key: staging, body: PET })),
          atOnce(1, () => post(busy, "/v1/nowhere")),
        ]),
      );
      const refused = REQUESTS_IN_FLIGHT_MAX + EXCESS - max;
      expect(statuses(hostile)).toEqual({ 201: max, 429: refused });
      expect(others.map(statuses)).toEqual([{ 201: 10 }, { 201: 10 }, { 404: 1 }]);
      const refusal = hostile.find(({ status }) => status === 429);
      expect(refusal?.headers.get("Retry-After")).toBe("1");
      expect(await refusal?.json()).toEqual({
        code: "rate_limited",
        message:
          "This API key already has 256 requests in progress, which is the maximum. Wait for a response before you send the next request.",
        status: 429,
      });
      expect(await app.reading('petstore_key_share_refusals_total{share="requests"}')).toBe(refused);
      expect(await app.reading("petstore_requests_shed_total")).toBe(0);
      expect(statuses(await atOnce(max, () => post(busy)))).toEqual({ 201: max });
    });

    test("only a ninth concurrent search of the same key gets 429", async () => {
      await app.close();
      app = await createTestApp({}, await store());
      const { token: busy } = await app.makeKey();
      const { token: calm } = await app.makeKey();
      const [max] = KEY_SHARES.searches;
      let asked = 0;
      const search = (token: string) =>
        app.send("production", `GET /v1/pets?name=rex${asked++}`, { key: token });
      const [hostile, other] = await whileCached(app, [busy], () =>
        Promise.all([atOnce(max + 1, () => search(busy)), atOnce(1, () => search(calm))]),
      );
      expect([statuses(hostile), statuses(other)]).toEqual([{ 200: max, 429: 1 }, { 200: 1 }]);
      expect(await app.reading('petstore_key_share_refusals_total{share="searches"}')).toBe(1);
      expect((await search(busy)).status).toBe(200);
    });

    test("a key with 32 MiB of unread responses gets 429 only for large pages", async () => {
      await app.close();
      const settings = await store();
      app = await createTestApp({}, settings);
      const { token: busy } = await app.makeKey();
      const { token: calm } = await app.makeKey();
      const body = JSON.stringify({ name: "x", description: "漢".repeat(1_000) });
      // They are added one by one, because 100 concurrent transactions on PostgreSQL conflict over the next category number.
      for (let count = 0; count < 100; count++)
        expect((await app.send("production", "POST /v1/categories", { key: calm, body })).status).toBe(201);
      let isRead = false;
      const connection = { peer: () => (isRead ? undefined : "198.51.100.7"), cutOff() {} };
      const ask = async (token: string, limit: number, method = "GET") => {
        const headers = { Host: "petstore.test", Authorization: `Bearer ${token}` };
        const request = new Request(`http://petstore.test/v1/categories?limit=${limit}`, { method, headers });
        const response = await app.services.production?.fetch(request, connection);
        return [response?.status, (await response?.text())?.length ?? 0] as const;
      };
      const [max] = KEY_SHARES.unread;
      const statuses: (number | undefined)[] = [];
      for (let page = 0; page < 120; page++) statuses.push((await ask(busy, 100))[0]);
      // A page of animals has 310 kB.
      const served = statuses.indexOf(429);
      expect([served > max * 3, served < max * 4]).toEqual([true, true]);
      expect([(await ask(busy, 100, "HEAD"))[0], (await ask(busy, 4))[0]]).toEqual([200, 200]);
      expect((await ask(calm, 100))[0]).toBe(200);
      isRead = true;
      expect((await ask(busy, 100))[0]).toBe(200);
    });
  },
  { always: true },
);
