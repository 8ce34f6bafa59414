import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import { freshEmbeddedStore, type Server, send, startServer } from "../wire/server.ts";
import { openBrowser } from "./browser.ts";
import { consoleAddress, withConsolePage } from "./console-page.ts";

// What an injected script could still do on a page of ours. That the pages themselves break no rule, every other test
// of this folder shows: each violation fails it.

setDefaultTimeout(120_000);

let server: Server;
let browser: Browser;
beforeAll(async () => {
  server = await startServer({ store: await freshEmbeddedStore() });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const DIRECTIVES = "require-trusted-types-for 'script'; trusted-types 'none'";

test("no script of the console makes markup, or a policy that would, of a string", async () => {
  const options = { expected: /require-trusted-types-for|trusted-types|Trusted(HTML|Script|ScriptURL|Type)/ };
  await withConsolePage(browser, server, "/sign-in", options, async (page) => {
    for (const script of [
      `document.body.innerHTML = "<b>injected</b>"`,
      `document.createElement("script").text = "1"`,
      `document.createElement("script").src = "/x.js"`,
      `document.body.insertAdjacentHTML("beforeend", "<b>injected</b>")`,
      `new DOMParser().parseFromString("<b>injected</b>", "text/html")`,
      `trustedTypes.createPolicy("default", { createHTML: (text) => text })`,
    ]) {
      const outcome = await page.evaluate(
        `(() => { try { ${script}; return "done"; } catch (e) { return e.name; } })()`,
      );
      expect([script, outcome]).toEqual([script, "TypeError"]);
    }
    expect(await page.getByText("injected").count()).toBe(0);
  });
});

test("every page has the directives but the reference, whose swagger-ui makes markup of strings", async () => {
  const policyOf = async (path: string) =>
    (await send("GET", consoleAddress(server) + path)).headers.get("Content-Security-Policy") ?? "";
  for (const path of ["/", "/keys", "/sign-in", "/docs/errors", "/docs/deprecations"])
    expect([path, await policyOf(path)]).toEqual([path, expect.stringContaining(DIRECTIVES)]);
  expect(await policyOf("/docs")).not.toContain("trusted-types");
});
