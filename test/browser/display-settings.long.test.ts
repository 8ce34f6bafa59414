import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { fillShop, screenPaths, visitOpened, visitScreens } from "./console-screens.ts";
import { createHostileNames } from "./hostile-names.ts";
import { collectFaults, findFaults } from "./in-page.ts";
import { shopForTests } from "./shop.ts";

// Settings of the browser or system: larger text, a zoom of 400 %, more space between letters and lines, forced colours,
// reduced motion. Nothing is cut off or covered, and the focus is visible.

const shop = shopForTests();

/** WCAG 2.2, 1.4.12. A style sheet made by a script is not subject to the page's policy. */
const TEXT_SPACING = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(\`* {
    line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important;
  }
  p { margin-block-end: 2em !important; }\`);
  document.adoptedStyleSheets.push(sheet);
})()`;

type Faults = ReturnType<typeof collectFaults>;

async function checkAll(faults: Faults, page: Page, where: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const look = async (how: string) => {
    faults.add(where, how, await findFaults(page, "findGeometryFaults"));
    faults.add(where, how, await findFaults(page, "findOverlaps"));
  };

  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ forcedColors: "active" });
  faults.add(where, "forced colours", await findFaults(page, "findForcedColorFaults"));
  await page.emulateMedia({ forcedColors: "none", reducedMotion: "reduce" });
  faults.add(where, "reduced motion", await findFaults(page, "findMotion"));
  await look("as it is");

  // 1280 × 1024 at 400 %.
  await page.setViewportSize({ width: 320, height: 256 });
  await look("400 %");

  for (const width of [768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await devtools.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
    await look(`text of 200 %, ${width} px`);
    await devtools.send("Page.setFontSizes", { fontSizes: { standard: 16, fixed: 13 } });
  }

  await page.evaluate(TEXT_SPACING);
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await look(`text spacing, ${width} px`);
  }
  await page.evaluate("document.adoptedStyleSheets.pop()");
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await devtools.detach();
}

test("every screen, with hostile names", async () => {
  const { inside, outside } = await screenPaths();
  const faults = collectFaults();
  const check = (page: Page, where: string) => checkAll(faults, page, where);
  const { production: owner } = await createHostileNames(shop.server);
  await visitScreens(shop.browser, shop, undefined, outside, check);
  await visitScreens(shop.browser, shop, owner, inside, check);
  expect(faults.all()).toEqual([]);
});

test("every dialog and list, with ordinary names", async () => {
  const { inside } = await screenPaths();
  const another = await shop.another();
  const faults = collectFaults();
  const { owner } = await fillShop(another);
  await visitOpened(shop.browser, another, owner, inside, (page, where) => checkAll(faults, page, where));
  expect(faults.all()).toEqual([]);
});
