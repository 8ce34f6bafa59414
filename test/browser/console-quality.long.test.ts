import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { BEHIND_PROXY, type BrowserSession } from "../wire/browser-session.ts";
import { freshEmbeddedStore, type Server, startServer } from "../wire/server.ts";
import { axe, openBrowser } from "./browser.ts";
import { type Environment, isTooWide, withConsolePage } from "./console-page.ts";
import { createHostileNames } from "./hostile-names.ts";

// Every page of the console in both environments, both themes and two widths.

setDefaultTimeout(600_000);

const PAGES = [
  "/",
  "/animals",
  "/animals/new",
  "/animals/1",
  "/categories",
  "/orders",
  "/messages",
  "/keys",
  "/developers",
  "/deprecated-calls",
  "/account",
  "/webhooks",
  "/webhooks/1",
  "/people",
  "/audit",
];
const OUTSIDE = ["/sign-in", "/sign-up", "/reset-password"];

let server: Server;
let browser: Browser;
let people: Record<Environment, BrowserSession>;
beforeAll(async () => {
  server = await startServer({ store: await freshEmbeddedStore(), env: BEHIND_PROXY });
  browser = await openBrowser();
  people = await createHostileNames(server);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const settled = (page: Page) =>
  page.waitForFunction("document.querySelector('main [aria-busy=true]') === null");

describe.each(["light", "dark"] as const)("in %s", (theme) => {
  test.each([1280, 360])(
    "axe finds nothing on any page, and every page fits, %p pixels wide",
    async (width) => {
      let rules = 0;
      for (const environment of ["production", "staging"] as const) {
        const options = { environment, theme, width };
        for (const path of [...PAGES, ...OUTSIDE]) {
          const person = OUTSIDE.includes(path) ? undefined : people[environment];
          await withConsolePage(
            browser,
            server,
            path,
            { ...options, ...(person && { person }) },
            async (page) => {
              await settled(page);
              const { found, count } = await axe(page);
              expect([path, ...found]).toEqual([path]);
              expect([path, await isTooWide(page)]).toEqual([path, false]);
              rules += count;
            },
          );
        }
      }
      console.log(
        `axe, ${theme}, ${width} px: 0 problems, ${rules} rules met on ${2 * (PAGES.length + OUTSIDE.length)} pages`,
      );
    },
  );
});
