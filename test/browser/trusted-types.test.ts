import { expect, setDefaultTimeout, test } from "bun:test";
import { send } from "../wire/send.ts";
import { consoleAddress } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// What an injected script could still do on a page of ours. That the pages themselves break no rule, every other test
// of this folder shows: each violation fails it.

setDefaultTimeout(120_000);

const shop = shopForTests();

const DIRECTIVES = "require-trusted-types-for 'script'; trusted-types 'none'";

test("no script of the console makes markup, or a policy that would, of a string", async () => {
  const options = { expected: /require-trusted-types-for|trusted-types|Trusted(HTML|Script|ScriptURL|Type)/ };
  await shop.open("/sign-in", options, async (page) => {
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

test("every page has the directives", async () => {
  const policyOf = async (path: string) =>
    (await send("GET", consoleAddress(shop.server) + path)).headers.get("Content-Security-Policy") ?? "";
  for (const path of [
    "/",
    "/keys",
    "/sign-in",
    "/docs",
    "/docs/errors",
    "/docs/deprecations",
    "/docs/guides/webhooks",
  ])
    expect([path, await policyOf(path)]).toEqual([path, expect.stringContaining(DIRECTIVES)]);
});
