import { expect, test } from "bun:test";
import type { Page, Route } from "playwright-core";
import { PASSWORD } from "../wire/browser-session.ts";
import { axe } from "./browser.ts";
import { shopForTests } from "./shop.ts";

// Unsaved input, after the session has ended.

const shop = shopForTests();
const ada = shop.person();

const open = (path: string, steps: (page: Page) => Promise<void>) =>
  shop.open(path, { person: ada, width: 360 }, steps);

test("a session that ends meanwhile is told until the person has signed in, and what was typed is there again", async () => {
  const { body } = await ada.call("POST /pets", { name: "Rex", categoryId: 1 });
  const { id } = JSON.parse(body);
  await open(`/animals/${id}`, async (page) => {
    await page.clock.install();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
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
