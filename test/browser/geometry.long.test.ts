import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { BEHIND_PROXY } from "../wire/browser-session.ts";
import { freshEmbeddedStore, type Server, startServer } from "../wire/server.ts";
import { openBrowser } from "./browser.ts";
import { signUpPerson } from "./console-page.ts";
import {
  countDialogs,
  fillShop,
  type Shop,
  screenPaths,
  visitOpened,
  visitScreens,
} from "./console-screens.ts";
import { geometryFaults } from "./geometry.ts";
import { createHostileNames } from "./hostile-names.ts";

// Every screen and dialog of the console at eight widths: nothing leaves its frame or the viewport, dialogs are in the middle.

setDefaultTimeout(600_000);

const WIDTHS = [320, 360, 480, 768, 1024, 1280, 1504, 1920];

const servers: Server[] = [];
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  for (const server of servers) await server.stop();
});

async function openShop(environment: Shop["environment"] = "production"): Promise<Shop> {
  const server = await startServer({ store: await freshEmbeddedStore(), env: BEHIND_PROXY });
  servers.push(server);
  return { server, environment };
}

/** Collects the faults of all pages, so that one run shows them all, with the widths that have them. */
function collectFaults() {
  const widthsOf = new Map<string, number[]>();
  return {
    faults: () => [...widthsOf].map(([fault, widths]) => `${fault} (${widths.join(", ")} px)`),
    async check(page: Page, where: string): Promise<void> {
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        for (const found of await geometryFaults(page)) {
          const fault = `${where}: ${found}`;
          widthsOf.set(fault, [...(widthsOf.get(fault) ?? []), width]);
        }
      }
    },
  };
}

test("without data, and outside", async () => {
  const { inside, outside } = await screenPaths();
  expect([inside.length > 12, outside.length > 3]).toEqual([true, true]);
  const { faults, check } = collectFaults();
  const shop = await openShop();
  await visitScreens(browser, shop, undefined, outside, check);
  await visitScreens(browser, shop, await signUpPerson(shop.server), inside, check);
  expect(faults()).toEqual([]);
});

test("with ordinary names, as owner, staff and viewer, in staging", async () => {
  const { inside } = await screenPaths();
  const { faults, check } = collectFaults();
  const shop = await openShop("staging");
  const people = await fillShop(shop);
  for (const person of Object.values(people)) await visitScreens(browser, shop, person, inside, check);
  expect(faults()).toEqual([]);
});

test("with hostile names", async () => {
  const { inside } = await screenPaths();
  const { faults, check } = collectFaults();
  const shop = await openShop();
  const { production: owner } = await createHostileNames(shop.server);
  await visitScreens(browser, shop, owner, inside, check);
  const opened = await visitOpened(browser, shop, owner, inside, check);
  await visitScreens(browser, shop, owner, ["/animals"], async (page, path) => {
    await page.getByRole("checkbox", { name: "Select all animals shown" }).check();
    const bar = page.getByRole("region", { name: "Selected animals" });
    await bar.getByRole("button", { name: "Set status" }).click();
    await check(page, `${path}: selected`);
    await bar.getByRole("button", { name: "Remove…" }).click();
    await check(page, `${path}: remove the selected`);
  });
  expect(faults()).toEqual([]);
  // One that no form or button of these pages opens needs a step of its own here.
  const dialogs = [
    ...opened,
    "/animals: remove the selected",
    "the new secret, after its confirmation: as of a new webhook",
  ];
  expect([dialogs, dialogs.length]).toEqual([dialogs, await countDialogs()]);
});
