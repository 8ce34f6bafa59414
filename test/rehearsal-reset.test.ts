import { beforeEach, expect, test } from "bun:test";
import { readJson } from "exact-json/read-json";
import { openEventFeed } from "../src/events/feed.ts";
import { createBell } from "../src/platform/stream-source.ts";
import { openDatabase } from "../src/storage/open.ts";
import { appsOnOneStore } from "./apps-on-one-store.ts";
import { onEachEngine, type TestApp } from "./test-app.ts";
import { until } from "./until.ts";

// Each reset of staging produces the same content and the same identifiers, in every process, and keeps no earlier data.

const PET = '{"name":"Rex","categoryId":1,"status":"available"}';

onEachEngine((store) => {
  const { start, closeAll } = appsOnOneStore(store);
  let app: TestApp;
  let key: string;

  beforeEach(async () => {
    app = await start();
    ({ token: key } = await app.makeKey({ environment: "staging" }));
  });

  async function send(request: string, body?: string, to = app, headers = {}) {
    const response = await to.send("staging", request, { key, headers, ...(body && { body }) });
    return { status: response.status, headers: response.headers, body: readJson(await response.text()) };
  }
  const reset = (fixture: string, to = app, headers = {}) =>
    send("POST /v1/test/reset", JSON.stringify({ fixture }), to, headers);
  const list = async (path: string, to = app) =>
    (await send(`GET /v1${path}`, undefined, to)).body as readonly Record<string, unknown>[];
  const nextOf = (headers: Headers) => /cursor=([^&>]+)/.exec(headers.get("Link") ?? "")?.[1] ?? "";
  async function everything(to = app) {
    return [
      await list("/pets?limit=100", to),
      await list("/categories", to),
      await list("/store/orders", to),
    ];
  }
  async function trade(): Promise<void> {
    await send("POST /v1/pets", PET);
    await send("POST /v1/store/orders", '{"petId":1}');
    await send("POST /v1/categories", '{"name":"Dogs"}');
  }

  test("gives the same animals with the same identifiers every time, and later animals follow them", async () => {
    await trade();
    const answer = { fixture: "shop", pets: 25, categories: 6, orders: 7 };
    expect(await reset("shop")).toMatchObject({ status: 200, body: answer });
    const first = await everything();
    expect(first[0]?.map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_, index) => 25 - index));
    expect(new Set(first[0]?.map(({ status }) => status))).toEqual(
      new Set(["available", "pending", "sold", undefined]),
    );
    expect(first[0]?.[0]?.["categoryId"]).toBe(9007199254740993n);
    const pending = first[0]?.filter(({ status }) => status === "pending").map(({ id }) => id);
    const open = first[2]?.filter(({ complete }) => complete === false).map(({ petId }) => petId);
    expect(open?.toReversed()).toEqual(pending?.toReversed() as typeof open);
    expect((await send("POST /v1/pets", PET)).body).toMatchObject({ id: 26 });
    await trade();
    await reset("shop");
    expect(await everything()).toEqual(first);
    expect((await send("POST /v1/pets", PET)).body).toMatchObject({ id: 26 });
    expect((await send("POST /v1/store/orders", '{"petId":1}')).body).toMatchObject({ id: 8 });
    await reset("empty");
    expect(await everything()).toEqual([[], [], []]);
    expect((await send("POST /v1/pets", PET)).body).toMatchObject({ id: 1 });
  });

  test("replaying the shop's events of a month gives its animals and orders, whatever the test clock shows", async () => {
    await send("PUT /v1/test/clock", '{"now":"2031-03-01T12:00:00.000Z"}');
    await reset("shop");
    const [pets = [], , orders = []] = await everything();
    await until(async () => (await list("/events?limit=100")).length === 55);
    const events = (await list("/events?limit=100")).toReversed();
    const folded = new Map<string, unknown>();
    for (const { type, data } of events) folded.set(`${String(type).split(".")[0]} ${Object(data).id}`, data);
    for (const pet of pets) expect(folded.get(`pet ${pet["id"]}`)).toEqual(pet);
    for (const order of orders) expect(folded.get(`order ${order["id"]}`)).toEqual(order);
    expect(folded.size).toBe(25 + 6 + 7);
    const times = events.map(({ createdAt }) => Date.parse(String(createdAt)));
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect([app.clock.now() - (times[0] ?? 0), app.clock.now() > (times.at(-1) ?? 0)]).toEqual([
      30 * 86_400_000,
      true,
    ]);
    expect(orders.map(({ createdAt }) => String(createdAt).slice(0, 7))).toContain("2031-02");
  });

  test("frees the numbers that a caller has given its animals", async () => {
    const numbered = '{"name":"Rex","categoryId":1,"externalId":"00123"}';
    for (const fixture of ["empty", "shop"]) {
      expect((await send("POST /v1/pets", numbered)).status).toBe(201);
      expect((await send("POST /v1/pets", numbered)).status).toBe(409);
      await reset(fixture);
      expect(await list("/pets?externalId=00123")).toEqual([]);
    }
    expect((await send("POST /v1/pets", numbered)).status).toBe(201);
  });

  test("no webhook gets the shop's events", async () => {
    await send("POST /v1/webhooks", '{"url":"https://hooks.example.com/"}');
    await reset("shop");
    await send("POST /v1/pets", PET);
    await until(async () => {
      await app.clock.advance(1_000);
      return (await list("/webhooks/1/deliveries")).length > 0;
    });
    expect(await list("/webhooks/1/deliveries")).toMatchObject([{ type: "pet.created" }]);
  });

  test("the animals of a fixture are found by their names, and no other fixture is known", async () => {
    await reset("shop");
    expect(await list("/pets?name=chloe")).toMatchObject([{ id: 8, name: "Chloé" }]);
    expect((await reset("10000")).status).toBe(400);
    expect(await list("/pets?limit=100")).toHaveLength(25);
  });

  test("removes all events, deliveries and idempotency records; webhooks stay, and event identifiers continue", async () => {
    await send("POST /v1/webhooks", '{"url":"https://hooks.example.com/"}');
    const once = { "Idempotency-Key": "one" };
    expect((await send("POST /v1/pets", PET, app, once)).body).toMatchObject({ id: 1 });
    await trade();
    await until(async () => (await list("/events")).length === 5);
    const [last] = await list("/events");
    await reset("empty");
    expect(await list("/events")).toEqual([]);
    expect(await list("/webhooks")).toHaveLength(1);
    expect(await list("/webhooks/1/deliveries")).toEqual([]);
    await send("POST /v1/pets", PET);
    expect((await send("POST /v1/pets", PET, app, once)).body).toMatchObject({ id: 2 });
    await until(async () => (await list("/events")).length === 2);
    const ids = (await list("/events")).map(({ id }) => Number(id));
    expect(ids[1]).toBe((ids[0] ?? 0) - 1);
    expect(ids[1]).toBeGreaterThan(Number(last?.["id"]));
    await until(async () => {
      await app.clock.advance(1_000);
      return (await list("/webhooks/1/deliveries")).length === 2;
    });
  });

  test("only cursors from before the reset are refused, in every process", async () => {
    const other = await start();
    for (let count = 0; count < 3; count++) await trade();
    const paths = [
      "/pets?limit=1",
      "/pets?limit=1&name=rex",
      "/categories?limit=1",
      "/events?limit=1",
      "/events?limit=1&order=asc",
    ];
    await until(async () => (await list("/events")).length > 5);
    const cursors = await Promise.all(
      paths.map(async (path) => `${path}&cursor=${nextOf((await send(`GET /v1${path}`)).headers)}`),
    );
    for (const path of cursors) expect([path, (await send(`GET /v1${path}`)).status]).toEqual([path, 200]);
    await reset("shop");
    for (const path of cursors) {
      const { status, body } = await send(`GET /v1${path}`);
      expect([path, status, body]).toEqual([path, 400, expect.objectContaining({ code: "invalid_cursor" })]);
      await until(async () => (await send(`GET /v1${path}`, undefined, other)).status === 400);
    }
    for (const path of ["/pets?limit=1", "/events?limit=1&order=asc"]) {
      const cursor = nextOf((await send(`GET /v1${path}`)).headers);
      const { status } = await send(`GET /v1${path}&cursor=${cursor}`, undefined, other);
      expect([path, status]).toEqual([path, 200]);
    }
  });

  test("event streams end in every process, and their old positions get 410", async () => {
    const other = await start();
    await trade();
    await until(async () => (await list("/events")).length === 4);
    const [last] = await list("/events");
    const follow = async (to: TestApp, headers = {}) => {
      const reply = await to.send("staging", "GET /v1/events", {
        key,
        headers: { Accept: "text/event-stream", ...headers },
      });
      return { status: reply.status, text: reply.status === 200 ? readAll(reply) : reply.text() };
    };
    const streams = [await follow(app), await follow(other)];
    await reset("shop");
    for (const { text } of streams) expect(await text).toContain("The stream has ended");
    for (const to of [app, other]) {
      const { status, text } = await follow(to, { "Last-Event-ID": String(last?.["id"]) });
      expect([status, await text]).toEqual([410, expect.stringContaining("cursor_expired")]);
    }
    const headers = { Accept: "text/event-stream" };
    const begun = (await app.send("staging", "GET /v1/events", { key, headers })).body?.getReader();
    const [position = ""] =
      Buffer.from((await begun?.read())?.value ?? "")
        .toString()
        .match(/\d+/) ?? [];
    await begun?.cancel();
    for (const to of [app, other])
      for (const [id, status] of [
        [position, 200],
        [`${Number(position) + 1}`, 400],
      ] as const) {
        const given = { headers: { ...headers, "Last-Event-ID": id }, key };
        const reply = await to.send("staging", "GET /v1/events", given);
        expect([id, reply.status]).toEqual([id, status]);
        await reply.body?.cancel();
      }
    await expectNextEvent(await other.send("staging", "GET /v1/events", { key, headers }));
  });

  test.each(["empty", "shop"])(
    "a stream in a process that has missed the announcement of a reset with %p ends before the next event",
    async (fixture) => {
      const database = await openDatabase("staging", app.config);
      const feed = await openEventFeed({ database, environment: "staging", onError() {} });
      const source = await feed.createChannel().follow({}, undefined);
      const stream = source({ ...createBell(), isSilent: () => false, isOver: () => false });
      // Skips the first message of the event stream, which is a heartbeat.
      await stream.next();
      const ended = stream.next().catch((error: unknown) => error);
      await reset(fixture);
      await send("POST /v1/pets", PET);
      expect(await ended).toMatchObject({ code: "cursor_expired" });
      await feed.close();
      await database.close();
    },
  );

  test("a stream may begin after event 0 until a reset has removed events", async () => {
    const request = { key, headers: { Accept: "text/event-stream", "Last-Event-ID": "0" } };
    await expectNextEvent(await app.send("staging", "GET /v1/events", request));
    await reset("empty");
    expect((await app.send("staging", "GET /v1/events", request)).status).toBe(410);
  });

  async function expectNextEvent({ status, body }: Response): Promise<void> {
    expect(status).toBe(200);
    const reader = body?.getReader();
    await reader?.read();
    await send("POST /v1/pets", PET);
    expect(Buffer.from((await reader?.read())?.value ?? "").toString()).toContain("event: pet.created");
    await reader?.cancel();
  }

  /** Reads an event stream to its end. Resolves to one text: the events, and then the reason why the stream ended. */
  async function readAll(reply: Response): Promise<string> {
    let text = "";
    try {
      for await (const bytes of reply.body ?? []) text += Buffer.from(bytes).toString();
    } catch (error) {
      text += String(error);
    }
    return `${text} The stream has ended`;
  }

  test("it can be retried safely, and is repeated with another key", async () => {
    const once = { "Idempotency-Key": "reset" };
    await reset("shop", app, once);
    await send("POST /v1/pets", PET);
    expect((await reset("shop", app, once)).headers.get("Idempotent-Replayed")).toBe("true");
    expect(await list("/pets?limit=1")).toMatchObject([{ id: 26 }]);
    await reset("shop", app, { "Idempotency-Key": "again" });
    expect(await list("/pets?limit=1")).toMatchObject([{ id: 25 }]);
  });

  test("animals added during a reset never get an identifier of the fixture", async () => {
    const other = await start();
    await Promise.all([
      ...Array.from({ length: 30 }, (_, index) => send("POST /v1/pets", PET, index % 2 ? app : other)),
      reset("shop"),
    ]);
    const pets = await list("/pets?limit=100", other);
    expect(pets.slice(-25).map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_, index) => 25 - index));
    const added = pets.slice(0, -25).map(({ id }) => Number(id));
    expect(added.every((id, index) => id > 25 && id !== added[index + 1])).toBe(true);
    const created = async () =>
      (await list("/events?limit=100&type=pet.created")).map(({ data }) => Number(Object(data).id));
    await until(async () => (await created()).length >= pets.length);
    expect((await created()).filter((id) => id > 25).toSorted()).toEqual(added.toSorted());
  });

  test("a reset does not affect production, messages or the next start", async () => {
    const { token } = await app.makeKey();
    await app.send("production", "POST /v1/pets", { key: token, body: PET });
    const message = await app.send("messages", "POST /messages", { key, body: '{"message":"x"}' });
    const { id } = (await message.json()) as { id: string };
    await trade();
    await reset("shop");
    expect((await app.send("production", "POST /v1/test/reset", { key: token, body: "{}" })).status).toBe(
      404,
    );
    expect(await (await app.send("production", "GET /v1/pets", { key: token })).json()).toHaveLength(1);
    expect((await app.send("messages", `GET /messages/${id}`, { key })).status).toBe(200);
    await closeAll();
    app = await start();
    expect((await send("POST /v1/pets", PET)).body).toMatchObject({ id: 26 });
  });
});
