import { expect, test } from "bun:test";
import { send } from "../wire/send.ts";
import { makeKey, startServer } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";
import { openBrowser } from "./browser.ts";
import { signUpPerson, withConsolePage } from "./console-page.ts";

test("a page of the console follows events with the browser's own EventSource, and its session", async () => {
  const server = await startServer({ store: await freshEmbeddedStore() });
  const browser = await openBrowser();
  const person = await signUpPerson(server);
  const key = await makeKey(server.store);
  await withConsolePage(browser, server, "/", { person }, async (page) => {
    const follow = `new Promise((resolve) => {
      const source = new EventSource("/console/api/events?type=pet.created");
      source.onopen = () => {
        window.followed = new Promise((seen) => {
          source.addEventListener("pet.created", ({ data, lastEventId }) => {
            source.close();
            seen([JSON.parse(data).data.name, lastEventId]);
          });
        });
        resolve(source.readyState);
      };
    })`;
    expect(await page.evaluate(follow)).toBe(1);
    await send("POST", `${server.production}/pets`, { key, body: '{"name":"Rex","categoryId":1}' });
    expect(await page.evaluate("window.followed")).toEqual(["Rex", "1"]);
  });
  await browser.close();
  await server.stop();
}, 60_000);
