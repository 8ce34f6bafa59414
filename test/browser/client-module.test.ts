import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { send } from "../wire/send.ts";
import { makeKey, type Server, startServer } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";
import { expectClean, openBrowser, openPage } from "./browser.ts";

// A store serves the client of its own version, to pages of any origin.

setDefaultTimeout(120_000);

let server: Server;
beforeAll(async () => {
  server = await startServer({ store: await freshEmbeddedStore() });
});
afterAll(() => server.stop());

const moduleOf = (service: "production" | "staging") => `${new URL(server[service]).origin}/docs/client.js`;

test("a page of another origin imports the module, and lists animals with it", async () => {
  const key = await makeKey(server.store);
  const body = '{"name":"Fluffy","categoryId":9007199254740993}';
  expect((await send("POST", `${server.production}/pets`, { key, body })).status).toBe(201);
  const html = `<!doctype html><title>Shop</title><link rel="icon" href="data:,"><p></p><script type="module">
    import { createClient } from "${moduleOf("production")}";
    const client = createClient({ key: "${key}", baseUrl: "${server.production}" });
    for await (const { name, categoryId } of client.pets.list())
      document.querySelector("p").textContent += name + " " + categoryId;
  </script>`;
  const elsewhere = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response(html, { headers: { "Content-Type": "text/html" } }),
  });
  const browser = await openBrowser();
  const watched = await openPage(browser);
  await watched.page.goto(elsewhere.url.href);
  await watched.page.getByText("Fluffy 9007199254740993").waitFor();
  expectClean(watched);
  await browser.close();
  await elsewhere.stop(true);
});

test("the ETag is the same for every Content-Encoding, and a match is answered 304", async () => {
  const address = moduleOf("staging");
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
