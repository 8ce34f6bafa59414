import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createTestApp, onEachEngine, type TestApp } from "./test-app.ts";
import { until } from "./until.ts";
import { freshEmbeddedStore } from "./wire/stores.ts";

// Tests how the service depends on the time, how it handles faults, and what it logs. The service has no port and uses a test
// clock.

let app: TestApp;
afterEach(() => app.close());

const PET = '{"name":"x","categoryId":1}';

onEachEngine((store) => {
  describe("the removal date of getPet", () => {
    test("ends 200 and begins 410 after 4 December 2030, UTC", async () => {
      app = await createTestApp({}, await store());
      const { token: key } = await app.makeKey();
      await app.send("production", "POST /v1/pets", { key, body: PET });
      await app.clock.advance(Date.UTC(2030, 11, 5) - app.clock.now() - 1);
      expect((await app.send("production", "GET /v1/pets/1", { key })).status).toBe(200);
      await app.clock.advance(1);
      for (const method of ["GET", "HEAD"]) {
        const gone = await app.send("production", `${method} /v1/pets/1`, { key });
        expect(gone.status).toBe(410);
        expect(gone.headers.get("Sunset")).toBe("Thu, 05 Dec 2030 00:00:00 GMT");
      }
      const gone = await app.send("production", "GET /v1/pets/1", { key });
      expect(await gone.json()).toEqual({
        code: "gone",
        message:
          "GET /pets/{petId} was removed on 5 December 2030. Use GET /pets with the status filter, or GET /pets?id=… for one animal.",
        status: 410,
      });
      expect((await app.send("production", "GET /v1/pets?id=1", { key })).status).toBe(200);
      expect((await app.send("production", "PATCH /v1/pets/1", { key, body: "{}" })).status).toBe(200);
      expect((await app.send("production", "GET /v1/pets/1")).status).toBe(401);
    });

    test("removes getPet from Allow, the document, the reference and the Location of a new animal", async () => {
      app = await createTestApp({}, await store());
      const { token: key } = await app.makeKey();
      const allowed = async (method: string) =>
        (await app.send("production", `${method} /v1/pets/1`, { key })).headers.get("Allow");
      const documented = async () => {
        const { json } = await app.ask("production", "GET /openapi.json");
        return json.paths["/pets/{petId}"];
      };
      const reference = async () => (await app.send("production", "GET /docs")).text();
      const locationOfNew = async () => {
        const headers = { "Idempotency-Key": String(app.clock.now()) };
        return (await app.send("production", "POST /v1/pets", { key, body: PET, headers })).headers.get(
          "Location",
        );
      };
      const base = "http://petstore.test/v1";

      await app.clock.advance(Date.UTC(2030, 11, 5) - app.clock.now() - 1);
      expect(await allowed("OPTIONS")).toBe("DELETE, GET, HEAD, OPTIONS, PATCH");
      expect(await allowed("PUT")).toBe("DELETE, GET, HEAD, OPTIONS, PATCH");
      // The animal is added before the reference is rendered. Rendering keeps the process busy, on a busy machine for longer than the
      // deadline of the statements that maintenance runs at this time.
      expect(await locationOfNew()).toBe(`${base}/pets/1`);
      expect(Object.keys(await documented())).toEqual(["get", "patch", "delete"]);
      expect((await documented()).get.description).toContain(
        "Use `GET /pets` with the `status` filter, or `GET /pets?id=…` for one animal.",
      );
      expect(await reference()).toContain('id="getPet"');

      await app.clock.advance(1);
      expect(await allowed("OPTIONS")).toBe("DELETE, OPTIONS, PATCH");
      expect(await allowed("PUT")).toBe("DELETE, OPTIONS, PATCH");
      expect(Object.keys(await documented())).toEqual(["patch", "delete"]);
      expect(await reference()).not.toContain('id="getPet"');
      const location = await locationOfNew();
      expect(location).toBe(`${base}/pets?id=2`);
      const found = await app.send("production", `GET ${location?.replace("http://petstore.test", "")}`, {
        key,
      });
      expect(await found.json()).toMatchObject([{ id: 2 }]);
    });

    test("is preceded by counts of its calls for each key", async () => {
      app = await createTestApp({}, await store());
      const { id, token: key } = await app.makeKey();
      await app.send("production", "GET /v1/pets/1", { key });
      await app.send("production", "GET /v1/pets/2", { key });
      const labels = `service="production",operation="getPet",key="${id}",key_name="test"`;
      expect(await app.reading(`petstore_deprecated_requests_total{${labels}}`)).toBe(2);
    });
  });
});

