import { beforeAll, expect, test } from "bun:test";
import { createClient } from "../../client/src/client.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { noRows } from "../../src/storage/statement.ts";
import { userWithKey } from "../wire/remote.ts";
import { makeKey } from "../wire/server.ts";
import { row } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// A search of 45,000 animals, of which the oldest alone matches: a request looks at 20,000, and each program follows `next`.

const shop = shopForTests();
const ada = shop.person();

beforeAll(async () => {
  await ada.call("POST /pets", { name: "Rare One", categoryId: 1 });
  const { dataDir } = shop.server.store;
  const database = await openDatabase("production", { dataDir });
  const sql = `INSERT INTO pet (name, category_id) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
    SELECT 'Common ' || i, 1 FROM n`;
  for (let count = 0; count < 9; count++) await database.run({ sql, decode: noRows }, []);
  await database.close();
}, 60_000);

test("the client finds it, and a signal ends the search", async () => {
  const { store, production } = shop.server;
  const client = createClient({ key: await makeKey(store), baseUrl: production, messagesUrl: production });
  expect(await client.pets.list({ name: "rare" }).toArray({ limit: 1 })).toMatchObject([
    { name: "Rare One" },
  ]);
  const stop = new AbortController();
  const pages = client.pets.list({ name: "rare" }, { signal: stop.signal }).pages();
  const seen: number[] = [];
  const search = (async () => {
    for await (const page of pages) {
      seen.push(page.length);
      stop.abort();
    }
  })();
  await expect(search).rejects.toThrow();
  expect(seen).toEqual([0]);
});

test("the command finds it", async () => {
  const user = await userWithKey(shop.server);
  const { code, out, err } = await user.run(["pets", "list", "--name", "rare", "-o", "id"]);
  expect([code, out, err]).toEqual([0, "1\n", ""]);
});

test("the console finds it, shows how far it is, and can be stopped and continued", async () => {
  await shop.open("/animals", { person: ada }, async (page) => {
    const held = Promise.withResolvers<void>();
    await page.route("**/console/api/pets?*name=rare*cursor=*", async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.getByLabel("Name or number").fill("rare");
    await page.getByText("Looked at about 20,000 animals so far.").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    held.resolve();
    await page.getByRole("button", { name: "Search further" }).click();
    await row(page, "Rare One").waitFor();
    expect(await page.getByText("Looked at about").count()).toBe(0);
  });
});
