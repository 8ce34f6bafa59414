import { afterEach, describe, expect, test } from "bun:test";
import { type CachedResponse, createResponseCache, type ResponseCache } from "../src/http/response-cache.ts";
import { RESPONSE_CACHE_BODY_BYTES_MAX, RESPONSE_CACHE_ENTRIES } from "../src/limits.ts";
import { petOperations } from "../src/pets/contract.ts";
import { watchQueries } from "./seen-queries.ts";
import { createTestApp, type TestApp } from "./test-app.ts";
import { freshEmbeddedStore, makeKey, petstore, type Server, send, startServer } from "./wire/server.ts";

// Answers that are kept: never older than what was acknowledged, never for whom they are not meant, never without end.

const PET = '{"name":"x","categoryId":1,"status":"available"}';

describe("an answer that was given before", () => {
  let app: TestApp;
  afterEach(() => app.close());

  async function hits(): Promise<number> {
    const text = await (await app.operations.fetch(new Request("http://x/metrics"))).text();
    return Number(
      /petstore_page_cache_total\{service="production",outcome="hit"\} (\d+)/.exec(text)?.[1] ?? 0,
    );
  }

  test("is given again, byte for byte, with every header line but the request's own", async () => {
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

  test("is not given to who has no key, a wrong one, one of the other environment, or one that has expired", async () => {
    app = await createTestApp();
    const { token: key } = await app.makeKey({ expiresAt: app.clock.now() + 1_000 });
    const { token: staging } = await app.makeKey({ environment: "staging" });
    const ask = async (options: { key?: string }) =>
      (await app.send("production", "GET /v1/pets", options)).status;
    expect([await ask({ key }), await ask({ key }), await ask({ key })]).toEqual([200, 200, 200]);
    expect(await app.send("staging", "GET /v1/pets", { key: staging })).toHaveProperty("status", 200);
    expect([await ask({}), await ask({ key: `${key.slice(0, -1)}!` }), await ask({ key: staging })]).toEqual([
      401, 401, 401,
    ]);
    expect(await hits()).toBe(1);
    await app.clock.advance(1_000);
    expect(await ask({ key })).toBe(401);
  });

  test("costs no query; a page costs one, an addition one", async () => {
    const counted = watchQueries("production.sqlite");
    app = await createTestApp();
    const { token: key } = await app.makeKey();
    await app.send("production", "POST /v1/pets", { key, body: PET });
    const cost = async (
      request: string,
      options: { body?: string; headers?: Record<string, string> } = {},
    ) => {
      // What is read in one turn of the event loop is read in one transaction: this begins another turn.
      await new Promise((resolve) => setImmediate(resolve));
      counted.length = 0;
      await app.send("production", request, { key, ...options });
      return counted.map(({ sql }) => sql.split(" ", 2).join(" "));
    };
    try {
      for (const queries of [["BEGIN", "SELECT id,"], ["BEGIN", "SELECT id,"], []]) {
        expect(await cost("GET /v1/pets?limit=7")).toEqual(queries);
      }
      expect(await cost("POST /v1/pets", { body: PET })).toEqual([
        "BEGIN IMMEDIATE",
        "INSERT INTO",
        "COMMIT",
      ]);
      expect(await cost("POST /v1/pets", { body: PET, headers: { "Idempotency-Key": "k" } })).toEqual([
        "BEGIN IMMEDIATE",
        "SAVEPOINT work",
        "SELECT fingerprint,",
        "INSERT INTO",
        "INSERT INTO",
        "RELEASE work",
        "COMMIT",
      ]);
    } finally {
      counted.stop();
    }
  });
});

describe("what another process commits", () => {
  test("is in the very next answer, 200 times; a key that it revokes is refused within a second", async () => {
    const store = await freshEmbeddedStore();
    const [one, two]: [Server, Server] = [await startServer({ store }), await startServer({ store })];
    const key = await makeKey(store);
    for (let round = 1; round <= 200; round++) {
      const [writer, reader] = round % 2 === 0 ? [one, two] : [two, one];
      for (let time = 0; time < 3; time++) await send("GET", `${reader.production}/pets?limit=1`, { key });
      const made = await send("POST", `${writer.production}/pets`, { key, body: PET });
      const seen = await send("GET", `${reader.production}/pets?limit=1`, { key });
      expect(seen.body).toBe(`[${made.body}]`);
    }
    const listed = await petstore(store, ["keys", "list", "--json"]);
    await petstore(store, ["keys", "revoke", JSON.parse(listed.out)[0].id]);
    await Bun.sleep(1_000);
    expect((await send("GET", `${one.production}/pets?limit=1`, { key })).status).toBe(401);
    await one.stop();
    await two.stop();
  }, 30_000);
});

describe("how much is kept", () => {
  const page = (body: string): CachedResponse => ({
    operation: petOperations.listPets,
    version: 1n,
    lines: { ETag: '"x"' },
    body,
  });
  const keep = (pages: ResponseCache, index: number, kept: CachedResponse) => {
    for (let time = 0; time < 2; time++) pages.set(ask(index).url, kept);
  };
  const ask = (index: number) => new Request(`http://x/${index}`);

  test("has an end: what was not asked for lately is let go, what is asked for stays", () => {
    const pages = createResponseCache(() => 1n);
    for (let index = 0; index < 3 * RESPONSE_CACHE_ENTRIES; index++) {
      keep(pages, index, page("[]"));
      expect(pages.get(ask(0), "id")).toBeDefined();
    }
    expect(pages.get(ask(1), "id")).toBeUndefined();
  });

  test("what is asked for once is not kept", () => {
    const pages = createResponseCache(() => 1n);
    pages.set(ask(1).url, page("[]"));
    expect(pages.get(ask(1), "id")).toBeUndefined();
    pages.set(ask(1).url, page("[]"));
    expect(pages.get(ask(1), "id")).toBeDefined();
  });

  test("a large answer is not kept, and an old version is not given", () => {
    let version = 1n;
    const pages = createResponseCache(() => version);
    keep(pages, 1, page("x".repeat(RESPONSE_CACHE_BODY_BYTES_MAX + 1)));
    keep(pages, 2, page("x".repeat(RESPONSE_CACHE_BODY_BYTES_MAX)));
    expect(pages.get(ask(1), "id")).toBeUndefined();
    expect(pages.get(ask(2), "id")).toBeDefined();
    version = 2n;
    expect(pages.get(ask(2), "id")).toBeUndefined();
  });
});
