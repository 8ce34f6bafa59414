import { expect, test } from "bun:test";
import { send } from "../wire/send.ts";
import { makeKey } from "../wire/server.ts";
import { expectClean, openPage } from "./browser.ts";
import { shopForTests } from "./shop.ts";

// A store serves the client of its own version, to pages of any origin.

const shop = shopForTests();

test("a page of another origin imports the module, and lists animals with it", async () => {
  const { store, production } = shop.server;
  const key = await makeKey(store);
  const body = '{"name":"Fluffy","categoryId":9007199254740993}';
  expect((await send("POST", `${production}/pets`, { key, body })).status).toBe(201);
  const html = `<!doctype html><title>Shop</title><link rel="icon" href="data:,"><p></p><script type="module">
    import { createClient } from "${new URL(production).origin}/docs/client.js";
    const client = createClient({ key: "${key}", baseUrl: "${production}" });
    for await (const { name, categoryId } of client.pets.list())
      document.querySelector("p").textContent += name + " " + categoryId;
  </script>`;
  const elsewhere = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response(html, { headers: { "Content-Type": "text/html" } }),
  });
  const watched = await openPage(shop.browser);
  await watched.page.goto(elsewhere.url.href);
  await watched.page.getByText("Fluffy 9007199254740993").waitFor();
  expectClean(watched);
  await watched.close();
  await elsewhere.stop(true);
});
