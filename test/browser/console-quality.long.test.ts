import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { ADDRESSES } from "../../src/console/page.ts";
import { type BrowserSession, PASSWORD } from "../wire/browser-session.ts";
import { weigh } from "./browser.ts";
import { consoleAddress, dialogLoaded, type Environment, heading, row } from "./console-page.ts";
import { createHostileNames, HOSTILE_NAMES, RIGHT_TO_LEFT } from "./hostile-names.ts";
import { shopForTests } from "./shop.ts";

// Tests every page of the console with a keyboard, with a screen reader, on a phone, and in the dark theme.

const shop = shopForTests();
let people: Record<Environment, BrowserSession>;
beforeAll(async () => {
  people = await createHostileNames(shop.server);
});

test.each(["/animals", "/categories", "/messages"])(
  "names with markup, right-to-left text or emoji are shown as text on %s",
  async (path) => {
    await shop.open(path, { person: people.production }, async (page) => {
      const named = (name: string) => page.getByRole("table").getByText(name, { exact: true }).first();
      for (const name of [...HOSTILE_NAMES.slice(0, 2), "🐈"]) await named(name).waitFor();
      expect(await page.locator("img[src=x], script:not([src])").count()).toBe(0);
      expect(await named(RIGHT_TO_LEFT).evaluate((text) => text.matches(":dir(rtl)"))).toBe(true);
    });
  },
);

describe("with only the keyboard", () => {
  const FOCUSED = `(() => {
    const element = document.activeElement;
    const label = element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent;
    const { outlineStyle, boxShadow } = getComputedStyle(element);
    return { label, outline: outlineStyle + " " + boxShadow };
  })()`;

  /** Presses Tab until the element with this name has the focus, and asserts that the focus is visible. */
  async function tabTo(page: Page, name: string): Promise<void> {
    for (let step = 0; step < 60; step++) {
      await page.keyboard.press("Tab");
      const { label, outline } = (await page.evaluate(FOCUSED)) as { label: string; outline: string };
      if (!label.trim().startsWith(name)) continue;
      expect([name, outline]).not.toEqual([name, "none none"]);
      return;
    }
    throw new Error(`Tab never came to ${name}.`);
  }

  test("sign in, add an animal, and order it", async () => {
    await shop.open("/sign-in", {}, async (page) => {
      const { account } = (await people.production.call("GET /session")).json;
      await tabTo(page, "Email");
      await page.keyboard.type(account.email);
      await tabTo(page, "Password");
      await page.keyboard.type(PASSWORD);
      await page.keyboard.press("Enter");
      await heading(page, "Overview");
      await tabTo(page, "Animals");
      await page.keyboard.press("Enter");
      await heading(page, "Animals");
      await tabTo(page, "Add an animal");
      await page.keyboard.press("Enter");
      await heading(page, "Add an animal");
      await tabTo(page, "Name");
      await page.keyboard.type("Keyboard kitten");
      await tabTo(page, "Category");
      await page.keyboard.type("12");
      // The first Enter accepts the suggested category, and the second one submits the form.
      await page.keyboard.press("Enter");
      await page.keyboard.press("Enter");
      await page.getByRole("status").getByText("Keyboard kitten added").waitFor();
      await page.goto(`${consoleAddress(shop.server)}/animals?category=12`);
      await row(page, "Keyboard kitten").waitFor();
      for (const name of ["More for Keyboard kitten", "Order…"]) {
        await tabTo(page, name);
        await page.keyboard.press("Enter");
      }
      await heading(page, "Orders");
      await dialogLoaded(page);
      await tabTo(page, "Place order");
      await page.keyboard.press("Enter");
      await row(page, "Keyboard kitten").waitFor();
    });
  });

  test("a link skips to the content, and a closed dialog returns the focus to its opener", async () => {
    await shop.open("/animals", { person: people.production }, async (page) => {
      await row(page, "🐈").waitFor();
      await page.evaluate("document.activeElement.blur()");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      expect(await page.evaluate("document.activeElement.closest('main') !== null")).toBe(true);
      await tabTo(page, "More for");
      const focused = () => page.evaluate<string>("document.activeElement.getAttribute('aria-label')");
      const opener = await focused();
      await page.keyboard.press("Enter");
      await tabTo(page, "Remove…");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(await focused()).toBe(opener);
    });
  });
});

test("the list of animals needs at most 14 requests", async () => {
  await shop.open("/keys", { person: people.production }, async (page, { requests }) => {
    // Leaves the page, so that its unfinished requests end and are not counted for the next page.
    await page.goto("about:blank");
    const before = requests.length;
    await page.goto(`${consoleAddress(shop.server)}/animals`);
    await page.locator("tbody time").first().waitFor();
    expect(requests.slice(before).length).toBeLessThanOrEqual(14);
  });
});

test("script and style of every page are at most 45 kB together", async () => {
  const weights = new Map<string, number>();
  await shop.open("/", { person: people.production }, async (page) => {
    for (const path of ADDRESSES.filter((address) => !address.includes(":"))) {
      const { script, style } = await weigh(page, consoleAddress(shop.server) + path);
      expect(script).toBeGreaterThan(1_000);
      weights.set(path, script + style);
    }
  });
  console.log(`console: bytes of script and style, gzip -9: ${JSON.stringify(Object.fromEntries(weights))}`);
  expect([...weights].filter(([, bytes]) => bytes > 45_000)).toEqual([]);
});
