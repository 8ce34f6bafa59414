import { afterEach, describe, expect, test } from "bun:test";
import { REQUESTS_IN_FLIGHT_MAX } from "../src/http/concurrency-limit.ts";
import type { ResponseData } from "../src/http/response.ts";
import {
  createResponseCache,
  RESPONSE_CACHE_BODY_BYTES_MAX,
  RESPONSE_CACHE_BYTES,
  RESPONSE_CACHE_ENTRIES,
  type ResponseCache,
} from "../src/http/response-cache.ts";
import { appsOnOneStore } from "./apps-on-one-store.ts";
import { isQuickRun } from "./quick-run.ts";
import { createTestApp, onEachEngine, openPort, type TestApp } from "./test-app.ts";
import { until } from "./until.ts";
import { persist, send, sendRaw } from "./wire/send.ts";
import { useStore } from "./wire/server.ts";

// A cached response must never be older than the last acknowledged write, and must be sent only for a valid API key. The size of
// the cache is limited.

const PET = '{"name":"x","categoryId":1,"status":"available"}';

describe("a cached response", () => {
  let app: TestApp;
  afterEach(() => app.close());

  const hits = () => app.reading('petstore_page_cache_total{service="production",outcome="hit"}');

  test("is the same bytes with the same header lines, except the request id", async () => {
    app = await createTestApp();
    const { token: key } = await app.makeKey();
    for (let count = 0; count < 30; count++)
      await app.send("production", "POST /v1/pets", { key, body: PET });
    await app.send("production", "GET /v1/pets?limit=5", { key });
    const first = await app.send("production", "GET /v1/pets?limit=5", { key });
    const again = await app.send("production", "GET /v1/pets?limit=5", {
      key,
      headers: { "X-Request-Id": "mine" },
    });
    expect(await hits()).toBe(1);
    expect(await again.text()).toBe(await first.text());
    const lines = (response: Response) => [...response.headers].filter(([name]) => name !== "x-request-id");
    expect(lines(again)).toEqual(lines(first));
    expect(again.headers.get("x-request-id")).toBe("mine");
    const known = await app.send("production", "GET /v1/pets?limit=5", {
      key,
      headers: { "If-None-Match": `"other", W/${first.headers.get("etag")}` },
    });
    expect([known.status, await known.text(), known.headers.get("content-type")]).toEqual([304, "", null]);
  });

  test("is not sent without a key, or for an unknown key, one of the other environment, or one that has expired", async () => {
    app = await createTestApp();
    const { token: key } = await app.makeKey({ expiresAt: app.clock.now() + 1_000 });
    const { token: staging } = await app.makeKey({ environment: "staging" });
    const statusOf = async (options: { key?: string }) =>
      (await app.send("production", "GET /v1/pets", options)).status;
    expect([await statusOf({ key }), await statusOf({ key }), await statusOf({ key })]).toEqual([
      200, 200, 200,
    ]);
    expect(await app.send("staging", "GET /v1/pets", { key: staging })).toHaveProperty("status", 200);
    expect([
      await statusOf({}),
      await statusOf({ key: `${key.slice(0, -1)}!` }),
      await statusOf({ key: staging }),
    ]).toEqual([401, 401, 401]);
    expect(await hits()).toBe(1);
    await app.clock.advance(999);
    expect(await statusOf({ key })).toBe(200);
    await app.clock.advance(1);
    expect(await statusOf({ key })).toBe(401);
  });
});

describe("a request for a cached page", () => {
  const server = useStore();

  /** Resolves to the status of a request with several `Host` headers. The runtime builds the URL from the first of them. */
  async function statusFor(...hosts: readonly string[]): Promise<number | undefined> {
    const lines = hosts.map((host) => `Host: ${host}\r\n`).join("");
    const rest = `Authorization: Bearer ${server.key}\r\nConnection: close\r\n\r\n`;
    const received = await sendRaw(server.production, `GET /v1/pets HTTP/1.1\r\n${lines}${rest}`);
    return Number(/^HTTP\/1\.1 (\d{3}) /.exec(received)?.[1]);
  }

  async function metric(sample: string): Promise<number> {
    const { body } = await send("GET", server.metrics);
    const line = body.split("\n").find((one) => one.startsWith(`${sample} `));
    return Number(line?.slice(sample.length) ?? 0);
  }

  /** Repeats a request until its response comes from the cache. Before that, the service may have to look up the API key. */
  async function untilCached(request: () => Promise<unknown>): Promise<void> {
    const hits = () => metric('petstore_page_cache_total{service="production",outcome="hit"}');
    const before = await hits();
    await until(async () => {
      await request();
      return (await hits()) > before;
    });
  }

  test("is refused with 400 when it has two Host lines, or one that names no host", async () => {
    for (const host of ["a", "a.b", "a:1"]) {
      await untilCached(() => statusFor(host));
      expect(await statusFor(host, "b")).toBe(400);
      expect(await statusFor(host, host)).toBe(400);
      expect(await statusFor(`${host}, b`)).toBe(400);
      expect(await statusFor(host)).toBe(200);
    }
  });

  test("checks its key once, and a change twice, even when the page is out of date", async () => {
    const checks = async () => {
      const outcomes = ["hit", "miss", "malformed"];
      const counts = outcomes.map((outcome) => metric(`petstore_key_checks_total{outcome="${outcome}"}`));
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    };
    const list = () => server.get("/pets?limit=3");
    await untilCached(list);
    const before = await checks();
    await list();
    expect(await checks()).toBe(before + 1);
    await server.post("/pets", PET);
    // A change checks its API key again when its body has arrived, which may be seconds later.
    expect(await checks()).toBe(before + 3);
    await list();
    expect(await checks()).toBe(before + 4);
  });
});

