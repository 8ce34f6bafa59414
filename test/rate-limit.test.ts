import { afterEach, describe, expect, test } from "bun:test";
import { createRateLimiter } from "../src/http/rate-limit.ts";
import { createTestApp, onEachEngine, type TestApp } from "./test-app.ts";

let app: TestApp;
afterEach(() => app.close());

async function start(rateLimit: string): Promise<void> {
  app = await createTestApp({}, { rateLimit });
}

describe("the rate limit", () => {
  test("every response states the remaining requests, 429 has Retry-After, and then a new window begins", async () => {
    await start("2/60s");
    const { token: key } = await app.makeKey();
    const ask = async (request = "GET /v1/pets") => {
      const { status, headers } = await app.send("production", request, { key });
      const named = (name: string) => headers.get(name);
      return [status, named("RateLimit-Policy"), named("RateLimit"), named("Retry-After")];
    };
    const policy = '"default";q=2;w=60';
    expect(await ask()).toEqual([200, policy, '"default";r=1;t=60', null]);
    await app.clock.advance(18_500);
    expect(await ask("GET /v1/pets?limit=0")).toEqual([400, policy, '"default";r=0;t=42', null]);
    expect(await ask()).toEqual([429, policy, '"default";r=0;t=42', "42"]);
    const { message } = (await app.ask("production", "GET /v1/pets", { key })).json;
    expect(message).toBe("Rate limit exceeded. Retry after 42 seconds.");
    await app.clock.advance(41_499);
    expect(await ask("DELETE /v1/pets/1")).toEqual([429, policy, '"default";r=0;t=1', "1"]);
    await app.clock.advance(1);
    expect(await ask()).toEqual([200, policy, '"default";r=1;t=60', null]);
  });

  test("applies to each key, across all services", async () => {
    await start("1/60s");
    const { token: one } = await app.makeKey();
    const { token: other } = await app.makeKey();
    const status = async (service: "production" | "messages", key: string) =>
      (await app.send(service, service === "messages" ? "GET /messages/x" : "GET /v1/pets", { key })).status;
    expect(await status("messages", one)).toBe(404);
    expect(await status("production", one)).toBe(429);
    expect(await status("production", other)).toBe(200);
    expect(await status("messages", other)).toBe(429);
  });

  test("does not count requests that are refused earlier: no key, no such path, no such method", async () => {
    await start("1/60s");
    const { token: key } = await app.makeKey();
    const status = async (request: string, options: { key?: string } = { key }) =>
      (await app.send("production", request, options)).status;
    expect(await status("GET /v1/pets", {})).toBe(401);
    expect(await status("GET /v1/nowhere")).toBe(404);
    expect(await status("PUT /v1/pets")).toBe(405);
    expect(await status("OPTIONS /v1/pets")).toBe(204);
    expect(await status("GET /v1/pets")).toBe(200);
    expect(await status("GET /v1/pets")).toBe(429);
  });
});

onEachEngine((store) => {
  test("a 304 does not count against the rate limit", async () => {
    app = await createTestApp({}, { ...(await store()), rateLimit: "2/60s" });
    const { token: key } = await app.makeKey();
    const first = await app.send("production", "GET /v1/pets", { key });
    const headers = { "If-None-Match": first.headers.get("ETag") ?? "" };
    for (let time = 0; time < 5; time++) {
      const known = await app.send("production", "GET /v1/pets", { key, headers });
      expect([known.status, known.headers.get("RateLimit")]).toEqual([304, '"default";r=1;t=60']);
    }
    const last = await app.send("production", "GET /v1/pets", { key });
    expect([last.status, last.headers.get("RateLimit")]).toEqual([200, '"default";r=0;t=60']);
    expect((await app.send("production", "GET /v1/pets", { key, headers })).status).toBe(429);
  });
});

describe("the memory of the rate limiter", () => {
  test("is bounded: above the maximum the oldest key gets a new window, the others do not", async () => {
    await start("1/60s");
    const limit = createRateLimiter({ requests: 1, seconds: 60 }, () => 5, 3);
    for (const keyId of ["a", "b", "c", "d"]) limit(keyId);
    for (const keyId of ["b", "c", "d"]) expect(() => limit(keyId)).toThrow("Rate limit exceeded.");
    expect(() => limit("a")).not.toThrow();
    expect(() => limit("d")).toThrow("Rate limit exceeded.");
  });
});
