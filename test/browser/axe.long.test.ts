import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { axe } from "./browser.ts";
import { fillShop, screenPaths, visitOpened, visitScreens } from "./console-screens.ts";
import { createHostileNames } from "./hostile-names.ts";
import { collectFaults } from "./in-page.ts";
import { shopForTests } from "./shop.ts";

// axe on every screen and dialog of the console, in both themes and three widths.

const WIDTHS = [320, 768, 1280];

const shop = shopForTests();

function checkWithAxe() {
  const faults = collectFaults();
  let rules = 0;
  return {
    all: faults.all,
    rules: () => rules,
    async check(page: Page, where: string): Promise<void> {
      // With an open dialog, only the dialog is checked: the page is checked without it.
      const hasDialog = (await page.locator("dialog[open]").count()) > 0;
      for (const colorScheme of ["light", "dark"] as const) {
        // A colour in transition has the contrast of neither colour.
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          const { found, count } = await axe(page, hasDialog ? "dialog[open]" : undefined);
          faults.add(where, `${colorScheme}, ${width} px`, found);
          rules += count;
        }
      }
      await page.setViewportSize({ width: 1280, height: 900 });
    },
  };
}

test("axe finds nothing on any screen, with hostile names", async () => {
  const { inside, outside } = await screenPaths();
  const { check, all, rules } = checkWithAxe();
  const { production, staging } = await createHostileNames(shop.server);
  await visitScreens(shop.browser, shop, undefined, outside, check);
  await visitScreens(shop.browser, shop, production, inside, check);
  await visitScreens(shop.browser, { ...shop, environment: "staging" }, staging, inside, check);
  expect(all()).toEqual([]);
  console.log(`axe: 0 problems, ${rules()} rules met on ${outside.length + 2 * inside.length} pages`);
});

test("axe finds nothing in any dialog, list or refused form", async () => {
  const { inside } = await screenPaths();
  const { check, all } = checkWithAxe();
  const another = await shop.another();
  const { owner } = await fillShop(another);
  await visitOpened(shop.browser, another, owner, inside, check);
  expect(all()).toEqual([]);
});
