import { Database as Connection } from "bun:sqlite";
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { until } from "../until.ts";
import { settingsOf } from "../wire/backups.ts";
import { accountId, BEHIND_PROXY, signUp } from "../wire/browser-session.ts";
import { startServer } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";
import {
  type ConsolePageOptions,
  consoleAddress,
  expectNoFaults,
  resize,
  waitUntil,
  withConsolePage,
} from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// Tests the shop's overview: its sales, its notices, and the past month as bars and as a table.

const shop = shopForTests();
const owner = shop.person("owner@example.com");

const open = (options: ConsolePageOptions, steps: Parameters<typeof shop.open>[2]) =>
  shop.open("/", { person: owner, ...options }, steps);
const region = (page: Page, name: string) => page.getByRole("region", { name });
const made = async (request: string, body: unknown) => (await owner.call(request, body)).json;

/** Moves all events and orders to noon of the day that is `daysAgo` days ago, unless they are already older. */
function backdate(daysAgo: number): void {
  const connection = new Connection(`${shop.server.store.dataDir}/production.sqlite`);
  connection.run("PRAGMA busy_timeout = 5000");
  const noon = new Date().setHours(12, 0, 0, 0) - daysAgo * 86_400_000;
  for (const table of ["event", "store_order"])
    connection.run(`UPDATE ${table} SET created_at = ?1 WHERE created_at > ?1`, [noon]);
  connection.close();
}

const figures = async (page: Page) =>
  (await region(page, "Figures").locator(".card").allInnerTexts()).map((text) =>
    text.split(/\n+/).filter(Boolean).join("|"),
  );
const headings = (page: Page) => page.getByRole("heading", { level: 2 }).allTextContents();

const emptyShop = shopForTests();
const founder = emptyShop.person("founder@example.com");

test("an empty shop offers three ways to begin, and shows no empty tables", async () => {
  await emptyShop.open("/", { person: founder, width: 320 }, async (page) => {
    const ways = page.locator(".empty").getByRole("link");
    await page.getByText("No animals yet.").waitFor();
    const sample = "Try a sample shop in staging";
    expect(await ways.allTextContents()).toEqual(["Add an animal", "Import a list", sample]);
    const rehearsal = `${consoleAddress(emptyShop.server, "staging")}/rehearsal`;
    expect(await ways.last().getAttribute("href")).toBe(rehearsal);
    const nothingElse = async () =>
      expect([await headings(page), await region(page, "Figures").count()]).toEqual([["No animals yet."], 0]);
    await nothingElse();
    await expectNoFaults(page);
    // The overview of an empty shop says only "No animals yet.", even while the list of changes is still loading.
    const held = Promise.withResolvers<void>();
    await page.route(/\/activity\?/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.reload();
    await page.getByText("No animals yet.").waitFor();
    await nothingElse();
    held.resolve();
    await founder.call("POST /pets", { name: "Fluffy", categoryId: 1, status: "available" });
    await page.getByText("No animals yet.").waitFor({ state: "detached" });
    await page.getByText("Added 1").waitFor();
    expect(await figures(page)).toEqual(["Sold today|0", "Sold in 7 days|0", "Open orders|0", "Available|1"]);
  });
});

test("a sale is counted at once and appears in the bars and the table of the month", async () => {
  await made("POST /pets", { name: "Fluffy", categoryId: 1, status: "available" });
  backdate(9);
  const { id } = await made("POST /store/orders", { petId: 1 });
  await open({ width: 320 }, async (page) => {
    await region(page, "Figures").getByText("Open orders").waitFor();
    const before = ["Sold today|0|0 yesterday", "Sold in 7 days|0", "Open orders|1", "Available|0"];
    expect(await figures(page)).toEqual(before);
    await owner.call(`POST /store/orders/${id}/complete`);
    await region(page, "Figures").getByText("1").first().waitFor();
    await waitUntil(page, async () => (await figures(page))[0] === "Sold today|1|0 yesterday");
    expect((await figures(page))[1]).toBe("Sold in 7 days|1");
    const month = page.getByRole("region", { name: /^Since / });
    const bars = (kind: string) => month.locator(`path.${kind}`).getAttribute("d");
    expect([await bars("sold"), await bars("added")]).toEqual([
      "M363 110V82.5h6V110z",
      "M253 110V82.5h10V110z",
    ]);
    const [today, first] = [month.locator(".day title").last(), month.locator(".day title").first()];
    expect([await today.textContent(), await first.textContent()]).toEqual([
      expect.stringMatching(/: 1 sold, 0 added$/),
      expect.stringMatching(/: 0 sold, 1 added$/),
    ]);
    for (const width of [320, 390, 768, 1280, 1920]) {
      await resize(page, { width, height: 900 });
      const size: number = await page.evaluate(CHART_FONT_SIZE);
      expect([width, size, size >= 11.5 && size <= 15]).toEqual([width, size, true]);
    }
    await resize(page, { width: 320, height: 900 });
    await page.emulateMedia({ forcedColors: "active" });
    const isText = `getComputedStyle(document.querySelector(".month")).fill ===
      getComputedStyle(document.body).color`;
    expect(await page.evaluate(isText)).toBe(true);
    await page.emulateMedia({ forcedColors: "none" });
    await month.getByText("Show as table").click();
    const rows = await month.getByRole("row").allTextContents();
    expect(rows).toHaveLength(11);
    expect(rows[1]).toEndWith("10");
    expect(rows.at(-1)).toEndWith("01");
    expect(await month.getByRole("cell").first().locator("[data-label]").getAttribute("data-label")).toBe(
      "Sold",
    );
    await expectNoFaults(page);
  });
});

/** JavaScript that returns the font size in the chart in CSS pixels, after the chart has been scaled to the width of its card. */
const CHART_FONT_SIZE = `(() => {
  const text = document.querySelector(".month text");
  return parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a;
})()`;

const stockedShop = shopForTests();
const keeper = stockedShop.person("keeper@example.com");

test("the available animals with the lowest numbers are in stock longest, for 90+ days if their event is gone", async () => {
  for (const name of ["Old", "Sold", "Kept", "New", "Fifth", "Sixth", "Seventh"])
    await keeper.call("POST /pets", {
      name,
      categoryId: 1,
      status: name === "Sold" ? "sold" : "available",
    });
  const connection = new Connection(`${stockedShop.server.store.dataDir}/production.sqlite`);
  connection.run("PRAGMA busy_timeout = 5000");
  connection.run("DELETE FROM event WHERE pet_id = 1");
  connection.run("UPDATE event SET created_at = created_at - 23 * 86400000 WHERE pet_id = 3");
  connection.close();
  await stockedShop.open("/", { person: keeper }, async (page) => {
    const animals = region(page, "In stock longest").getByRole("listitem");
    await animals.first().waitFor();
    const texts = (await animals.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));
    expect(texts).toEqual([
      "Old Category 1 90+ days",
      "Kept Category 1 23 days",
      ...["New", "Fifth", "Sixth"].map((name) => `${name} Category 1 today`),
    ]);
  });
});

