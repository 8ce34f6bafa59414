import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { send } from "./send.ts";
import { useStore } from "./server.ts";

// Tests the pages of the console, the reference, and the files that they load, as a browser gets them.

const store = useStore();

const originOf = (service: "production" | "staging" | "messages") => new URL(store[service]).origin;
const policyOf = async (path: string) =>
  (await send("GET", originOf("production") + path)).headers.get("Content-Security-Policy") ?? "";

describe("the Content-Security-Policy", () => {
  test("of every page prevents scripts from turning strings into markup", async () => {
    const directives = "require-trusted-types-for 'script'; trusted-types 'none'";
    const docs = ["/docs", "/docs/errors", "/docs/deprecations", "/docs/guides/webhooks"];
    for (const path of ["/", "/keys", "/sign-in", ...docs])
      expect([path, await policyOf(path)]).toEqual([path, expect.stringContaining(directives)]);
  });

  test("of the reference allows only its own scripts, styles and servers", async () => {
    expect((await policyOf("/docs")).split("; ").sort()).toEqual([
      "base-uri 'none'",
      `connect-src 'self' ${originOf("production")} ${originOf("staging")}`,
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self'",
      "require-trusted-types-for 'script'",
      "script-src 'self'",
      "style-src 'self'",
      "trusted-types 'none'",
    ]);
  });
});

test("the guides for programs name this store's own addresses, and those for operators the defaults", async () => {
  for (const service of ["production", "staging"] as const) {
    const guide = (await send("GET", `${originOf(service)}/docs/guides/first-call`)).body;
    expect(guide).not.toMatch(/localhost:808[012]/);
    expect(guide).toContain(`${originOf("staging")}/v1/pets`);
  }
  const settings = (await send("GET", `${originOf("production")}/docs/guides/settings`)).body;
  expect(settings).toContain("localhost:8082");
});

test("the console's scripts and styles are immutable in caches, and served as brotli", async () => {
  const html = (await send("GET", `${originOf("production")}/`)).body;
  const assets = [...html.matchAll(/"(\/console\/assets\/[^"]+)"/g)].map(([, path = ""]) => path);
  expect(assets.length).toBeGreaterThanOrEqual(3);
  for (const path of assets) {
    const asset = await fetch(originOf("production") + path, { headers: { "Accept-Encoding": "br" } });
    expect(asset.status).toBe(200);
    expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(asset.headers.get("content-encoding")).toBe("br");
  }
  const page = await fetch(`${originOf("production")}/animals`);
  expect(page.headers.get("cache-control")).toBe("no-cache");
  expect(page.headers.get("content-security-policy")).toStartWith("default-src 'none';");
  expect(page.headers.get("content-security-policy")).not.toContain("unsafe");
});

test("the reference has at most 40 kB with its scripts, styles and icon, compressed with gzip -9", async () => {
  for (const service of ["production", "staging", "messages"] as const) {
    const html = (await send("GET", `${originOf(service)}/docs`)).body;
    const parts = new Set(
      [...html.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g)].map(([, path]) => path),
    );
    const answers = await Promise.all([...parts].map((path) => send("GET", originOf(service) + path)));
    const texts = [html, ...answers.map(({ body }) => body)];
    const bytes = texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).byteLength, 0);
    console.log(`reference page of ${service}: ${bytes} bytes in ${texts.length} files (gzip -9)`);
    expect([parts.size, bytes]).toEqual([5, expect.any(Number)]);
    expect(bytes).toBeLessThan(40_000);
  }
});

test("the client's module has the same ETag for every Content-Encoding, and a match is answered 304", async () => {
  const address = `${originOf("staging")}/docs/client.js`;
  const first = await send("GET", address);
  expect([first.status, first.headers.get("Content-Type")]).toEqual([200, "text/javascript; charset=utf-8"]);
  expect(first.headers.get("Cache-Control")).toBe("no-cache");
  expect(first.headers.get("Access-Control-Allow-Origin")).toBe("*");
  const tag = first.headers.get("ETag") ?? "none";
  for (const coding of ["gzip", "identity"]) {
    const headers = { "Accept-Encoding": coding };
    const again = await send("GET", address, { headers });
    expect([again.body, again.headers.get("ETag")]).toEqual([first.body, tag]);
    const known = await send("GET", address, { headers: { ...headers, "If-None-Match": tag } });
    expect([known.status, known.body, known.headers.get("ETag")]).toEqual([304, "", tag]);
  }
  expect((await send("GET", address, { headers: { "If-None-Match": '"another"' } })).status).toBe(200);
});

test("production has no page for rehearsals", async () => {
  const headers = { Accept: "text/html" };
  expect((await send("GET", `${originOf("production")}/rehearsal`, { headers })).status).toBe(404);
});
