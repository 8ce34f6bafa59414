import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { BEHIND_PROXY, type BrowserSession, signUp } from "../wire/browser-session.ts";
import { freshEmbeddedStore, type Server, send, startServer } from "../wire/server.ts";
import { axe, openBrowser } from "./browser.ts";
import { type ConsolePageOptions, isTooWide, withConsolePage } from "./console-page.ts";

// The developers' area in a real browser: what needs attention, and keys through their life.

setDefaultTimeout(120_000);

const DAY_MS = 86_400_000;

let server: Server;
let browser: Browser;
let owner: BrowserSession;
let ada: BrowserSession;
beforeAll(async () => {
  server = await startServer({ store: await freshEmbeddedStore(), env: BEHIND_PROXY });
  browser = await openBrowser();
  owner = await signUp(server, "owner@example.com");
  ada = await signUp(server, "ada@example.com");
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const open = (path: string, options: ConsolePageOptions, steps: (page: Page) => Promise<void>) =>
  withConsolePage(browser, server, path, options, steps);

async function makeKey(person: BrowserSession, name: string, days?: number) {
  const expiresAt = days === undefined ? null : new Date(Date.now() + days * DAY_MS).toISOString();
  const { token, key } = JSON.parse((await person.call("POST /keys", { name, expiresAt })).body);
  return { token: String(token), id: String(key.id) };
}

async function expectNoFaults(page: Page): Promise<void> {
  expect((await axe(page)).found).toEqual([]);
  expect(await isTooWide(page)).toBe(false);
}

test("the developers' group leads to what needs attention: a key about to expire, and calls of what is deprecated", async () => {
  await open("/", { person: ada }, async (page) => {
    const group = page.getByRole("list", { name: "For developers" });
    expect(await group.getByRole("link").allTextContents()).toEqual([
      ...["Developers", "API keys", "Messages", "Deprecated calls", "API reference"],
    ]);
    await group.getByRole("link", { name: "Developers" }).click();
    await page.getByText("Nothing needs attention.").waitFor();
  });
  const { token } = await makeKey(ada, "old till", 14);
  await send("GET", `${server.production}/pets/1`, { key: token });
  await open("/developers", { person: ada, width: 360 }, async (page) => {
    await page.getByRole("listitem").filter({ hasText: "The key old till expires" }).waitFor();
    await expectNoFaults(page);
    await page.getByRole("link", { name: "1 call", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Deprecated calls" }).waitFor();
    await page.getByRole("row").filter({ hasText: "old till" }).waitFor();
    await expectNoFaults(page);
  });
  await open("/deprecated-calls", { person: owner }, async (page) => {
    await page.getByRole("row").filter({ hasText: "old till" }).waitFor();
  });
});