test.each(["Asia/Kolkata", "Pacific/Auckland", "America/New_York"])(
  "the days of the month begin at midnight in the time zone %s, even if clocks have changed in that month",
  async (timeZone) => {
    const time = new Intl.DateTimeFormat("en-GB", { timeZone, dateStyle: "short", timeStyle: "medium" });
    const date = new Intl.DateTimeFormat("en-CA", { timeZone });
    // In the month before each of these dates, daylight saving time begins or ends in New York or in Auckland.
    for (const now of ["2026-04-05T11:59:00Z", "2026-04-05T12:01:00Z", "2026-11-15T04:59:00Z"])
      await open({ timeZone }, async (page, { requests }) => {
        await page.clock.setFixedTime(now);
        await page.reload();
        await region(page, "Figures").waitFor();
        const request = requests.filter((one) => one.includes("/overview?")).at(-1) ?? "";
        const query = new URL(request.split(" ")[1] ?? "").searchParams.get("days") ?? "";
        const days = query.split(",").map(Number);
        expect(days.map((day) => time.format(day).slice(-8))).toEqual(Array(31).fill("00:00:00"));
        const noon = Date.parse(`${date.format(new Date(now))}T12:00:00Z`);
        const dates = Array.from({ length: 31 }, (_, index) =>
          new Date(noon - (30 - index) * 86_400_000).toISOString().slice(0, 10),
        );
        expect(days.map((day) => date.format(day))).toEqual(dates);
      });
  },
);

test("each notice leads to what needs attention, and a viewer sees only the notices for that role", async () => {
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
    const list = region(page, "To do");
    await list.getByText("due on").waitFor();
    return list.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  };
  const orders = [
    ...[`/animals/${petId}`, `/orders?for=${petId}`],
    ...[`/animals/${waiting}`, `/orders?for=${waiting}`, `/animals/${forgotten}`],
  ];
  for (const theme of ["light", "dark"] as const) {
    await open({ theme, width: 320 }, async (page) => {
      expect(await targets(page)).toEqual([...orders, `/webhooks/${hook.id}`, "/keys"]);
      await page.getByText(/opened [34] days ago/).waitFor();
      expect((await headings(page))[0]).toBe("To do");
      await expectNoFaults(page);
    });
  }
  await open({}, async (page) => {
    const tasks = region(page, "To do").getByRole("listitem");
    await tasks.filter({ hasText: "Nobody's" }).getByRole("button", { name: "Make available" }).click();
    await tasks.filter({ hasText: "Nobody's" }).waitFor({ state: "detached" });
    await region(page, "In stock longest").getByText("Nobody's").waitFor();
    await region(page, "Available by category").getByRole("link", { name: "Category 1" }).waitFor();
  });
  const staff = await signUp(shop.server, "staff@example.com");
  await owner.call(`POST /accounts/${await accountId(owner, "staff@example.com")}/reset-link`);
  await open({ person: staff }, async (page) => {
    expect(await targets(page)).toEqual(["/account", ...orders.slice(0, -1)]);
    const notice = /^owner@example.com created a link to set your password, on .* change your password/;
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
    const notices = region(page, "To do").getByRole("listitem");
    await notices.first().waitFor();
    expect(await notices.allTextContents()).toEqual([
      "Damage was found in the database staging. To see what to do, run petstore doctor --deep on the service's machine.",
    ]);
    await expectNoFaults(page);
  });
  await server.stop();
});
