import { describe, expect, test } from "bun:test";
import type { Operation } from "../../src/contract/operation.ts";
import { createTestApp } from "../test-app.ts";
import { usePerson } from "../wire/browser-session.ts";
import { type Reply, send } from "../wire/send.ts";
import { useStore } from "../wire/server.ts";
import { CONSOLE, MESSAGES, STAGING, STORE } from "./operations.ts";

// Calls every operation, fetches every page and causes every error of each service.

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const PAGES = [
  "/",
  "/docs",
  "/docs/errors",
  "/docs/deprecations",
  "/docs/guides",
  "/docs/search.json",
  "/docs/guides/webhooks",
  "/docs/files/Caddyfile",
];
const CONSOLE_PAGES = [
  "animals",
  "animals/1",
  "categories",
  "orders",
  "messages",
  "keys",
  "account",
  "sign-in",
];

const server = useStore();
const ada = usePerson(server, "ada@example.com");

const pathOf = ({ path }: Operation) => path.replaceAll(/\{\w+\}/g, "1");
const originOf = (address: string) => new URL(address).origin;

/** Asserts that a response has the headers that protect browsers. */
function expectGuarded(what: string, { status, headers }: Reply): void {
  expect([what, status, status < 500]).toEqual([what, status, true]);
  expect([what, headers.get("X-Content-Type-Options")]).toEqual([what, "nosniff"]);
  expect([what, headers.get("Cross-Origin-Resource-Policy")]).toEqual([what, "same-origin"]);
  const policy = headers.get("Content-Security-Policy") ?? "";
  expect([what, policy]).toEqual([what, expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/)]);
  expect([what, policy]).not.toEqual([what, expect.stringContaining("unsafe")]);
  if (!headers.get("Content-Type")?.startsWith("text/html")) return;
  expect([what, policy]).toEqual([what, expect.stringContaining("base-uri 'none'")]);
  // The console of production sends its origin to staging. No page sends its path to anybody.
  const isConsole = policy.includes("form-action http");
  const referrer = isConsole ? "strict-origin" : "no-referrer";
  expect([what, headers.get("Referrer-Policy")]).toEqual([what, referrer]);
  expect([what, headers.get("Cross-Origin-Opener-Policy")]).toEqual([what, "same-origin"]);
  expect([what, headers.get("X-Robots-Tag")]).toEqual([what, "noindex"]);
  expect([what, headers.get("Permissions-Policy")]).toEqual([what, expect.stringContaining("camera=()")]);
}

async function expectAllGuarded(origin: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    for (const method of METHODS) {
      expectGuarded(`${method} ${path}`, await send(method, origin + path));
      const body = ["POST", "PUT", "PATCH"].includes(method) ? { body: "{" } : {};
      expectGuarded(
        `${method} ${path} with a key`,
        await send(method, origin + path, { key: server.key, ...body }),
      );
    }
    const headers = { Origin: "https://shop.example", "Access-Control-Request-Method": "POST" };
    expectGuarded(`preflight of ${path}`, await send("OPTIONS", origin + path, { headers }));
  }
}

describe("every operation needs authentication", () => {
  const cases = [
    ...STORE.map((operation) => [operation, "production", "/v1"] as const),
    ...STAGING.map((operation) => [operation, "staging", "/v1"] as const),
    ...MESSAGES.map((operation) => [operation, "messages", ""] as const),
  ];
  for (const [operation, service, base] of cases) {
    test(`401 without a key, with a made-up one, and with a session: ${operation.id} of ${service}`, async () => {
      const address = originOf(server[service]) + base + pathOf(operation);
      const cookie = { Cookie: ada.cookie() ?? "", Origin: originOf(server[service]) };
      for (const options of [{}, { key: "made up" }, { headers: cookie }]) {
        const reply = await send(operation.method, address, options);
        expect(reply).toMatchObject({ status: 401, json: { code: "unauthorized" } });
      }
    });
  }
});

describe("browsers may not run, frame or embed", () => {
  test("every operation and page of production and staging, with every method", async () => {
    for (const service of ["production", "staging"] as const) {
      const paths = STORE.map((operation) => `/v1${pathOf(operation)}`);
      const others = [
        "/v1/nowhere",
        "/nowhere",
        "/openapi.json",
        "/docs/client.js",
        "/docs/",
        "/favicon.ico",
        "/healthz",
        "/readyz",
        "/console/assets/x.js",
      ];
      const pages = [...PAGES, ...CONSOLE_PAGES.map((page) => `/${page}`)];
      await expectAllGuarded(originOf(server[service]), [...new Set([...paths, ...others, ...pages])]);
    }
  });

  test("every operation and page of the message service, and of the metrics listener", async () => {
    const paths = MESSAGES.map(pathOf);
    await expectAllGuarded(server.messages, [...paths, ...PAGES, "/nowhere", "/openapi.json", "/readyz"]);
    await expectAllGuarded(originOf(server.metrics), ["/metrics", "/nowhere"]);
    expectGuarded("another host", await send("GET", server.metrics, { headers: { Host: "evil.example" } }));
  });

  test("every asset of a page", async () => {
    for (const page of ["/", "/docs"]) {
      const origin = originOf(server.production);
      const { body } = await send("GET", origin + page);
      const parts = [...body.matchAll(/(?:src|href)="(\/[^"]*\/assets\/[^"]+)"/g)].map(
        ([, path = ""]) => path,
      );
      expect(new Set(parts).size).toBeGreaterThanOrEqual(3);
      for (const path of parts) {
        const reply = await send("GET", origin + path);
        expect(reply.status).toBe(200);
        expectGuarded(path, reply);
      }
    }
  });

  test("every operation of the console, which other origins may not read either", async () => {
    const { origin } = new URL(server.production);
    for (const operation of [...STORE, ...MESSAGES, ...CONSOLE]) {
      const path = pathOf(operation);
      for (const body of [undefined, { nonsense: true }]) {
        const replies = [
          await ada.call(`${operation.method} ${path}`, operation.method === "GET" ? undefined : body),
          await send(operation.method, `${origin}/console/api${path}`),
        ];
        for (const reply of replies) {
          expectGuarded(`${operation.id} of the console`, reply);
          expect(reply.headers.get("Access-Control-Allow-Origin")).toBeNull();
        }
      }
    }
  });

  test("a cached response, a 304, and errors", async () => {
    const address = `${server.production}/pets?limit=3`;
    for (let time = 0; time < 3; time++)
      expectGuarded("a page", await send("GET", address, { key: server.key }));
    const etag = (await send("GET", address, { key: server.key })).headers.get("ETag") ?? "";
    const known = await send("GET", address, { key: server.key, headers: { "If-None-Match": etag } });
    expect(known.status).toBe(304);
    expectGuarded("304", known);
    expectGuarded("400", await server.get("/pets?limit=0"));
    expectGuarded("415", await server.send("POST /pets", { headers: { "Content-Type": "x/y" } }));
  });

  test("HSTS for one year if the public address is https, and otherwise no HSTS", async () => {
    const app = await createTestApp({}, { productionUrl: "https://pets.example.com/v1" });
    const { token } = await app.makeKey();
    for (const path of ["/v1/pets", "/v1/pets", "/v1/pets", "/", "/nowhere", "/console/api/session"]) {
      for (const options of [{ key: token }, {}]) {
        const line = async (service: "production" | "staging") =>
          (await app.send(service, `GET ${path}`, options)).headers.get("Strict-Transport-Security");
        expect([await line("production"), await line("staging")]).toEqual(["max-age=31536000", null]);
      }
    }
    await app.close();
  });
});
