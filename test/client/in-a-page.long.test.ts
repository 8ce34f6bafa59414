import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { expectClean, OLDER_BROWSER, openBrowser, openPage } from "../browser/browser.ts";
import type { Store } from "./visit.ts";
import { installVisit, REPORT, visitFresh } from "./visits.ts";

// Tests the published client in another project, where a web page loads it. runtimes.long.test.ts tests the other runtimes.

let project: string;
beforeAll(async () => {
  project = await installVisit();
});

describe("@petstore/client in a page", () => {
  let browser: Browser;
  let origin: string;
  let pages: Bun.Server<undefined>;
  beforeAll(async () => {
    browser = await openBrowser();
    pages = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      routes: {
        "/": new Response(
          `<!doctype html><title>A shop</title><link rel="icon" href="data:,">
           <script type="importmap">{ "imports": { "@petstore/client": "/client.js" } }</script>`,
          { headers: { "Content-Type": "text/html" } },
        ),
        "/client.js": new Response(Bun.file(join(project, "node_modules/@petstore/client/dist/client.js"))),
        "/page.js": new Response(Bun.file(join(project, "page.js"))),
        "/visit.js": new Response(Bun.file(join(project, "visit.js"))),
      },
    });
    origin = pages.url.href;
  });
  afterAll(async () => {
    await browser.close();
    await pages.stop(true);
  });

  const FROM_FILE = `Promise.all([import("@petstore/client"), import("/visit.js")])
    .then(([published, { visit }]) => (store) => visit(published, store))`;
  const BUNDLED = 'import("/page.js").then(({ visitStore }) => visitStore)';

  async function visitFromPage(store: Store, before?: string, loaded = FROM_FILE): Promise<string> {
    const watched = await openPage(browser, before === undefined ? {} : { before });
    await watched.page.goto(origin);
    const report: string = await watched.page.evaluate(
      `${loaded}.then((visitStore) => visitStore(${JSON.stringify(store)}))`,
    );
    expectClean({
      ...watched,
      faults: watched.faults.filter((fault) => !/ERR_CONNECTION_REFUSED/.test(fault)),
    });
    await watched.close();
    return report;
  }

  test("uses a store of another origin from a file, without a bundler, in Chromium", async () => {
    expect(await visitFresh(visitFromPage)).toEqual(REPORT);
  });

  test("is as exact in a browser without JSON.rawJSON, source text access and randomUUID", async () => {
    expect(await visitFresh((store) => visitFromPage(store, OLDER_BROWSER))).toEqual(REPORT);
  });

  test("works bundled and minified, and reads no key from a bundler's imitation of process", async () => {
    const before = 'globalThis.process = { env: { PETSTORE_KEY: "pet_live_bundled" }, versions: {} };';
    expect(await visitFresh((store) => visitFromPage(store, before, BUNDLED))).toEqual(REPORT);
  });
});
