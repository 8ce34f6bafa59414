import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type RemoteUser, userWithKey } from "../wire/remote.ts";
import { hold, pressEnterTwice } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

const shop = shopForTests();
const ada = shop.person();
let user: RemoteUser;
beforeAll(async () => {
  user = await userWithKey(shop.server);
  const lines = Array.from({ length: 250 }, (_, index) => `Animal ${index},${index % 2},sold\n`);
  const unusual = '"Ada, ""the 1st""\r\nof her name",9223372036854775807,\n=1+1,9007199254740993,available\n';
  await user.run(["pets", "import", "-"], `name,categoryId,status\n${lines.join("")}${unusual}`);
});

const open = (path: string, steps: (page: Page) => Promise<void>) => shop.open(path, { person: ada }, steps);

async function exported(page: Page): Promise<string> {
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^animals-\d{4}-\d\d-\d\d\.csv$/);
  return Bun.file(await download.path()).text();
}

test("the animals that match the filter are saved byte for byte as by the command line", async () => {
  for (const [address, flags] of [
    ["/animals", []],
    ["/animals?status=sold&category=1", ["--status", "sold", "--category", "1"]],
    ["/animals?status=none", ["--status", "none"]],
    ["/animals?category=404", ["--category", "404"]],
  ] as const) {
    await open(address, async (page) => {
      const { out } = await user.run(["pets", "export", "--safe", ...flags]);
      expect(await exported(page)).toBe(out);
    });
  }
});

test("an export is cancelled by its button, waits for a rate limit, and says why it failed", async () => {
  await open("/animals", async (page) => {
    const second = Promise.withResolvers<void>();
    await page.route(/cursor=/, () => second.resolve());
    await page.getByRole("button", { name: "Export CSV" }).click();
    await second.promise;
    await page.getByRole("button", { name: "Cancel export (100)" }).click();
    await page.getByRole("button", { name: "Export CSV" }).waitFor();
    await page.getByRole("status").getByText("Export cancelled").waitFor();
    await page.unroute(/cursor=/);

    const limited = { status: 429, headers: { "Retry-After": "1" }, body: "" };
    await page.route(/cursor=/, (route) => route.fulfill(limited), { times: 1 });
    expect((await exported(page)).split("\r\n")).toHaveLength(254);

    const body = JSON.stringify({ status: 403, code: "forbidden", detail: "Not for you." });
    await page.route(/cursor=/, (route) => route.fulfill({ status: 403, body }));
    await page.getByRole("button", { name: "Export CSV" }).click();
    await page.getByRole("status").getByText("Nothing was exported. Not for you.").waitFor();
  });
});

test("an export whose button is pressed twice is saved once, and not cancelled", async () => {
  await open("/animals", async (page) => {
    const saved: string[] = [];
    page.on("download", (download) => saved.push(download.suggestedFilename()));
    const button = page.getByRole("button", { name: /^(Export CSV|Cancel export)/ });
    await page.clock.install();
    for (const press of [() => button.dblclick(), () => pressEnterTwice(button)]) {
      const release = await hold(page, /cursor=/);
      await button.focus();
      // The clock is stopped, so that all presses come soon after the first, even on a busy machine.
      await page.clock.pauseAt(((await page.evaluate("Date.now()")) as number) + 10_000);
      await press();
      await page.getByRole("button", { name: "Cancel export" }).waitFor();
      const downloading = page.waitForEvent("download");
      release();
      await downloading;
      await page.getByRole("button", { name: "Export CSV" }).waitFor();
      await button.click({ force: true });
      await page.unroute(/cursor=/);
      await page.clock.resume();
      await page.getByRole("button", { name: "Export CSV", disabled: false }).waitFor();
    }
    expect(saved).toHaveLength(2);
  });
});

test("categories, orders and a template for the import are saved as files for a spreadsheet", async () => {
  await ada.call("POST /categories", { name: "=Fish", description: "Wet" });
  for (const [address, name, head] of [
    ["/categories", "Export CSV", "Number,Name (safe),Description (safe),Created"],
    ["/orders", "Export CSV", "Order,Animal ID,Quantity,State,Placed,Ships,Completed"],
    ["/animals/import", "Download template", "Name,Category,Status,Own number"],
  ] as const)
    await open(address, async (page) => {
      const downloading = page.waitForEvent("download");
      await page.getByRole("button", { name }).click();
      const bytes = await Bun.file(await (await downloading).path()).bytes();
      expect(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)).toStartWith(`\ufeff${head}\r\n`);
    });
});
