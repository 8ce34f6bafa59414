import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Role } from "../../src/contract/operation.ts";
import { type BrowserSession, signUp } from "../wire/browser-session.ts";
import { consoleAddress, heading, signInOn } from "./console-page.ts";
import { fillShop, screenPaths, settled } from "./console-screens.ts";
import { shopForTests } from "./shop.ts";

// Tests what surrounds every page of the console: its navigation, its language, and what is shown before the session is known.

const shop = shopForTests();
const { inside, outside } = await screenPaths();
let people: Record<Role, BrowserSession>;
beforeAll(async () => {
  people = await fillShop(shop);
});

const SESSION = "**/console/api/session";
const links = async (page: Page, name: string) =>
  (await page.getByRole("navigation", { name }).getByRole("link").allTextContents()).map((text) =>
    text.trim(),
  );

async function show(page: Page, path: string): Promise<void> {
  await page.goto(consoleAddress(shop.server) + path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await settled(page);
}

/**
 * Records layout shifts (Layout Instability API), each as "frame" or "content". If the shifted element no longer exists, the shift
 * counts as content.
 */
const WATCH_SHIFTS = `globalThis.shifts = [];
new PerformanceObserver((list) => {
  for (const { sources, value } of list.getEntries())
    shifts.push(...sources.map(({ node }) => (!node || node.parentElement.closest(".frame main") ? "content" : "frame") + " " + value));
}).observe({ type: "layout-shift", buffered: true });`;

describe("nothing moves while a page opens", () => {
  test.each([390, 1280])("at %d pixels, signed in and signed out", async (width) => {
    for (const person of [people.owner, people.viewer, undefined])
      await shop.open("/", { width, person, before: WATCH_SHIFTS }, async (page) => {
        for (const path of [...(person ? inside : ["/", "/animals"]), ...outside]) {
          await show(page, path);
          const moved = (await page.evaluate("shifts")) as readonly string[];
          const isWhole = /^\/(account|developers|deprecated-calls)$/.test(path);
          expect([path, moved.filter((one) => isWhole || one.startsWith("frame"))]).toEqual([path, []]);
        }
      });
  });

  test("the frame is drawn before the session has loaded, but never for a stranger", async () => {
    for (const person of [people.owner, undefined])
      await shop.open("/", { person }, async (page) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        await page.route(SESSION, (route) => promise.then(() => route.continue()));
        await page.reload({ waitUntil: "commit" });
        await page.getByText("Loading the page…").waitFor();
        expect(await page.getByRole("link", { name: "People" }).isVisible()).toBe(person !== undefined);
        resolve();
        await heading(page, person ? "Overview" : "Sign in");
      });
  });

  test("a message says that the session could not be loaded and tries again", async () => {
    await shop.open("/", { person: people.owner, expected: /^failed:|ERR_FAILED/ }, async (page) => {
      await page.route(SESSION, (route) => route.abort());
      await page.reload();
      await heading(page, "No connection");
      await page.unroute(SESSION);
      await page.getByRole("button", { name: "Try again" }).click();
      await heading(page, "Overview");
    });
  });
});

test("a screen, or its code, that failed offline loads when the network is back", async () => {
  const expected = /^failed:|ERR_INTERNET_DISCONNECTED|dynamically imported module/;
  await shop.open("/messages", { person: people.owner, expected }, async (page) => {
    const message = page.getByRole("row").filter({ hasText: "Fluffy is ready." });
    await message.waitFor();
    for (const name of ["Webhooks", "Messages"]) {
      await page.context().setOffline(true);
      await page.getByRole("link", { name, exact: true }).click();
      await page.getByRole("alert").getByText("The server could not be reached.").waitFor();
      await page.context().setOffline(false);
      await heading(page, name);
      await page.getByRole("table", { name }).waitFor();
    }
  });
});

test("the console works in a browser that blocks site data", async () => {
  await shop.open("/sign-in", {}, async (page) => {
    const blocked = `{ get() { throw new DOMException("blocked", "SecurityError"); } }`;
    await page.addInitScript(`for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(window, name, ${blocked});`);
    await page.reload();
    const { account } = (await people.owner.call("GET /session")).json;
    await signInOn(page, account.email);
    await heading(page, "Overview");
    await page.getByRole("link", { name: "Animals", exact: true }).click();
    await page.getByRole("button", { name: "Sell Captain Whiskers" }).click();
    await page.getByRole("button", { name: "Undo the sale of Captain Whiskers" }).click();
    await page.getByRole("button", { name: "Sell Captain Whiskers" }).waitFor();
  });
});

