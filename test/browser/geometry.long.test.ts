import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { signUpPerson } from "./console-page.ts";
import { countDialogs, fillShop, screenPaths, visitOpened, visitScreens } from "./console-screens.ts";
import { createHostileNames } from "./hostile-names.ts";
import { collectFaults, findFaults } from "./in-page.ts";
import { shopForTests } from "./shop.ts";

// Every screen and dialog of the console at eight widths: nothing leaves its frame or the viewport, dialogs are centred.

const WIDTHS = [320, 360, 480, 768, 1024, 1280, 1504, 1920];

const shop = shopForTests();

function checkAtAllWidths() {
  const faults = collectFaults();
  return {
    faults: faults.all,
    async check(page: Page, where: string): Promise<void> {
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        faults.add(where, `${width} px`, await findFaults(page, "findGeometryFaults"));
      }
    },
  };
}

test("without data, and outside", async () => {
  const { inside, outside } = await screenPaths();
  expect([inside.length > 12, outside.length > 3]).toEqual([true, true]);
  const { faults, check } = checkAtAllWidths();
  await visitScreens(shop.browser, shop, undefined, outside, check);
  await visitScreens(shop.browser, shop, await signUpPerson(shop.server), inside, check);
  expect(faults()).toEqual([]);
});

test("with ordinary names, as owner, staff and viewer, in staging", async () => {
  const { inside } = await screenPaths();
  const { faults, check } = checkAtAllWidths();
  const another = await shop.another("staging");
  const people = await fillShop(another);
  for (const person of Object.values(people))
    await visitScreens(shop.browser, another, person, inside, check);
  expect(faults()).toEqual([]);
});

test("with hostile names, and every dialog", async () => {
  const { inside } = await screenPaths();
  const { faults, check } = checkAtAllWidths();
  const another = await shop.another();
  const { production: owner } = await createHostileNames(another.server);
  await visitScreens(shop.browser, another, owner, inside, check);
  const dialogs = await visitOpened(shop.browser, another, owner, inside, check);
  expect(faults()).toEqual([]);
  // A dialog that no form or button of these pages opens needs its own step here.
  expect([dialogs, dialogs.length]).toEqual([dialogs, await countDialogs()]);
});
