import { expect, test } from "bun:test";
import { shopForTests } from "./shop.ts";

// Limits of a script injected into a console page. Every other test of this folder fails on a policy violation.

const shop = shopForTests();

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
