import { expect, test } from "bun:test";
import type { Route } from "playwright-core";
import { axe } from "./browser.ts";
import { heading, signInOn } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// If a person's session ends while they are typing, their unsaved text must survive.

const shop = shopForTests();
const ada = shop.person();

test("when a session ends while a form is open, the form is restored after the person signs in again", async () => {
  await ada.call("POST /pets", { name: "Rex", categoryId: 1 });
  await shop.open("/animals/1", { person: ada, width: 360 }, async (page) => {
    await page.clock.install();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await page.getByLabel("Name").fill("Rex the typed");
    // Ends the session while the change is being sent. If the session ended before the click, another request of the page could
    // notice it first.
    const clearCookies = async (change: Route) => {
      await page.context().clearCookies();
      await change.continue();
    };
    await page.route("**/pets/1", clearCookies, { times: 1 });
    await page.getByRole("button", { name: "Save changes" }).click();
    const reason = page.getByText("Your session has ended. Sign in to continue. Your text is kept.");
    await reason.waitFor();
    await page.clock.fastForward(60_000);
    await reason.waitFor();
    expect((await axe(page)).found).toEqual([]);
    await signInOn(page, "ada@example.com");
    await heading(page, "Rex");
    expect(await page.getByLabel("Name").inputValue()).toBe("Rex the typed");
    expect(await reason.count()).toBe(0);
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByRole("status").getByText("Rex the typed saved").waitFor();
  });
});
