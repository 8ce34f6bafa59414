import { expect } from "bun:test";
import type { Browser, Locator, Page } from "playwright-core";
import { type BrowserSession, PASSWORD, signUp } from "../wire/browser-session.ts";
import type { Server } from "../wire/server.ts";
import { axe, expectClean, openPage, type PageOptions, type WatchedPage } from "./browser.ts";

export type Environment = "production" | "staging";

export interface ConsolePageOptions extends PageOptions {
  readonly environment?: Environment;
  /** The person who is signed in to the console. By default, nobody is signed in. */
  readonly person?: BrowserSession | undefined;
  /** Matches faults that the test itself causes, such as a request that fails because the test has stopped the server. */
  readonly expected?: RegExp;
}

export function consoleAddress(server: Server, environment: Environment = "production"): string {
  return new URL(server[environment]).origin;
}

/** Opens the console at a path, runs the steps, and asserts that the page has no faults except the expected ones. */
export async function withConsolePage(
  browser: Browser,
  server: Server,
  path: string,
  options: ConsolePageOptions,
  steps: (page: Page, watched: WatchedPage) => Promise<void>,
): Promise<void> {
  const { environment = "production", person, expected } = options;
  const watched = await openPage(browser, options);
  const { page } = watched;
  const cookie = person?.cookie();
  if (cookie !== undefined) {
    const [name = "", value = ""] = cookie.split("=");
    await page
      .context()
      .addCookies([
        { name, value, url: consoleAddress(server, environment), httpOnly: true, sameSite: "Strict" },
      ]);
  }
  await page.goto(consoleAddress(server, environment) + path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await steps(page, watched);
  expectClean({ ...watched, faults: watched.faults.filter((fault) => !expected?.test(fault)) });
  await watched.close();
}

/** Creates an account for a test's person through the API, without opening a page. */
export function signUpPerson(
  server: Server,
  environment: Environment = "production",
): Promise<BrowserSession> {
  return signUp(server, `person-${crypto.randomUUID()}@example.com`, environment);
}

/** Waits until a dialog is open and its code has been loaded. While the code is loading, a placeholder dialog is open. */
export function dialogLoaded(page: Page): Promise<void> {
  return page.locator("dialog[open]:not(.pending)").waitFor();
}

export async function signInOn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Waits until the page shows a heading with this text. */
export function heading(page: Page, name: string): Promise<void> {
  return page.getByRole("heading", { level: 1, name }).waitFor();
}

/**
 * Checks the condition once per animation frame until it is true. Playwright's `waitForFunction` cannot be used, because the page's
 * Content-Security-Policy makes it check only once.
 */
export async function waitUntil(page: Page, isSo: () => Promise<unknown>): Promise<void> {
  while (!(await isSo())) await page.evaluate("new Promise(requestAnimationFrame)");
}

export async function pressEnterTwice(button: Locator): Promise<void> {
  await button.focus();
  for (let press = 0; press < 2; press++) await button.page().keyboard.press("Enter");
}

/** Makes a double click whose first click has already acted when the second one comes. */
export async function clickTwice(button: Locator, hasActed: () => Promise<void>): Promise<void> {
  const { mouse } = button.page();
  // Hovering waits until the button no longer moves, and scrolls it into view.
  await button.hover();
  await mouse.down();
  await mouse.up();
  await hasActed();
  await mouse.down({ clickCount: 2 });
  await mouse.up({ clickCount: 2 });
}

/** Resizes the viewport, and waits until the page has the new size, because the browser passes it on asynchronously. */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  const isSo = `innerWidth === ${size.width} && innerHeight === ${size.height}`;
  await waitUntil(page, () => page.evaluate(isSo));
}

/**
 * Stops the clock of the page, and all its timers and animation frames with it, until the test lets time pass. The clock is stopped
 * some seconds ahead, because a busy machine may take that long to stop it.
 */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 10_000);
}

/**
 * Lets time pass on a page whose clock is stopped, until the condition is true. Time passes only while the service answers the
 * page, so that it does not run ahead of a service that a busy machine holds up. `waitUntil` cannot be used on such a page, because
 * it waits for an animation frame, and there is none. Resolves to the milliseconds that have passed.
 */
export async function letTimePass(page: Page, isSo: () => Promise<boolean>): Promise<number> {
  let passed = 0;
  for (; !(await isSo()); passed += 20) {
    await page.evaluate("fetch('/console/api/session').then((response) => response.text())");
    await page.clock.runFor(20);
  }
  return passed;
}

/** Delays the responses to all requests whose address matches, until the returned function is called. */
export async function hold(page: Page, requests: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(requests, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

export function waitForValue(field: Locator, value: string): Promise<void> {
  return waitUntil(field.page(), async () => (await field.inputValue()) === value);
}

/** Returns true if the page can be scrolled sideways. */
export function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(
    "document.documentElement.scrollWidth > document.documentElement.clientWidth",
  ) as Promise<boolean>;
}

/** Asserts that axe finds no accessibility violation and that the page cannot be scrolled sideways. */
export async function expectNoFaults(page: Page): Promise<void> {
  expect([(await axe(page)).found, await isTooWide(page)]).toEqual([[], false]);
}

export function row(page: Page, text: string): Locator {
  return page.getByRole("row").filter({ hasText: text });
}

/** Returns the rows of a table, with the cells of each row joined by `|`. */
export async function shownLines(page: Page, table: string): Promise<readonly string[]> {
  const rows = await page.getByRole("table", { name: table }).locator("tbody tr").all();
  return Promise.all(rows.map(async (row) => (await row.locator("th, td").allTextContents()).join("|")));
}

/** Opens the menu of a table row and chooses an item from it. */
export async function choose(page: Page, of: string, item: string): Promise<void> {
  await page
    .getByRole("button", { name: `More for ${of}`, exact: true })
    .first()
    .click();
  await page.locator("[popover]:popover-open").getByText(item, { exact: true }).click();
}
