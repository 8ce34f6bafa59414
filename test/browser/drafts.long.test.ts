import { expect, test } from "bun:test";
import type { Page, Route } from "playwright-core";
import { PASSWORD } from "../wire/browser-session.ts";
import { axe } from "./browser.ts";
import { consoleAddress, expectNoFaults } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// Unsaved drafts: after a visit elsewhere, after the session has ended, and after others have changed the same resource.

const shop = shopForTests();
const ada = shop.person();

const open = (path: string, steps: (page: Page) => Promise<void>) =>
  shop.open(path, { person: ada, width: 360 }, steps);
const go = (page: Page, path: string) => page.goto(consoleAddress(shop.server) + path);

test("a draft says when it is from, and is dropped", async () => {
  await open("/animals/new", async (page) => {
    await page.clock.install({ time: "2026-11-21T14:02:00" });
    await go(page, "/animals/new");
    expect(await page.getByText("Draft from").count()).toBe(0);
    await page.getByLabel("Name").fill("Half a na");
    await page.clock.setSystemTime("2026-11-22T09:00:00");
    await go(page, "/animals/new");
    await page.getByText("Draft from Nov 21, 2026, 2:02 PM").waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("Half a na");
    await expectNoFaults(page);
    await page.getByRole("button", { name: "Discard" }).click();
    expect(await page.getByLabel("Name").inputValue()).toBe("");
    expect(await page.evaluate("document.activeElement.id")).toBe("new-pet-name");
    await page.reload();
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.getByText("Draft from").count()).toBe(0);
  });
});

test("a session that ends meanwhile is told until the person has signed in, and what was typed is there again", async () => {
  const { body } = await ada.call("POST /pets", { name: "Rex", categoryId: 1 });
  const { id } = JSON.parse(body);
  await open(`/animals/${id}`, async (page) => {
    await page.clock.install();
    await page.getByLabel("Name").fill("Rex the typed");
    // Cleared during the change: if cleared before the click, another request of the page could notice first.
    const clearCookies = async (change: Route) => {
      await page.context().clearCookies();
      await change.continue();
    };
    await page.route(`**/pets/${id}`, clearCookies, { times: 1 });
    await page.getByRole("button", { name: "Save changes" }).click();
    const reason = page.getByText("Your session has ended. Sign in to continue: what you typed is kept.");
    await reason.waitFor();
    await page.clock.fastForward(60_000);
    await reason.waitFor();
    expect((await axe(page)).found).toEqual([]);
    await page.getByLabel("Email").fill("ada@example.com");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Rex" }).waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("Rex the typed");
    expect(await reason.count()).toBe(0);
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByRole("status").getByText("Rex the typed saved").waitFor();
  });
});
