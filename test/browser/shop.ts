import { afterAll, beforeAll } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { BEHIND_PROXY, type BrowserSession, signUp } from "../wire/browser-session.ts";
import { type Server, startServer } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";
import { openBrowser, type PageOptions, type WatchedPage } from "./browser.ts";
import { type ConsolePageOptions, type Environment, withConsolePage } from "./console-page.ts";
import type { Shop } from "./console-screens.ts";
import { withReferencePage } from "./reference-page.ts";

type Steps = (page: Page, watched: WatchedPage) => Promise<void>;

/**
 * Registers a `beforeAll` that starts a browser and a service with an empty store. It runs before the test file's own `beforeAll`
 * calls.
 */
export function shopForTests(env: Readonly<Record<string, string>> = {}) {
  const servers: Server[] = [];
  let server: Server;
  let browser: Browser;
  async function start(): Promise<Server> {
    const started = await startServer({
      store: await freshEmbeddedStore(),
      env: { ...BEHIND_PROXY, ...env },
    });
    servers.push(started);
    return started;
  }
  beforeAll(async () => {
    server = await start();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    for (const started of servers) await started.stop();
  });
  return {
    environment: "production" as const,
    get server(): Server {
      return server;
    },
    /** Makes the following tests use another server, which a test has started. */
    set server(another: Server) {
      servers.splice(servers.indexOf(server), 1, another);
      server = another;
    },
    get browser(): Browser {
      return browser;
    },
    /** Starts a second service with an empty store, which runs until all tests in the file have ended. */
    async another(environment: Environment = "production"): Promise<Shop> {
      return { server: await start(), environment };
    },
    /** Registers a `beforeAll` that creates an account for a person. */
    person(email = "ada@example.com", environment: Environment = "production"): BrowserSession {
      const session = {} as BrowserSession;
      beforeAll(async () => void Object.assign(session, await signUp(server, email, environment)));
      return session;
    },
    open(path: string, options: ConsolePageOptions, steps: Steps): Promise<void> {
      return withConsolePage(browser, server, path, options, steps);
    },
    reference(
      service: "production" | "staging" | "messages",
      options: PageOptions & { readonly hash?: string },
      steps: Steps,
    ): Promise<void> {
      return withReferencePage(browser, server, service, options, steps);
    },
  };
}