test("the first page has the spacing of a form", async () => {
  for (const path of outside)
    await shop.open(path, {}, async (page) => {
      const gaps = `[...document.querySelectorAll("main > *")].map((part) => part.getBoundingClientRect())
        .map(({ top }, index, all) => top - (all[index - 1]?.bottom ?? -Infinity))`;
      expect(Math.min(...((await page.evaluate(gaps)) as number[]))).toBeGreaterThanOrEqual(19);
    });
});

test("staging differs from production only by its strip, which stays visible", async () => {
  const looks = new Set<string>();
  for (const environment of ["production", "staging"] as const)
    for (const path of ["/sign-in", "/docs", "/docs/guides", "/docs/errors"])
      await shop.open(path, { environment }, async (page) => {
        const brand = page.locator(".brand");
        const icon = page.locator("link[rel=icon]");
        const source = await (await page.request.get(await icon.evaluate((link) => link.href))).text();
        const isTile = await brand.locator("svg, img").evaluate(async (logo, tile) => {
          const text = logo.outerHTML.startsWith("<img") ? tile : logo.outerHTML;
          const paths = (markup: string) => markup.match(/ d="[^"]+"|rx="9"/g)?.join();
          return paths(text) === paths(tile);
        }, source);
        const accent = await page.evaluate("getComputedStyle(document.body).getPropertyValue('--accent')");
        looks.add([(await brand.innerText()).trim(), isTile, accent].join());
        const strip = page.locator(".staging-banner");
        expect(await strip.isVisible()).toBe(environment === "staging");
        const top = "scrollTo(0, 9000), document.elementFromPoint(200, 3)?.className";
        expect((await page.evaluate(top)) === "staging-banner").toBe(environment === "staging");
      });
  expect([...looks]).toEqual([expect.stringMatching(/^petstore,true,/)]);
});

test("of a long email address with a hyphen, the navigation shows as much as fits", async () => {
  const person = await signUp(shop.server, "the-counter-downstairs@pets.example.com");
  await shop.open("/", { person }, async (page) => {
    await page.locator(".sidebar-foot .clamped").getByText("the-counter").waitFor();
    const shown = await page.evaluate(`(() => {
      const line = document.querySelector(".sidebar-foot .clamped");
      const range = new Range();
      const isShown = (at) => {
        range.setStart(line.firstChild, at);
        range.setEnd(line.firstChild, at + 1);
        return range.getBoundingClientRect().bottom <= line.getBoundingClientRect().bottom;
      };
      return [...line.textContent].filter((_, at) => isShown(at)).length;
    })()`);
    expect(shown).toBeGreaterThan(15);
  });
});

test("the navigation has at most eight entries, and tabs lead to the other pages", async () => {
  const address = consoleAddress(shop.server, "staging");
  const shopPages = ["Overview", "Animals", "Orders", "Categories"];
  for (const [role, owners, tabs] of [
    ["owner", ["People"], ["API keys", "Webhooks", "Messages"]],
    ["staff", [], ["API keys", "Messages"]],
  ] as const)
    await shop.open("/keys", { person: people[role] }, async (page) => {
      const account = `Account ${(await people[role].call("GET /session")).json.account.email}`;
      const foot = ["Developers", account, "Staging"];
      expect(await links(page, "Console")).toEqual([...shopPages, ...owners, ...foot]);
      const developers = ["Developers", ...tabs, "Deprecated calls", "API reference"];
      expect(await links(page, "Pages of Developers")).toEqual(developers);
      await page.getByRole("link", { name: "Messages" }).click();
      await heading(page, "Messages");
      // Until the page "Messages" has loaded its data, the previous page stays visible, but is hidden from screen readers.
      const current = page.locator("[aria-current=page]:not(main[aria-hidden] *)");
      expect(await current.allTextContents()).toEqual(["Developers", "Messages "]);
      expect(await page.getByRole("link", { name: "Staging" }).getAttribute("href")).toBe(address);
    });
  await shop.open("/", { environment: "staging" }, async (page) => {
    await page.getByText("Staging has the same accounts").waitFor();
    await page.getByText("nothing here reaches production").waitFor();
  });
});

test.each([
  ["ja-JP", /\d:\d\d$/],
  ["ar-EG", /\d:\d\d\s[AP]M$/],
  ["de-DE", /\d:\d\d$/],
])("the pages are English for a browser in %s, with its region's clock", async (locale, clock) => {
  await shop.open("/", { person: people.owner, locale }, async (page) => {
    for (const path of inside) {
      await show(page, path);
      const titles = await page.locator("[title]").evaluateAll((all) => all.map(({ title }) => title));
      const text = [await page.locator("body").innerText(), ...titles].join(" ");
      expect([path, text.match(/[^\p{ASCII}\P{L}]|[^\p{ASCII}\P{N}]/gu)]).toEqual([path, null]);
    }
    await show(page, "/activity");
    expect(await page.locator("main time").first().innerText()).toMatch(clock);
  });
});
