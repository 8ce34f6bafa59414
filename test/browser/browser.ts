import { expect } from "bun:test";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import chromium from "@sparticuz/chromium";
import axeCore from "axe-core";
import { type Browser, type BrowserContextOptions, chromium as driver, type Page } from "playwright-core";
import { devDependencies } from "../../package.json";

// Chromium from @sparticuz/chromium, and its reports about a page.

/** The package's own arguments disable web security, and then no page could violate its policy. */
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

/** @param args further arguments for the browser */
export async function openBrowser(args: readonly string[] = []): Promise<Browser> {
  return driver.launch({
    executablePath: await unpackBrowser(),
    args: [...ARGS, ...args],
    ignoreDefaultArgs: ["--headless"],
  });
}

const CACHE = Bun.fileURLToPath(new URL("../../node_modules/.cache/", import.meta.url));

/**
 * Unpacks the browser's program once for each version. The folder is renamed when it is complete, because several runs may
 * unpack at the same time.
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

/** Time after which an element that has not appeared counts as missing. */
const PAGE_TIMEOUT_MS = 60_000;

export interface PageOptions {
  readonly theme?: "light" | "dark";
  /** Width in CSS pixels. */
  readonly width?: number;
  /** Name of the time zone: `Pacific/Auckland` */
  readonly timeZone?: string;
  /** Language tag: `ja-JP` */
  readonly locale?: string;
  /** Script that runs before the page's own. */
  readonly before?: string;
}

/** Removes `JSON.rawJSON`, the source text in JSON.parse revivers and `crypto.randomUUID`, none of which an older browser has. */
export const OLDER_BROWSER = `
  delete JSON.rawJSON;
  const { parse } = JSON;
  JSON.parse = (text, reviver) =>
    parse(text, reviver && function (name, value) { return reviver.call(this, name, value); });
  delete Crypto.prototype.randomUUID;
  if ("rawJSON" in JSON || "randomUUID" in crypto) throw new Error("They are still there.");`;

/** A page that records faults and requests. */
export interface WatchedPage {
  readonly page: Page;
  /** Policy violations, errors, failed requests, and requests to other servers. */
  readonly faults: readonly string[];
  /** All requests, as `METHOD address`. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** Chromium logs this for a 4xx, which tests cause on purpose. Missing assets are found by the `response` event instead. */
const REFUSED = "Failed to load resource: the server responded with a status of";

const VIOLATION = "Content-Security-Policy:";

/** Logs every violation to the browser's console, which does not log all of them by itself. */
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
    // A navigation aborts the requests of the previous page.
    if (why !== "net::ERR_ABORTED") faults.push(`failed: ${request.url()} ${why}`);
  });
  return { page, faults, requests, close: () => context.close() };
}

export function expectClean({ faults }: WatchedPage): void {
  expect(faults).toEqual([]);
}

function isOurs(address: string): boolean {
  return /^(data|blob):|^http:\/\/(localhost|127\.0\.0\.1)[:/]/.test(address);
}

/**
 * Violations that axe finds in the page or in one element, one line for each. `count` is the number of rules checked. Elements
 * that pass are left out, because on a large page they are megabytes.
 */
export async function axe(
  page: Page,
  scope = "html",
): Promise<{ readonly found: readonly string[]; readonly count: number }> {
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(axeCore.source);
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

/** Notes in a page when its heading is rendered: code that is requested later does not delay it. */
const NOTE_HEADING = `new MutationObserver((_, observer) => {
  if (document.querySelector("h1") === null) return;
  window.headingAt = performance.now();
  observer.disconnect();
}).observe(document, { childList: true, subtree: true });`;

/** Size of the scripts and style sheets that a page has requested when it shows its heading, each compressed with `gzip -9`. */
export async function weigh(page: Page, address: string): Promise<PageWeight> {
  const weight = { script: 0, style: 0 };
  const bodies = new Map<string, Promise<{ kind: keyof PageWeight; bytes: Buffer }>>();
  await page.addInitScript(NOTE_HEADING);
  page.on("response", (response) => {
    const kind = ({ script: "script", stylesheet: "style" } as const)[response.request().resourceType()];
    if (kind === undefined) return;
    const body = response.body().then((bytes) => ({ kind, bytes }));
    // The next page may cut off code that is not counted.
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