describe("an internal fault", () => {
  test("500 without the error's text, which is in the log under the request id", async () => {
    app = await createTestApp();
    const { token: key } = await app.makeKey();
    const saboteur = new Database(`${app.config.dataDir}/production.sqlite`);
    saboteur.run("DROP TABLE pet");
    saboteur.close();
    const response = await app.send("production", "GET /v1/pets", {
      key,
      headers: { "X-Request-Id": "r-1" },
    });
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      code: "internal_error",
      message:
        "An unexpected error occurred. The service's log contains the error, with the X-Request-Id of this request.",
      status: 500,
    });
    const fault = app.logged.find((line) => JSON.stringify(line).includes("r-1"));
    expect(fault).toMatchObject({ requestId: "r-1", err: { message: "no such table: pet" } });
  });

  test("503 with Retry-After while another process locks the store, and 201 after that", async () => {
    app = await createTestApp();
    const { token: key } = await app.makeKey();
    const holder = new Database(`${app.config.dataDir}/production.sqlite`);
    holder.run("BEGIN IMMEDIATE");
    const refused = await app.ask("production", "POST /v1/pets", { key, body: PET });
    expect(refused.status).toBe(503);
    expect(refused.headers.get("Retry-After")).toBe("1");
    expect(refused.json.code).toBe("unavailable");
    expect((await app.send("production", "GET /v1/pets", { key })).status).toBe(200);
    holder.run("ROLLBACK");
    holder.close();
    expect((await app.send("production", "POST /v1/pets", { key, body: PET })).status).toBe(201);
  });
});

describe("a draining service", () => {
  test("is not ready, still handles requests, and sends Connection: close", async () => {
    app = await createTestApp();
    const { token: key } = await app.makeKey();
    expect((await app.send("production", "GET /readyz")).status).toBe(200);
    app.services.production?.drain();
    const ready = await app.ask("production", "GET /readyz");
    expect(ready.status).toBe(503);
    expect(ready.json.code).toBe("unavailable");
    expect((await app.send("production", "GET /healthz")).status).toBe(200);
    const list = await app.send("production", "GET /v1/pets", { key });
    expect(list.status).toBe(200);
    expect(list.headers.get("Connection")).toBe("close");
  });
});

describe("the log", () => {
  test("has one line for each request: id, service, path, operation, status, code, duration, key id; never the key or the body", async () => {
    app = await createTestApp();
    const { id, token: key } = await app.makeKey();
    const body = '{"name":"a secret name","categoryId":1}';
    await app.send("production", "POST /v1/pets", { key, body, headers: { "X-Request-Id": "r-2" } });
    await app.send("production", `GET /v1/${key}?key=${key}`, { key });
    expect(app.logged).toHaveLength(2);
    expect(app.logged[0]).toEqual({
      now: app.clock.now(),
      requestId: "r-2",
      service: "production",
      method: "POST",
      path: "/v1/pets",
      route: "/v1/pets",
      operation: "createPet",
      status: 201,
      durationMs: expect.any(Number),
      keyId: id,
    });
    expect(app.logged[1]).toMatchObject({
      path: "/v1/\\u2026?key=\\u2026",
      code: "not_found",
    });
    const text = JSON.stringify(app.logged);
    expect(text).not.toContain(key);
    expect(text).not.toContain("a secret name");
  });
});

