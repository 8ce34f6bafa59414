import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { expectClean, OLDER_BROWSER, openBrowser, openPage } from "../browser/browser.ts";
import { freshEmbeddedStore, makeKey, type Server, startServer } from "../wire/server.ts";
import { installClient, run } from "./installed.ts";
import type { Store } from "./visit.ts";

// The published module, installed in another project and loaded by a page.

setDefaultTimeout(120_000);

/** The report of the visit, the same on every runtime. */
const REPORT = {
  animals: {
    categories: ["Cats", "Purring 🐈", 1],
    added: ["9007199254740993n", "-9223372036854775808n", "9223372036854775807n", 7, 7],
    changed: { id: true, name: 'Ré\\"x\u2028', categoryId: "-9223372036854775808n" },
    pages: [2, 2],
    exact: 1,
    chosen: 2,
    one: "9007199254740993n",
  },
  orders: {
    placed: [1, "2026-01-01T12:00:00.000Z"],
    complete: [true, null, 1],
    kept: 1,
  },
  refusal: ["not_found", 404, "There is no order 1125899906842624.", true, false, [404]],
  staging: 0,
  message: [true, true],
  unreachable: true,
  aborted: "AbortError",
  followed: [["9007199254740993n", "-9223372036854775808n", "9223372036854775807n"], "AbortError"],
  delivery: ["pet.created", { id: "9007199254740993n" }, true],
};

let project: string;
beforeAll(async () => {
  ({ project } = await installClient());
  await Bun.build({
    entrypoints: [Bun.fileURLToPath(new URL("visit.ts", import.meta.url))],
    outdir: project,
  });
  await Bun.write(
    join(project, "main.js"),
    `import * as published from "@petstore/client";
     import { visit } from "./visit.js";
     console.log(await visit(published, JSON.parse(process.argv[2])));`,
  );
});

/** A visit to a service with a fresh store. */
async function visitFresh(happen: (store: Store) => Promise<string>): Promise<unknown> {
  const server = await startServer({ store: await freshEmbeddedStore() });
  try {
    return JSON.parse(await happen(await storeOf(server)));
  } finally {
    await server.stop();
  }
}

async function storeOf({ store, production, staging, messages }: Server): Promise<Store> {
  const [key, stagingKey] = await Promise.all([makeKey(store), makeKey(store, "--environment", "staging")]);
  const closed = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const nowhere = `http://localhost:${closed.port}`;
  await closed.stop();
  return { production, staging, messages, key, stagingKey, nowhere };
}

describe("@petstore/client, as it is packed", () => {
  test("goes through a store on Node", async () => {
    expect((await run(project, "node", "--version")).trim()).toMatch(/^v(2[0-9]|[3-9][0-9])\./);
    expect(await visitFresh((store) => run(project, "node", "main.js", JSON.stringify(store)))).toEqual(
      REPORT,
    );
  });

  test("goes through a store on Bun", async () => {
    const { execPath } = process;
    expect(await visitFresh((store) => run(project, execPath, "main.js", JSON.stringify(store)))).toEqual(
      REPORT,
    );
  });
});

describe("@petstore/client in a page, from a file, without a bundler", () => {
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
        "/visit.js": new Response(Bun.file(join(project, "visit.js"))),
      },
    });
    origin = pages.url.href;
  });
  afterAll(async () => {
    await browser.close();
    await pages.stop(true);
  });

  async function visitFromPage(store: Store, before?: string): Promise<string> {
    const watched = await openPage(browser, before === undefined ? {} : { before });
    await watched.page.goto(origin);
    const report: string = await watched.page.evaluate(
      `(async () => {
        const [published, { visit }] = await Promise.all([import("@petstore/client"), import("/visit.js")]);
        return visit(published, ${JSON.stringify(store)});
      })()`,
    );
    expectClean({
      ...watched,
      faults: watched.faults.filter((fault) => !/ERR_CONNECTION_REFUSED/.test(fault)),
    });
    await watched.close();
    return report;
  }

  test("goes through a store of another origin, in Chromium", async () => {
    expect(await visitFresh(visitFromPage)).toEqual(REPORT);
  });

  test("is as exact in a browser without JSON.rawJSON, source text access and randomUUID", async () => {
    expect(await visitFresh((store) => visitFromPage(store, OLDER_BROWSER))).toEqual(REPORT);
  });
});