onEachEngine((store) => {
  describe("what another process commits", () => {
    const ROUNDS = isQuickRun ? 40 : 300;
    const { start } = appsOnOneStore(async () => ({ ...(await store()), productionPort: "0" }));

    test("is in every response to a request that came later, while 16 clients read the same page", async () => {
      const [one, two] = [await start(), await start()];
      const { token: key } = await one.makeKey();
      const ports = [one, two].map((app) => openPort(app, "production"));
      const [writing = "", reading = ""] = ports.map(({ address }) => `${address}/pets`);
      let acknowledged = 0;
      const outdated: string[] = [];
      async function read(): Promise<void> {
        while (acknowledged < ROUNDS) {
          const known = acknowledged;
          const { body, json } = await persist(() => send("GET", `${reading}?limit=1`, { key }));
          if (known > 0 && json[0].id < known) outdated.push(`${body} after ${known}`);
        }
      }
      async function write(): Promise<void> {
        while (acknowledged < ROUNDS)
          acknowledged = (await persist(() => send("POST", writing, { key, body: PET }))).json.id;
      }
      await Promise.all([write(), ...Array.from({ length: 16 }, read)]);
      await Promise.all(ports.map((port) => port.stop()));
      expect(outdated).toEqual([]);
    });
  });
});

describe("the size of the cache", () => {
  const response = (body: string): ResponseData => ({ status: 200, headers: { ETag: '"x"' }, body });
  const address = (index: number) => `http://x/${index}`;
  const cacheOf = (version: () => bigint) =>
    createResponseCache({ current: version, lifeMs: Number.POSITIVE_INFINITY });
  /**
   * Asks the cache for the current version, and stores the response with it. If the cache returns no version, stores nothing and
   * resolves to false.
   */
  const request = async (cache: ResponseCache, index: number, body: string): Promise<boolean> => {
    const version = await cache.version(address(index), 0);
    if (version !== undefined) cache.set(address(index), 0, version, response(body));
    return version !== undefined;
  };

  test("is bounded: pages not requested recently are dropped first", async () => {
    const cache = cacheOf(() => 1n);
    for (let index = 0; index < 3 * RESPONSE_CACHE_ENTRIES; index++) {
      for (let time = 0; time < 2; time++) await request(cache, index, "[]");
      expect(cache.get(address(0), 1n)).toBeDefined();
    }
    expect(cache.get(address(1), 1n)).toBeUndefined();
  });

  test("a response that is requested once is not cached", async () => {
    const cache = cacheOf(() => 1n);
    expect(await request(cache, 1, "[]")).toBe(false);
    expect(await request(cache, 1, "[]")).toBe(true);
    expect(cache.get(address(1), 1n)).toBeDefined();
  });

  test("a large response is not cached, and one of an old version is not sent", async () => {
    const cache = cacheOf(() => 1n);
    for (let time = 0; time < 2; time++) {
      await request(cache, 1, "x".repeat(RESPONSE_CACHE_BODY_BYTES_MAX + 1));
      await request(cache, 2, "x".repeat(RESPONSE_CACHE_BODY_BYTES_MAX));
    }
    expect(cache.get(address(1), 1n)).toBeUndefined();
    expect(cache.get(address(2), 1n)).toBeDefined();
    expect(cache.get(address(2), 2n)).toBeUndefined();
  });

  test("is bounded in characters, even if all responses were pending at once", async () => {
    const cache = cacheOf(() => 1n);
    const indices = Array.from({ length: REQUESTS_IN_FLIGHT_MAX }, (_, index) => index);
    const underWay = Promise.withResolvers<ResponseData>();
    for (const index of indices) cache.set(address(index), 0, 1n, underWay.promise);
    underWay.resolve(response("x".repeat(RESPONSE_CACHE_BODY_BYTES_MAX)));
    await underWay.promise;
    const kept = indices.filter((index) => cache.get(address(index), 1n) !== undefined);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length * RESPONSE_CACHE_BODY_BYTES_MAX).toBeLessThanOrEqual(2 * RESPONSE_CACHE_BYTES);
  });

  test("a page that is read repeatedly after writes takes up the space of one page", async () => {
    let version = 0n;
    const cache = cacheOf(() => version);
    for (let time = 0; time < 2; time++) await request(cache, 1, "[]");
    const long = "x".repeat(RESPONSE_CACHE_BODY_BYTES_MAX);
    const writes = (3 * RESPONSE_CACHE_BYTES) / RESPONSE_CACHE_BODY_BYTES_MAX;
    for (; version < writes; version++) await request(cache, 2, long);
    expect(cache.get(address(1), 0n)).toBeDefined();
  });

  test("a response that fails while others wait for it fails for them, and is not cached", async () => {
    const cache = cacheOf(() => 1n);
    const failing = Promise.withResolvers<ResponseData>();
    cache.set(address(1), 0, 1n, failing.promise);
    const waiting = cache.get(address(1), 1n);
    failing.reject(new Error("on purpose"));
    await expect(waiting).rejects.toThrow("on purpose");
    expect(cache.get(address(1), 1n)).toBeUndefined();
  });
});
