import { Database as Connection } from "bun:sqlite";
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { until } from "../until.ts";
import { settingsOf } from "../wire/backups.ts";
import { accountId, BEHIND_PROXY, signUp } from "../wire/browser-session.ts";
import { startServer } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";
import { type ConsolePageOptions, consoleAddress, expectNoFaults, withConsolePage } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// The overview for the shop: sales, notices, and the month as bars and as a table.

const shop = shopForTests();
const owner = shop.person("owner@example.com");

const open = (options: ConsolePageOptions, steps: (page: Page) => Promise<void>) =>
  shop.open("/", { person: owner, ...options }, steps);
const region = (page: Page, name: string) => page.getByRole("region", { name });
const made = async (request: string, body: unknown) => (await owner.call(request, body)).json;

/** Backdates all later events and orders to noon, `daysAgo` days ago. */
function backdate(daysAgo: number): void {
  const connection = new Connection(`${shop.server.store.dataDir}/production.sqlite`);
  connection.run("PRAGMA busy_timeout = 5000");
  const noon = new Date().setHours(12, 0, 0, 0) - daysAgo * 86_400_000;
  for (const table of ["event", "store_order"])
    connection.run(`UPDATE ${table} SET created_at = ?1 WHERE created_at > ?1`, [noon]);
  connection.close();
}

const figures = (page: Page) => region(page, "Figures").locator("div").allInnerTexts();
const headings = (page: Page) => page.getByRole("heading", { level: 2 }).allTextContents();

test("an empty shop offers three ways in, and nothing that is empty", async () => {
  await open({ width: 320 }, async (page) => {
    const ways = page.getByRole("main").getByRole("link");
    await page.getByText("No animals yet.").waitFor();
    const sample = "Try a sample shop in staging";
    expect(await ways.allTextContents()).toEqual(["Add an animal", "Import a list", sample]);
    const rehearsal = `${consoleAddress(shop.server, "staging")}/rehearsal`;
    expect(await ways.last().getAttribute("href")).toBe(rehearsal);
    expect([await headings(page), await region(page, "Figures").count()]).toEqual([[], 0]);
    await expectNoFaults(page);
    await made("POST /pets", { name: "Fluffy", categoryId: 1, status: "available" });
    await page.getByText("No animals yet.").waitFor({ state: "detached" });
    await page.getByText("Added: 1").waitFor();
    expect(await figures(page)).toEqual(["Available\n1"]);
  });
});

test("a sale counts at once; the month has it as a bar and in a table, since the history begins", async () => {
  backdate(9);
  const { id } = await made("POST /store/orders", { petId: 1 });
  await open({ width: 320 }, async (page) => {
    await region(page, "Figures").getByText("Open orders").waitFor();
    expect(await figures(page)).toEqual(["Open orders\n1", "Pending\n1"]);
    await owner.call(`POST /store/orders/${id}/complete`);
    await region(page, "Figures").getByText("Sold today").waitFor();
    expect(await figures(page)).toEqual(["Sold today\n1", "Sold in 7 days\n1", "Sold\n1"]);
    const month = page.getByRole("region", { name: /^Since / });
    const [sales, additions] = await month
      .locator("path")
      .evaluateAll((paths) => paths.map((path) => path.getAttribute("d")?.match(/M.*?z/g)));
    expect([sales?.length, sales?.at(-1)]).toEqual([10, "M301 40v-40h8v40z"]);
    expect([additions?.length, additions?.[0]]).toEqual([10, "M211 40v-40h8v40z"]);
    await page.emulateMedia({ forcedColors: "active" });
    const isText = `getComputedStyle(document.querySelector(".month-bars")).fill ===
      getComputedStyle(document.body).color`;
    expect(await page.evaluate(isText)).toBe(true);
    await page.emulateMedia({ forcedColors: "none" });
    await month.getByText("Show as table").click();
    const rows = await month.getByRole("row").allTextContents();
    expect(rows).toHaveLength(11);
    expect(rows[1]).toEndWith("10");
    expect(rows.at(-1)).toEndWith("01");
    await expectNoFaults(page);
  });
});

test("what needs attention leads there, and a viewer sees what their role may", async () => {
  await open({}, async (page) => {
    await region(page, "Latest changes").waitFor();
    expect(await headings(page)).toEqual([expect.stringMatching(/^Since /), "Latest changes"]);
  });
  const add = async (name: string, status = "available") =>
    (await made("POST /pets", { name, categoryId: 1, status })).id;
  const petId = await add("Late");
  await made("POST /store/orders", { petId, shipDate: "2026-01-02T12:00:00Z" });
  const waiting = await add("Waiting");
  await made("POST /store/orders", { petId: waiting });
  const forgotten = await add("Nobody's", "pending");
  backdate(4);
  await add("Just now", "pending");
  const soon = new Date(Date.now() + 5 * 86_400_000).toISOString();
  await made("POST /keys", { name: "till", expiresAt: soon });
  const hook = await made("POST /webhooks", { url: "https://example.com/hook", types: ["pet.created"] });
  await owner.call(`PATCH /webhooks/${hook.id}`, { status: "disabled" });
  const targets = async (page: Page) => {
    const list = region(page, "Needs attention");
    await list.getByText("should have been shipped on").waitFor();
    return list.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  };
  const orders = [`/orders?for=${petId}`, `/orders?for=${waiting}`, `/animals/${forgotten}`];
  for (const theme of ["light", "dark"] as const) {
    await open({ theme, width: 320 }, async (page) => {
      expect(await targets(page)).toEqual([...orders, `/webhooks/${hook.id}`, "/keys"]);
      await page.getByText("has been open for more than 3 days").waitFor();
      expect((await headings(page))[0]).toBe("Needs attention");
      await expectNoFaults(page);
    });
  }
  const staff = await signUp(shop.server, "staff@example.com");
  await owner.call(`POST /accounts/${await accountId(owner, "staff@example.com")}/reset-link`);
  await open({ person: staff }, async (page) => {
    expect(await targets(page)).toEqual(["/account", ...orders]);
    const notice = /^owner@example.com made a link to set your password, on .* change your password/;
    await page.getByText(notice).waitFor();
  });
});

test("damage in a database is a notice to owners, with the command that says what to do", async () => {
  const store = await freshEmbeddedStore();
  const env = { ...BEHIND_PROXY, ...settingsOf(`${store.dataDir}/backups`) };
  const server = await startServer({ store, env });
  const person = await signUp(server, "owner@example.com");
  const staging = new Connection(`${store.dataDir}/staging.sqlite`);
  staging.run("INSERT INTO pet (name, category_id) VALUES (CAST(x'ff' AS TEXT), 1)");
  staging.close();
  await until(async () => (await person.call("GET /overview")).body.includes('"damaged":["staging"]'));
  await withConsolePage(shop.browser, server, "/", { person, width: 320 }, async (page) => {
    const notices = region(page, "Needs attention").getByRole("listitem");
    await notices.first().waitFor();
    expect(await notices.allTextContents()).toEqual([
      "Damage was found in the database staging. To see what to do, run petstore doctor --deep on the service's machine.",
    ]);
    await expectNoFaults(page);
  });
  await server.stop();
});
