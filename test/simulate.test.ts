import { afterAll, beforeAll, expect, test } from "bun:test";
import { petstoreDocument } from "../src/api/openapi-documents.ts";
import { errorsOf } from "../src/contract/operation-errors.ts";
import { SIMULATION_COUNT_MS } from "../src/http/simulation/simulate.ts";
import { KEY_LOG_INTERVAL_MS, listKeyRefusals, listKeyRequests } from "../src/keys/key-activity.ts";
import { SIMULATED_DELAY_MS_MAX, SIMULATION_COUNTS_MAX } from "../src/limits.ts";
import { openDatabase } from "../src/storage/open.ts";
import { numberColumn } from "../src/storage/row.ts";
import { statement } from "../src/storage/statement.ts";
import { createTestApp, onEachEngine, type TestApp } from "./test-app.ts";
import { until } from "./until.ts";

// Tests the `Petstore-Simulate` header. Every error of every operation is tested in test/conformity/replay.test.ts.

const PET = '{"name":"Rex","categoryId":1}';

onEachEngine((store) => {
  let app: TestApp;
  let flags: Awaited<ReturnType<typeof store>>;
  let key: string;
  let others = 0;
  beforeAll(async () => {
    flags = await store();
    app = await createTestApp({}, flags);
    ({ token: key } = await app.makeKey({ environment: "staging" }));
  });
  afterAll(() => app.close());

  async function send(
    simulate: string,
    request = "GET /v1/pets",
    options: Parameters<TestApp["send"]>[2] = {},
  ) {
    const headers = { "Petstore-Simulate": simulate, ...options.headers };
    const response = await app.send("staging", request, { key, ...options, headers });
    const body: unknown = await response.json();
    return { status: response.status, headers: response.headers, body };
  }
  const statusOf = async (...request: Parameters<typeof send>) => (await send(...request)).status;
  const pets = async () => {
    const reply = await app.send("staging", "GET /v1/pets?limit=100", { key });
    return Object(await reply.json()).length;
  };
  /** Advances the clock until the service answers the request. */
  async function untilAnswered(reply: ReturnType<typeof send>) {
    let isOver = false;
    const answered = reply.finally(() => {
      isOver = true;
    });
    while (!isOver) await app.clock.advance(SIMULATED_DELAY_MS_MAX);
    return answered;
  }
  const delayed = (...request: Parameters<typeof send>) => untilAnswered(send(...request));
  /** Returns a header value that no other test uses, because the service counts `times` separately for each value. */
  const fresh = (code: string, times: number) => `${code}${" ".repeat(++others)}; times=${times}`;

  test("a simulated error changes nothing and records nothing under an Idempotency-Key", async () => {
    const before = await pets();
    const options = { body: PET, headers: { "Idempotency-Key": "simulated" } };
    for (const code of ["internal_error", "idempotency_in_progress", "invalid_body"])
      expect(await statusOf(code, "POST /v1/pets", options)).toBeGreaterThanOrEqual(400);
    expect(await pets()).toBe(before);
    const real = await app.send("staging", "POST /v1/pets", { key, ...options });
    expect(real.status).toBe(201);
    expect(real.headers.get("Idempotent-Replayed")).toBeNull();
    expect(real.headers.get("Petstore-Simulated")).toBeNull();
  });

  test("times: only the first requests of each key, operation and value are simulated, until none has come for ten minutes", async () => {
    const value = fresh("unavailable", 2);
    const { token } = await app.makeKey({ environment: "staging" });
    expect(await statusOf(value)).toBe(503);
    expect(await statusOf(value)).toBe(503);
    expect(await statusOf(value)).toBe(200);
    expect(await statusOf(value, "GET /v1/categories")).toBe(503);
    expect(await statusOf(value, "GET /v1/pets", { key: token })).toBe(503);
    expect(await statusOf(fresh("unavailable", 1))).toBe(503);
    await app.clock.advance(SIMULATION_COUNT_MS - 1);
    expect(await statusOf(value)).toBe(200);
    await app.clock.advance(SIMULATION_COUNT_MS);
    expect(await statusOf(value)).toBe(503);
  });

  test("times: a reset of staging restarts every count", async () => {
    const value = fresh("unavailable", 1);
    expect([await statusOf(value), await statusOf(value)]).toEqual([503, 200]);
    await app.send("staging", "POST /v1/test/reset", { key, body: '{"fixture":"empty"}' });
    expect([await statusOf(value), await statusOf(value)]).toEqual([503, 200]);
  });

  test("times: only a key's latest counts are kept, and other keys keep theirs", async () => {
    const { token } = await app.makeKey({ environment: "staging" });
    const value = fresh("unavailable", 1);
    expect([await statusOf(value), await statusOf(value, "GET /v1/pets", { key: token })]).toEqual([
      503, 503,
    ]);
    for (let times = 1; times <= 2 * SIMULATION_COUNTS_MAX; times++) {
      await app.clock.advance(1);
      expect(await statusOf(`unavailable;times=${times}`)).toBe(503);
    }
    const database = await openDatabase("staging", app.config);
    const count = statement<[], number>(
      "SELECT COUNT(*) AS counts FROM simulation GROUP BY key_id",
      numberColumn("counts"),
    );
    expect(Math.max(...(await database.read(count, [])))).toBe(SIMULATION_COUNTS_MAX);
    await database.close();
    expect([await statusOf(value), await statusOf(value, "GET /v1/pets", { key: token })]).toEqual([
      503, 200,
    ]);
  });

  test("times: concurrent requests and those in another process are counted together", async () => {
    const another = await createTestApp({ clock: app.clock }, { ...flags, dataDir: app.config.dataDir });
    const value = fresh("not_found", 7);
    const headers = { "Petstore-Simulate": value };
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? app : another).send("staging", "GET /v1/orders/1".replace("orders", "store/orders"), {
          key,
          headers,
        }),
      ),
    );
    expect(replies.filter(({ headers }) => headers.has("Petstore-Simulated"))).toHaveLength(7);
    await another.close();
  });

  test("delay sends the response later, but makes the change at once and holds no slot", async () => {
    const before = await pets();
    let status = 0;
    const answered = send(`delay=${SIMULATED_DELAY_MS_MAX}`, "POST /v1/pets", { body: PET }).then((reply) => {
      status = reply.status;
      return reply;
    });
    while ((await pets()) === before) await Bun.sleep(1);
    // Other requests may see the animal before the service has the database server's answer, and only then is the slot released.
    await until(async () => (await app.reading("petstore_requests_in_flight")) === 0);
    await app.clock.advance(SIMULATED_DELAY_MS_MAX - 1);
    expect(status).toBe(0);
    while (status === 0) await app.clock.advance(1);
    const { headers } = await answered;
    expect([status, headers.get("Petstore-Simulated")]).toEqual([201, null]);
    expect(await pets()).toBe(before + 1);
  });

  test("a delayed read is executed only after the delay, so that no waiting response fills the memory", async () => {
    const before = await pets();
    const reading = send("delay=5", "GET /v1/pets?limit=100");
    await app.send("staging", "POST /v1/pets", { key, body: PET });
    expect((await untilAnswered(reading)).body).toHaveLength(before + 1);
  });

  test("a refused request is also delayed", async () => {
    expect((await delayed("delay=5", "GET /v1/pets?limit=0")).status).toBe(400);
  });

  test.each([
    "nonsense",
    "not_found",
    "method_not_allowed",
    "unavailable, rate_limited",
    "unavailable; times=0",
    "unavailable; times=1001",
    "unavailable; times=x",
    "unavailable times=1",
    "unavailable; delay=5",
    "delay=10001",
    "delay=-1",
    "delay",
    "lose-answer=1",
    "",
  ])("400 for %j, with the values that the operation accepts", async (value) => {
    const { status, body, headers } = await send(value);
    expect([status, body]).toEqual([
      400,
      { code: "invalid_request", status: 400, message: expect.any(String) },
    ]);
    expect(headers.has("Petstore-Simulated")).toBe(false);
    const operation = petstoreDocument.operations.find(({ id }) => id === "listPets");
    const { message } = body as { message: string };
    for (const part of [
      ...(operation === undefined ? ["none"] : errorsOf(operation)),
      "delay=MS (0 to 10000)",
      "lose-answer",
      "times=N (1 to 1000)",
    ])
      expect(message).toContain(part);
  });

  test("401, 404 and 405 come first; access, query and body after", async () => {
    expect(await statusOf("nonsense", "GET /v1/pets", { key: "made-up" })).toBe(401);
    expect(await statusOf("nonsense", "GET /v1/nowhere")).toBe(404);
    expect(await statusOf("nonsense", "PUT /v1/pets")).toBe(405);
    const { token } = await app.makeKey({ environment: "staging", access: "read" });
    expect(await statusOf("unavailable", "POST /v1/pets?nope", { key: token })).toBe(503);
    expect((await delayed("delay=0", "POST /v1/pets", { key: token })).status).toBe(403);
  });

  test("a simulation also applies to a page that is cached", async () => {
    const page = "GET /v1/pets?limit=7";
    for (let count = 0; count < 3; count++)
      expect((await app.send("staging", page, { key })).status).toBe(200);
    expect(await statusOf("internal_error", page)).toBe(500);
    expect((await app.send("staging", page, { key })).status).toBe(200);
  });

  test("a simulated error raises no alert", async () => {
    const { token, id } = await app.makeKey({ environment: "staging" });
    const logged = app.logged.length;
    for (const code of ["internal_error", "unauthorized", "unavailable"])
      await send(code, "GET /v1/categories", { key: token });
    expect(app.logged.slice(logged)).toEqual(
      [500, 401, 503].map((status) => expect.objectContaining({ status, simulated: true })),
    );
    const metrics = await app.metrics.registry.metrics();
    const lines = metrics
      .split("\n")
      .filter((line) => line.includes('service="staging",operation="listCategories"'));
    expect(lines.filter((line) => line.includes('status="'))).toEqual([
      expect.stringContaining('status="simulated"'),
    ]);
    // The log of an API key's requests is written with a delay. So the test sends a request that is really refused last, and waits
    // until it is in the log.
    await app.send("staging", "GET /v1/categories?limit=0", { key: token });
    const refusals = () => listKeyRefusals(app.accounts.read, id);
    const requests = () => listKeyRequests(app.accounts.read, id);
    await until(async () => {
      await app.clock.advance(KEY_LOG_INTERVAL_MS);
      return (await refusals()).length > 0 && (await requests()).length > 0;
    });
    expect((await refusals()).map(({ status }) => status)).toEqual([400]);
    expect((await requests()).map(({ status }) => status)).toEqual([400]);
  });
});

test("a service without simulations refuses the header even for a cached page", async () => {
  const app = await createTestApp();
  const { token: key } = await app.makeKey();
  for (let count = 0; count < 3; count++) await app.send("production", "GET /v1/pets", { key });
  const headers = { "Petstore-Simulate": "unavailable" };
  const reply = await app.send("production", "GET /v1/pets", { key, headers });
  expect([reply.status, await reply.json()]).toEqual([
    400,
    {
      code: "invalid_request",
      message: "Petstore-Simulate works in staging only. Remove the header.",
      status: 400,
    },
  ]);
  await app.close();
});
