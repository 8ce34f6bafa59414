import { expect } from "bun:test";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import chromium from "@sparticuz/chromium";
import axeCore from "axe-core";
import { type Browser, type BrowserContextOptions, chromium as driver, type Page } from "playwright-core";
import { devDependencies } from "../../package.json";

// Starts the Chromium of @sparticuz/chromium, and collects what it reports about a page.

/**
 * Command-line arguments for Chromium. The package's own arguments disable web security, so the browser would not report violations
 * of a page's Content-Security-Policy.
 */
const ARGS = [
  "--headless=shell",
  "--no-sandbox",
  "--no-zygote",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

export async function openBrowser(args: readonly string[] = []): Promise<Browser> {
  return driver.launch({
    executablePath: await unpackBrowser(),
    args: [...ARGS, ...args],
    ignoreDefaultArgs: ["--headless"],
  });
}

const CACHE = Bun.fileURLToPath(new URL("../../node_modules/.cache/", import.meta.url));

/**
 * Unpacks Chromium once for each version of the npm package. The folder gets its final name only when it is complete, because
 * several test runs may unpack Chromium at the same time.
 */
async function unpackBrowser(): Promise<string> {
  const folder = join(CACHE, `petstore-chromium-${devDependencies["@sparticuz/chromium"]}`);
  const program = join(folder, "chromium");
  if (await Bun.file(program).exists()) return program;
  await mkdir(CACHE, { recursive: true });
  const draft = await mkdtemp(`${folder}-`);
  const { TMPDIR } = process.env;
  process.env["TMPDIR"] = draft;
  try {
    await chromium.executablePath();
  } finally {
    if (TMPDIR === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = TMPDIR;
  }
  await rename(draft, folder).catch(() => rm(draft, { recursive: true }));
  return program;
}

/** The maximum time to wait for an element to appear on the page. */
const PAGE_TIMEOUT_MS = 60_000;

export interface PageOptions {
  readonly theme?: "light" | "dark";
  /** The width of the viewport in CSS pixels. */
  readonly width?: number;
  /** The time zone of the browser, such as `Pacific/Auckland`. */
  readonly timeZone?: string;
  /** The language of the browser, such as `ja-JP`. */
  readonly locale?: string;
  /** JavaScript that runs before the scripts of the page. */
  readonly before?: string;
}

/**
 * Imitates an older browser, by removing `JSON.rawJSON`, `crypto.randomUUID`, and the third argument of a JSON.parse reviver, which
 * contains the source text.
 */
export const OLDER_BROWSER = `
  delete JSON.rawJSON;
  const { parse } = JSON;
  JSON.parse = (text, reviver) =>
    parse(text, reviver && function (name, value) { return reviver.call(this, name, value); });
  delete Crypto.prototype.randomUUID;
  if ("rawJSON" in JSON || "randomUUID" in crypto) throw new Error("They are still there.");`;

/** A page of the browser, with a record of its requests and of everything that went wrong on it. */
export interface WatchedPage {
  readonly page: Page;
  /** Policy violations, errors, failed requests, and requests to other servers. */
  readonly faults: readonly string[];
  /** All requests of the page, each as `METHOD address`. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/**
 * The beginning of a message that Chromium logs for each response with a 4xx status. Tests cause such responses on purpose, so the
 * message does not count as an error. Missing assets are detected through the `response` event instead.
 */
const REFUSED = "Failed to load resource: the server responded with a status of";

const VIOLATION = "Content-Security-Policy:";

/** Logs every policy violation to the browser's console, because Chromium itself does not log all of them. */
const REPORT_VIOLATIONS = `addEventListener("securitypolicyviolation", (event) =>
  console.error("${VIOLATION}", event.effectiveDirective, event.blockedURI, event.sourceFile))`;

export async function openPage(browser: Browser, options: PageOptions = {}): Promise<WatchedPage> {
  const { theme = "light", width = 1280, timeZone, locale, before } = options;
  const settings: BrowserContextOptions = {
    colorScheme: theme,
    viewport: { width, height: 900 },
    ...(timeZone !== undefined && { timezoneId: timeZone }),
    ...(locale !== undefined && { locale }),
  };
  const context = await browser.newContext(settings);
  await context.addInitScript(REPORT_VIOLATIONS);
  if (before !== undefined) await context.addInitScript(before);
  const page = await context.newPage();
  page.setDefaultTimeout(PAGE_TIMEOUT_MS);
  const faults: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => {
    const isRefusal = message.text().startsWith(REFUSED);
    if (["error", "warning"].includes(message.type()) && !isRefusal)
      faults.push(`console: ${message.text()}`);
  });
  page.on("response", (response) => {
    const isPart = !["fetch", "eventsource"].includes(response.request().resourceType());
    if (isPart && response.status() >= 400) faults.push(`missing: ${response.url()}`);
  });
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("request", (request) => {
    requests.push(`${request.method()} ${request.url()}`);
    if (!isOurs(request.url())) faults.push(`foreign: ${request.url()}`);
  });
  page.on("requestfailed", (request) => {
    const why = request.failure()?.errorText;
    // When the browser leaves a page, it aborts the page's unfinished requests. These do not count as failed.
    if (why !== "net::ERR_ABORTED") faults.push(`failed: ${request.url()} ${why}`);
  });
  async function close(): Promise<void> {
    // A test's route may still be fetching a response. Closing the page would make the fetch fail, and with it the test.
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await context.close();
  }
  return { page, faults, requests, close };
}

export function expectClean({ faults }: WatchedPage): void {
  expect(faults).toEqual([]);
}

function isOurs(address: string): boolean {
  return /^(data|blob):|^http:\/\/(localhost|127\.0\.0\.1)[:/]/.test(address);
}

/**
 * A promise for the end of all animations and transitions, except those that never end. Until then, the contrast of a text is
 * neither the old nor the new one.
 */
const ANIMATIONS_ENDED = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime < Infinity)
  .map(({ finished }) => finished)).then(() => {})`;

/** The source code of axe, with timers that continue to run while a test has stopped the clock of the page. */
const AXE = `((setTimeout, clearTimeout) => {${axeCore.source}})(
  (run, delay) => {
    const aborter = new AbortController();
    scheduler.postTask(run, { delay, signal: aborter.signal }).catch(() => {});
    return aborter;
  },
  (aborter) => aborter?.abort())`;

/**
 * Returns the accessibility violations that axe finds in the page or in one element, one line each. `count` is the number of rules
 * that were checked. Elements without violations are left out, because on a large page they would take megabytes.
 */
export async function axe(
  page: Page,
  scope = "html",
): Promise<{ readonly found: readonly string[]; readonly count: number }> {
  // A screen that was left is hidden from screen readers at once, and inert at the next key or after 500 ms. A list that is read
  // again becomes pale.
  await page.locator("main[aria-hidden]:not([inert]), .is-stale").first().waitFor({ state: "detached" });
  await page.evaluate(ANIMATIONS_ENDED);
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(AXE);
  return page.evaluate(`axe.run(${JSON.stringify(scope)}, { resultTypes: ["violations"] }).then(
    ({ violations, passes }) => ({
      found: violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ target, failureSummary }) => id + ": " + help + ": " + target.join(" ") + ": " + failureSummary)),
      count: passes.length + violations.length,
    }))`);
}

export interface PageWeight {
  readonly script: number;
  readonly style: number;
}

/** Records when the page's heading appears. The heading does not wait for code that the page requests later. */
const NOTE_HEADING = `new MutationObserver((_, observer) => {
  if (document.querySelector("h1") === null) return;
  window.headingAt = performance.now();
  observer.disconnect();
}).observe(document, { childList: true, subtree: true });`;

/**
 * Returns the size of all scripts and style sheets that a page requests before it shows its heading. Each is compressed with `gzip
 * -9`.
 */
export async function weigh(page: Page, address: string): Promise<PageWeight> {
  const weight = { script: 0, style: 0 };
  const bodies = new Map<string, Promise<{ kind: keyof PageWeight; bytes: Buffer }>>();
  await page.addInitScript(NOTE_HEADING);
  page.on("response", (response) => {
    const kind = ({ script: "script", stylesheet: "style" } as const)[response.request().resourceType()];
    if (kind === undefined) return;
    const body = response.body().then((bytes) => ({ kind, bytes }));
    // Code that is requested after the heading is not counted. Loading it may fail, because the browser is already on its way to
    // the next page.
    body.catch(() => {});
    bodies.set(response.url(), body);
  });
  await page.goto(address);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  const requested: readonly string[] = await page.evaluate(
    `performance.getEntriesByType("resource").filter(({ startTime }) => startTime < headingAt).map(({ name }) => name)`,
  );
  for (const address of requested) {
    const body = await bodies.get(address);
    if (body !== undefined) weight[body.kind] += gzipSync(body.bytes, { level: 9 }).byteLength;
  }
  return weight;
}
