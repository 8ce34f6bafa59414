import { afterAll, beforeAll } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { BEHIND_PROXY } from "../wire/browser-session.ts";
import { type Server, startServer } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";
import { openBrowser, type WatchedPage } from "./browser.ts";
import { type ConsolePageOptions, withConsolePage } from "./console-page.ts";

/** A service with a new store, and a browser, for the tests of a file: both are there before its own `beforeAll`. */
export function shopForTests() {
  let server: Server;
  let browser: Browser;
  beforeAll(async () => {
    server = await startServer({ store: await freshEmbeddedStore(), env: BEHIND_PROXY });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
  return {
    get server(): Server {
      return server;
    },
    /** One that a test has started in the other's place. */
    set server(another: Server) {
      server = another;
    },
    get browser(): Browser {
      return browser;
    },
    /** `withConsolePage` of this shop. */
    open(
      path: string,
      options: ConsolePageOptions,
      steps: (page: Page, watched: WatchedPage) => Promise<void>,
    ): Promise<void> {
      return withConsolePage(browser, server, path, options, steps);
    },
  };
}