describe("header lines", () => {
  test("are not shared between responses, even when a page or a refusal is sent again", async () => {
    app = await createTestApp();
    const { token: key } = await app.makeKey();
    const paths = ["/v1/pets", "/v1/pets/1", "/v1/pets", "/v1/pets", "/v1/pets/1", "/v1/pets"];
    for (const options of [{ key }, {}]) {
      const responses: Response[] = [];
      for (const [index, path] of paths.entries()) {
        const headers = { "X-Request-Id": `request-${index}` };
        responses.push(await app.send("production", `GET ${path}`, { ...options, headers }));
      }
      expect(responses.map(({ headers }) => headers.get("X-Request-Id"))).toEqual(
        paths.map((_path, index) => `request-${index}`),
      );
      expect(responses.map(({ headers }) => headers.has("Deprecation"))).toEqual(
        paths.map((path) => path === "/v1/pets/1"),
      );
    }
  });
});

describe("the last use of a key", () => {
  test("is stored to the minute, but not written by the request itself", async () => {
    app = await createTestApp();
    const { id, token: key } = await app.makeKey();
    const accounts = new Database(`${app.config.dataDir}/accounts.sqlite`, { readonly: true });
    const lastUsed = () => accounts.query("SELECT last_used_at FROM api_key WHERE id = ?").values(id)[0]?.[0];
    await app.clock.advance(90_000);
    const usedAt = app.clock.now();
    await app.send("production", "GET /v1/pets", { key });
    expect(lastUsed()).toBeNull();
    await app.clock.advance(60_000);
    await until(() => lastUsed() !== null);
    expect(lastUsed()).toBe(usedAt - (usedAt % 60_000));
    accounts.close();
  });

  test("is stored at the end of the process", async () => {
    const { dataDir } = await freshEmbeddedStore();
    app = await createTestApp({}, { dataDir });
    const { id, token: key } = await app.makeKey();
    await app.send("production", "GET /v1/pets", { key });
    await app.close();
    const accounts = new Database(`${dataDir}/accounts.sqlite`, { readonly: true });
    expect(accounts.query("SELECT last_used_at FROM api_key WHERE id = ?").values(id)).toEqual([
      [expect.any(Number)],
    ]);
    accounts.close();
  });
});

describe("the public address", () => {
  test("is used in Location, Link, the OpenAPI document, and an error's link to its description", async () => {
    app = await createTestApp({}, { productionUrl: "https://pets.example.com/v1" });
    const { token: key } = await app.makeKey();
    const created = await app.send("production", "POST /v1/pets", { key, body: PET });
    expect(created.headers.get("Location")).toBe("https://pets.example.com/v1/pets/1");
    await app.send("production", "POST /v1/pets", { key, body: PET });
    const list = await app.send("production", "GET /v1/pets?limit=1", { key });
    expect(list.headers.get("Link")).toStartWith("<https://pets.example.com/v1/pets?limit=1&cursor=");
    const document = await app.ask("production", "GET /openapi.json");
    expect(document.json.servers.map((server: { url: string }) => server.url)).toEqual([
      "https://pets.example.com/v1",
      "http://localhost:8081/v1",
    ]);
    const refused = await app.send("production", "GET /v1/pets");
    expect(refused.headers.get("Link")).toStartWith("<https://pets.example.com/docs/errors#unauthorized>;");
  });
});

describe("the link of an error to its description", () => {
  beforeEach(async () => {
    app = await createTestApp();
  });
  const linkTo = async (host: string, service: "production" | "messages", request: string) =>
    (await app.send(service, request, { headers: { Host: host } })).headers.get("Link");
  const description = (host: string, code: string) =>
    `<http://${host}/docs/errors#${code}>; rel="describedby"; type="text/html"`;

  test("has the address by which the request came, even if the encoded error is cached", async () => {
    for (const host of ["a.test", "b.test", "a.test"]) {
      expect(await linkTo(host, "production", "GET /v1/pets")).toBe(description(host, "unauthorized"));
      expect(await linkTo(host, "messages", "POST /messages")).toBe(description(host, "unauthorized"));
    }
  });

  test("is relative if no Host states the address", async () => {
    expect(await linkTo("a b", "production", "GET /v1/pets")).toBe(
      '</docs/errors#invalid_request>; rel="describedby"; type="text/html"',
    );
  });
});
