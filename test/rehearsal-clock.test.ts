import { beforeEach, expect, test } from "bun:test";
import { appsOnOneStore } from "./apps-on-one-store.ts";
import { createTestClock } from "./clock.ts";
import { onEachEngine, type TestApp } from "./test-app.ts";
import { until } from "./until.ts";

// Staging's test clock affects when API operations are removed and how long idempotency keys are kept, in every process. It affects
// nothing else.

const HOUR = 3_600_000;
const START = Date.UTC(2026, 10, 21, 12);
const AFTER_REMOVAL = "2030-12-05T00:00:00.000Z";
const PET = '{"name":"Rex","categoryId":1}';

onEachEngine((store) => {
  const apps = appsOnOneStore(store);
  let app: TestApp;
  let key: string;

  const start = () => apps.start({ clock: createTestClock(START) });
  beforeEach(async () => {
    app = await start();
    ({ token: key } = await app.makeKey({ environment: "staging" }));
  });

  const send = (request: string, body?: string, to = app, headers = {}) =>
    to.ask("staging", request, { key, headers, ...(body !== undefined && { body }) });
  const set = (now: string | null, to = app) => send("PUT /v1/test/clock", JSON.stringify({ now }), to);

  test("it shows the service's own time until it is set, and then runs from the new time", async () => {
    const realNow = "2026-11-21T12:00:00.000Z";
    expect((await send("GET /v1/test/clock")).json).toEqual({ now: realNow, realNow, moved: false });
    const moved = { now: AFTER_REMOVAL, realNow, moved: true };
    expect(await set("2030-12-05T01:00:00+01:00")).toMatchObject({ status: 200, json: moved });
    await app.clock.advance(HOUR);
    expect((await send("GET /v1/test/clock")).json).toEqual({
      now: "2030-12-05T01:00:00.000Z",
      realNow: "2026-11-21T13:00:00.000Z",
      moved: true,
    });
    const back = { now: "2026-11-21T13:00:00.000Z", realNow: "2026-11-21T13:00:00.000Z", moved: false };
    expect(await set(null)).toMatchObject({ status: 200, json: back });
    expect((await send("GET /v1/test/clock")).json).toEqual(back);
  });

  test("from the removal date on getPet is gone, from answers, Allow, Location and document", async () => {
    const made = await send("POST /v1/pets", PET);
    expect(made.headers.get("Location")).toEndWith("/v1/pets/1");
    expect((await send("GET /v1/pets/1")).status).toBe(200);
    await set(AFTER_REMOVAL);
    expect(await send("GET /v1/pets/1")).toMatchObject({ status: 410, json: { code: "gone" } });
    expect((await send("OPTIONS /v1/pets/1")).headers.get("Allow")).toBe("DELETE, OPTIONS, PATCH");
    expect((await send("POST /v1/pets", PET)).headers.get("Location")).toEndWith("/v1/pets?id=2");
    expect((await send("GET /openapi.json")).json.paths["/pets/{petId}"].get).toBeUndefined();
    await set(null);
    expect((await send("GET /v1/pets/1")).status).toBe(200);
    expect((await send("GET /openapi.json")).json.paths["/pets/{petId}"].get).toBeDefined();
  });

  test("an Idempotency-Key is forgotten 24 hours after its request, by the test clock", async () => {
    const add = async (name: string) =>
      (await send("POST /v1/pets", PET, app, { "Idempotency-Key": name })).json.id as number;
    const first = await add("a");
    await set(new Date(START + 23 * HOUR).toISOString());
    expect(await add("a")).toBe(first);
    const later = await add("later");
    await set(new Date(START + 25 * HOUR).toISOString());
    expect(await add("later")).toBe(later);
    const second = await add("a");
    expect(second).toBe(later + 1);
    // When the clock is moved back, some idempotency records lie in the future. They are treated as if they were made now.
    await set(null);
    expect([await add("a"), await add("later")]).toEqual([second, later]);
    await app.clock.advance(25 * HOUR);
    expect(await add("a")).toBe(second + 1);
  });

  test("it applies in another process within a second, and after a restart", async () => {
    const other = await start();
    await send("POST /v1/pets", PET);
    expect((await send("GET /v1/pets/1", undefined, other)).status).toBe(200);
    await set(AFTER_REMOVAL);
    await until(async () => (await send("GET /v1/pets/1", undefined, other)).status === 410);
    const third = await start();
    expect((await send("GET /v1/pets/1", undefined, third)).status).toBe(410);
    await set(null, third);
    await until(async () => (await send("GET /v1/pets/1")).status === 200);
  });

  test("keys, events and lists use the service's own time", async () => {
    const { token } = await app.makeKey({ environment: "staging", expiresAt: START + HOUR });
    await set("2040-01-01T00:00:00Z");
    const reply = await app.send("staging", "POST /v1/pets", { key: token, body: PET });
    expect(reply.status).toBe(201);
    await until(async () => (await send("GET /v1/events")).json.length === 1);
    expect((await send("GET /v1/events")).json[0].createdAt).toBe("2026-11-21T12:00:00.000Z");
  });

  test("it can be set only in staging, with a read-write key of staff or an owner", async () => {
    const codes = async (options: Parameters<TestApp["makeKey"]>[0]) => {
      const { token } = await app.makeKey({ environment: "staging", ...options });
      const requests = ["GET", "PUT"].map(async (method) => {
        const body = method === "PUT" ? { body: '{"now":"2026-01-01T00:00:00Z"}' } : {};
        return (await app.send("staging", `${method} /v1/test/clock`, { key: token, ...body })).status;
      });
      const body = '{"fixture":"empty"}';
      const resetting = app.send("staging", "POST /v1/test/reset", { key: token, body });
      return [...(await Promise.all(requests)), (await resetting).status];
    };
    expect(await codes({ role: "staff" })).toEqual([200, 200, 200]);
    expect(await codes({ role: "staff", access: "read" })).toEqual([403, 403, 403]);
    expect(await codes({ role: "viewer", access: "read" })).toEqual([403, 403, 403]);
    const { token } = await app.makeKey();
    for (const method of ["GET", "PUT", "OPTIONS"]) {
      const reply = await app.send("production", `${method} /v1/test/clock`, { key: token });
      expect([method, reply.status]).toEqual([method, 404]);
    }
    const document = await (await app.send("production", "GET /openapi.json")).text();
    expect(document).not.toContain("/test/clock");
  });

  test("it stops at the last time that RFC 3339 can express", async () => {
    const last = "9999-12-31T23:59:59.999Z";
    expect((await set(last)).json.now).toBe(last);
    await app.clock.advance(HOUR);
    expect((await send("GET /v1/test/clock")).json.now).toBe(last);
  });

  test("an invalid time and the method DELETE are refused", async () => {
    expect((await send("DELETE /v1/test/clock")).status).toBe(405);
    expect((await send("PUT /v1/test/clock", "{}")).json.message).toContain("now is required");
    expect((await send("PUT /v1/test/clock", '{"now":"tomorrow"}')).status).toBe(400);
  });
});
