import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { axe, expectClean, openPage, type PageOptions } from "./browser.ts";
import { consoleAddress, isTooWide } from "./console-page.ts";
import { findFaults } from "./in-page.ts";
import { shopForTests } from "./shop.ts";

// Tests what the web pages about the API (reference, errors, deprecations and guides) have in common, such as the table of
// contents, the search and printing.

const shop = shopForTests();

const PATHS = ["/docs", "/docs/errors", "/docs/deprecations", "/docs/guides/webhooks"];

const addressOf = (path: string) => consoleAddress(shop.server) + path;

/** Opens several pages in one browser context, one after another, and runs the steps on each of them. */
async function withPages(
  paths: readonly string[],
  options: PageOptions,
  steps: (page: Page, path: string) => Promise<void>,
): Promise<void> {
  const watched = await openPage(shop.browser, options);
  for (const path of paths) {
    await watched.page.goto(addressOf(path));
    await steps(watched.page, path).finally(() => expectClean(watched));
  }
  await watched.close();
}

/**
 * Clicks every link in the table of contents, and returns the links that do not work. After each click, the heading must be just
 * below the top bar, only the clicked link must be marked, and the table of contents must be closed.
 */
const FOLLOW_ALL = `(async () => {
  const links = [...document.querySelectorAll('#contents a[href^="#"]')];
  const missed = links.length > 0 ? [] : ["no link"];
  for (const link of links) {
    const button = document.querySelector(".open-contents");
    if (button.checkVisibility()) button.click();
    link.click();
    for (let frame = 0; frame < 60 && link.ariaCurrent === null; frame++)
      await new Promise((done) => requestAnimationFrame(done));
    const heading = document.querySelector(":target:is(h1, h2, h3, h4, h5, h6)");
    const bar = document.querySelector(".bar").getBoundingClientRect();
    const pixels = heading?.getBoundingClientRect().top - bar.bottom;
    const marked = document.querySelectorAll("#contents [aria-current=location]");
    const isMarked = marked.length === 1 && marked[0] === link;
    const isOpen = document.querySelector("#contents").matches(":popover-open");
    const isRight = pixels >= 0 && pixels <= 8 && bar.top === 0 && isMarked && !isOpen;
    if (!isRight) missed.push([link.hash, pixels, bar.top, isMarked, isOpen].join(" "));
  }
  return missed;
})()`;

describe("the contents", () => {
  test.each([320, 768, 1024, 1440])(
    "lead to their headings, just below the bar, and follow the scroll, at %d pixels",
    async (width) => {
      await withPages(PATHS, { width }, async (page, path) => {
        expect([path, await page.evaluate(FOLLOW_ALL), await isTooWide(page)]).toEqual([path, [], false]);
      });
    },
  );

  test("open by keyboard on a phone, even without JavaScript", async () => {
    const context = await shop.browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 320, height: 700 },
    });
    const page = await context.newPage();
    await page.goto(addressOf("/docs/errors"));
    expect(await page.getByRole("button", { name: "Search" }).count()).toBe(0);
    await page.getByRole("button", { name: "Contents" }).press("Enter");
    await page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "gone" }).waitFor();
    await context.close();
  });
});

