import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { axe, openBrowser } from "./browser.ts";
import { withConsolePage } from "./console-page.ts";
import {
  fillShop,
  openShop,
  type Shop,
  screenPaths,
  settled,
  visitOpened,
  visitScreens,
} from "./console-screens.ts";
import { createHostileNames } from "./hostile-names.ts";
import { collectFaults } from "./in-page.ts";

// axe on every screen and dialog of the console, in both themes and three widths; and when the overview is painted.

setDefaultTimeout(900_000);

const WIDTHS = [320, 768, 1280];

let shop: Shop;
let browser: Browser;
beforeAll(async () => {
  shop = await openShop();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await shop?.server.stop();
});

function checkWithAxe() {
  const faults = collectFaults();
  let rules = 0;
  return {
    all: faults.all,
    rules: () => rules,
    async check(page: Page, where: string): Promise<void> {
      // What is behind a dialog is checked without it.
      const hasDialog = (await page.locator("dialog[open]").count()) > 0;
      for (const colorScheme of ["light", "dark"] as const) {
        // A colour that is on its way to another one has neither's contrast.
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
  await visitScreens(browser, shop, undefined, outside, check);
  await visitScreens(browser, shop, production, inside, check);
  await visitScreens(browser, { ...shop, environment: "staging" }, staging, inside, check);
  expect(all()).toEqual([]);
  console.log(`axe: 0 problems, ${rules()} rules met on ${outside.length + 2 * inside.length} pages`);
});

test("axe finds nothing in any dialog, list or refused form", async () => {
  const { inside } = await screenPaths();
  const { check, all } = checkWithAxe();
  const another = await openShop();
  const { owner } = await fillShop(another);
  await visitOpened(browser, another, owner, inside, check);
  await another.server.stop();
  expect(all()).toEqual([]);
});

const LARGEST_PAINT = `new Promise((resolve) => {
  const observer = new PerformanceObserver((list) => resolve(Math.round(list.getEntries().at(-1).startTime)));
  observer.observe({ type: "largest-contentful-paint", buffered: true });
})`;

test("the largest paint of the overview and of the animals is measured", async () => {
  const another = await openShop();
  const { owner: person } = await fillShop(another);
  for (const path of ["/", "/animals"]) {
    const times: number[] = [];
    for (let visit = 0; visit < 7; visit++) {
      // Each with an empty cache.
      await withConsolePage(browser, another.server, path, { person }, async (page) => {
        await settled(page);
        times.push(await page.evaluate<number>(LARGEST_PAINT));
      });
    }
    times.sort((a, b) => a - b);
    console.log(`largest paint of ${path}: ${times[3]} ms, the median of ${times.join(", ")}`);
    expect(times).toHaveLength(7);
  }
  await another.server.stop();
});
