import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { ADDRESSES } from "../../src/console/page.ts";
import { accountId } from "../wire/browser-session.ts";
import { consoleAddress, heading } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// Presses every button and follows every link as a person with the role of viewer. The service must not refuse any request that
// this causes.

const shop = shopForTests();
const owner = shop.person("owner@example.com");
const viewer = shop.person("vera@example.com");

/** Buttons that sign the person out or delete the account. The test does not press them. */
const LEAVING = /Sign out|Delete account/;

test("a viewer presses every button and follows every link of every page, and none is refused", async () => {
  await fillStore();
  await viewer.call("POST /keys", { name: "price display", access: "read" });
  await shop.open("/", { person: viewer }, async (page) => {
    const refused: string[] = [];
    page.on("response", (response) => {
      if (response.status() === 403) refused.push(`${response.request().method()} ${response.url()}`);
    });
    const links = new Set<string>();
    const pressed: string[] = [];
    for (const address of ADDRESSES.map((path) => path.replace(":id", "1"))) {
      await visit(page, address);
      for (const link of await page.locator("main a[href^='/'], nav a[href^='/']").all())
        links.add((await link.getAttribute("href")) ?? "");
      const count = await buttons(page).count();
      for (let index = 0; index < count; index++) {
        const name = await press(page, address, index);
        if (name !== undefined) pressed.push(`${address}: ${name}`);
        expect({ address, name, refused }).toEqual({ address, name, refused: [] });
      }
    }
    expect(pressed).toContain("/keys: New key");
    for (const link of links) {
      await page.goto(consoleAddress(shop.server) + link);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      expect([link, await page.getByRole("heading", { level: 1 }).first().textContent()]).not.toEqual([
        link,
        "Not allowed",
      ]);
    }
    console.log(`a viewer pressed ${pressed.length} buttons and followed ${links.size} links`);
    for (const [path, who] of [
      ["/animals/new", "staff and owners"],
      ["/animals/import", "staff and owners"],
      ["/people", "owners"],
      ["/audit", "owners"],
      ["/webhooks", "owners"],
      ["/webhooks/1", "owners"],
    ] as const) {
      await visit(page, path);
      await heading(page, "Not allowed");
      await page.getByText(`This page is for ${who}.`).waitFor();
    }
    expect(refused).toEqual([]);
  });
});

async function fillStore(): Promise<void> {
  await owner.call(`PATCH /accounts/${await accountId(owner, "vera@example.com")}`, { role: "viewer" });
  for (const name of ["Fluffy", "Rex", "Tofu"])
    await owner.call("POST /pets", { name, categoryId: 1, status: "available" });
  await owner.call("POST /categories", { name: "Cats" });
  await owner.call("POST /store/orders", { petId: 1, shipDate: "2020-01-02T12:00:00Z" });
  await owner.call("POST /messages", { message: "hello" });
  await owner.call("POST /webhooks", { url: "https://example.com/", types: ["pet.created"] });
}

const buttons = (page: Page): Locator => page.locator("main button:enabled:visible");

async function visit(page: Page, address: string): Promise<void> {
  await page.goto(consoleAddress(shop.server) + address);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.locator("main .loading, main [aria-busy=true]").first().waitFor({ state: "detached" });
}

/** Opens a page, fills in every field, and presses one button. If a menu or a dialog opens, presses a button in it as well. */
async function press(page: Page, address: string, index: number): Promise<string | undefined> {
  await visit(page, address);
  const button = buttons(page).nth(index);
  if ((await button.count()) === 0) return undefined;
  const name = (await button.getAttribute("aria-label")) ?? (await button.textContent()) ?? "";
  if (LEAVING.test(name)) return undefined;
  for (const field of await page
    .locator("main input:is([type=text], [type=email], :not([type])):visible")
    .all())
    await field.fill("x@example.com");
  await button.click();
  const items = await page.locator("[popover]:popover-open button").all();
  if (items.length > 0) await items.at(-1)?.click();
  const name_ = page.locator("dialog[open] input[name=name]");
  if ((await name_.count()) > 0) await name_.fill("x");
  const confirm = page.locator("dialog[open] .actions button").first();
  if ((await confirm.count()) > 0) await confirm.click();
  await page.waitForLoadState("networkidle");
  return name;
}
