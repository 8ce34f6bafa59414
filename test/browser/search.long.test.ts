import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openDatabase } from "../../src/storage/open.ts";
import { noRows } from "../../src/storage/statement.ts";
import { row, waitUntil } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// Tests a search among 45,000 animals, of which only the oldest matches. One request searches 20,000 animals, so the page has to
// send several requests.

const shop = shopForTests();
const ada = shop.person();

beforeAll(async () => {
  await ada.call("POST /pets", { name: "Rare One", categoryId: 1, status: "available" });
  const { dataDir } = shop.server.store;
  const database = await openDatabase("production", { dataDir });
  const sql = `INSERT INTO pet (name, category_id, status) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
    SELECT 'Common ' || i, 1, 'available' FROM n`;
  for (let count = 0; count < 9; count++) await database.run({ sql, decode: noRows }, []);
  await database.close();
});

test("the order form finds the animal", async () => {
  await shop.open("/orders?animal=", { person: ada }, async (page) => {
    await page.getByRole("combobox", { name: "Animal" }).fill("rare");
    await page.getByRole("option", { name: "Rare One" }).waitFor();
  });
});

test("the console finds the animal, changes do not restart the search, and the oldest match is updated live", async () => {
  const { id } = (await ada.call("POST /pets", { name: "Rare Two", categoryId: 1 })).json;
  await shop.open("/animals", { person: ada }, async (page) => {
    const asked = await holdSearch(page);
    await page.getByLabel("Name or number").fill("rare");
    await waitUntil(page, async () => asked.cursors.length === 1);
    await ada.call(`PATCH /pets/${id}`, { status: "sold" });
    await ada.call("POST /pets", { name: "Rare Three", categoryId: 1 });
    asked.release();
    await row(page, "Rare One").waitFor();
    await row(page, "Rare Two").getByText("Sold").waitFor();
    await page.getByRole("button", { name: "1 new animal" }).waitFor();
    expect(asked.cursors.length).toBe(2);
    await ada.call("PATCH /pets/1", { status: "pending" });
    await row(page, "Rare One").getByText("Pending").waitFor();
    expect(asked.cursors.length).toBe(2);
  });
});

/** Lets the first request of a search pass, and delays all later ones until the test releases them. */
async function holdSearch(page: Page) {
  const released = Promise.withResolvers<void>();
  const cursors: string[] = [];
  await page.route("**/console/api/pets?*name=rare*cursor=*", async (route) => {
    cursors.push(route.request().url());
    await released.promise;
    // Continuing the request fails if the page has already aborted its search. That error is ignored.
    await route.continue().catch(() => {});
  });
  return { cursors, release: () => released.resolve() };
}