describe("the search", () => {
  test("opens with /, loads its index once, finds by every word, and Enter follows the first result", async () => {
    await withPages(["/docs/errors"], {}, async (page) => {
      await page.keyboard.press("/");
      const found = page.getByRole("dialog", { name: "Search" });
      await found.getByRole("link", { name: "Authentication" }).first().waitFor();
      await page.context().setOffline(true);
      await page.keyboard.type("reused key");
      await found.getByText("idempotency_key_reused (422)").waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL("**/docs/errors#idempotency_key_reused");
      await found.waitFor({ state: "hidden" });
    });
  });

  test("says that its index did not load, and tries again", async () => {
    const { page, close } = await openPage(shop.browser);
    await page.goto(addressOf("/docs/errors"));
    await page.context().setOffline(true);
    await page.keyboard.press("/");
    await page.getByText("The search index did not load").waitFor();
    await page.context().setOffline(false);
    await page.keyboard.type("429");
    await page.getByRole("link", { name: "rate_limited (429)" }).waitFor();
    await close();
  });

  test("has operations, messages, events, errors, rules and guides, which the arrows reach", async () => {
    await withPages(["/docs/errors"], {}, async (page) => {
      await page.getByRole("button", { name: "Search" }).click();
      const found = page.getByRole("dialog", { name: "Search" });
      for (const [text, href] of [
        ["POST /pets createPet", "/docs#createPet"],
        ["submitMessage", `${new URL(shop.server.messages).origin}/docs#submitMessage`],
        ["order.placed", "/docs#order"],
        ["already queued message", undefined],
        ["gone", "/docs/errors#gone"],
        ["getPet: GET /pets/{petId}", "/docs/deprecations#getPet"],
        ["429", "/docs/errors#rate_limited"],
        ["pagination", "/docs#paging"],
        ["webhooks and events", "/docs/guides/webhooks"],
      ] as const) {
        await page.getByLabel("Search operations").fill(text);
        // The page loads its search index only at the first search.
        await found.getByRole("status").filter({ hasText: "result" }).waitFor();
        await page.keyboard.press("ArrowDown");
        if (href === undefined) await found.getByText("0 results", { exact: true }).waitFor();
        else expect(await page.locator(":focus").getAttribute("href")).toBe(href);
      }
      await page.keyboard.press("Escape");
      await found.waitFor({ state: "hidden" });
    });
  });
});

test.each([768, 1280, 1920])(
  "no name in a table is broken, and no table has to be scrolled, at %d pixels",
  async (width) => {
    const paths = ["settings", "operate", "managed-database", "webhooks"].map(
      (name) => `/docs/guides/${name}`,
    );
    const broken = `[...document.querySelectorAll(".table code")].filter(
      (code) => /^\\w+$/.test(code.textContent) && code.getClientRects().length > 1).map((code) => code.textContent)`;
    const isWide = `[...document.querySelectorAll(".table")].some((table) => table.scrollWidth > table.clientWidth)`;
    await withPages(paths, { width }, async (page, path) => {
      expect([path, await page.evaluate(broken), await page.evaluate(isWide)]).toEqual([path, [], false]);
    });
  },
);

test.each(["light", "dark"] as const)(
  "axe finds nothing in the %s theme, with the search and the contents open",
  async (theme) => {
    await withPages(PATHS, { theme, width: 360 }, async (page) => {
      expect((await axe(page)).found).toEqual([]);
      await page.getByRole("button", { name: "Contents" }).click();
      expect((await axe(page, "#contents")).found).toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Search" }).click();
      expect((await axe(page, "dialog[open]")).found).toEqual([]);
    });
  },
);

test("nothing is shown only by a background colour in forced-colours mode", async () => {
  await withPages(PATHS, {}, async (page) => {
    await page.emulateMedia({ forcedColors: "active" });
    await page.evaluate("scrollTo(0, 2000)");
    await page.locator("#contents [aria-current=location]").waitFor();
    expect(await findFaults(page, "findForcedColorFaults")).toEqual([]);
  });
});

test("print shows all of the text and nothing else", async () => {
  await withPages(PATHS, { width: 720 }, async (page) => {
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("main h1").isVisible()).toBe(true);
    expect(await page.locator(":is(header, nav, button, input, textarea, select):visible").count()).toBe(0);
    const isCut = "(part) => part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight";
    expect(await page.evaluate(`[...document.querySelectorAll("pre, .table")].some(${isCut})`)).toBe(false);
    const folded = await page.locator("details > :not(summary)").count();
    expect(await page.locator("details > :not(summary):visible").count()).toBe(folded);
  });
});

test("the page for an unknown address is easy to read", async () => {
  const watched = await openPage(shop.browser);
  const { page } = watched;
  await page.goto(addressOf("/nowhere"));
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  const { x = 0, width = 0 } = (await page.getByRole("main").boundingBox()) ?? {};
  expect([width < 600, Math.round(x + width / 2)]).toEqual([true, 640]);
  expect((await axe(page)).found).toEqual([]);
  expect(watched.faults).toEqual([`missing: ${addressOf("/nowhere")}`]);
  await watched.close();
});
