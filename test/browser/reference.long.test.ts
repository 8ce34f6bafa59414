import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import { petstoreDocument } from "../../src/api/openapi-documents.ts";
import { freshEmbeddedStore, makeKey, type Server, send, startServer } from "../wire/server.ts";
import { axe, expectClean, openBrowser, openPage } from "./browser.ts";
import { execute, operation, tryOut, withReferencePage } from "./reference-page.ts";

// The interactive reference, every operation of it.

setDefaultTimeout(600_000);

let server: Server;
let browser: Browser;
let productionKey: string;
beforeAll(async () => {
  server = await startServer({ store: await freshEmbeddedStore() });
  productionKey = await makeKey(server.store);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

describe("trying operations", () => {
  test("every operation has a form, except listOrders: x-hideTryItPanel decides", async () => {
    await withReferencePage(browser, server, "production", {}, async (page) => {
      const { body } = await send("GET", `${new URL(server.production).origin}/openapi.json`);
      const methods: { operationId: string; tags: string[]; "x-hideTryItPanel"?: true }[] = Object.values<
        Record<string, never>
      >(JSON.parse(body).paths).flatMap((path) => Object.values(path));
      expect(methods.length).toBe(petstoreDocument.operations.length);
      for (const { operationId, tags, "x-hideTryItPanel": isHidden } of methods) {
        const block = operation(page, String(tags[0]), operationId);
        await block.getByRole("button").first().click();
        await block.getByRole("heading", { name: "Responses" }).waitFor();
        const buttons = await block.getByRole("button", { name: "Try it out" }).count();
        expect([operationId, buttons]).toEqual([operationId, isHidden ? 0 : 1]);
        await block.getByRole("button").first().click();
      }
    });
  });

  test("every form can be sent with its initial values", async () => {
    const steps = [
      ["Pets", "createPet", "201 Created"],
      ["Pets", "listPets", "200 OK"],
      ["Pets", "getPet", "200 OK"],
      ["Categories", "createCategory", "201 Created"],
      ["Categories", "listCategories", "200 OK"],
      ["Categories", "getCategory", "200 OK"],
      ["Categories", "updateCategory", "200 OK"],
      ["Store", "placeOrder", "201 Created"],
      ["Store", "completeOrder", "200 OK"],
      ["Store", "cancelOrder", "409 Conflict"],
      ["Pets", "updatePet", "200 OK"],
      ["Pets", "deletePet", "204 No Content"],
      ["Categories", "deleteCategory", "204 No Content"],
      ["Events", "listEvents", "200 OK"],
      ["Webhooks", "createWebhook", "201 Created"],
      ["Webhooks", "listWebhooks", "200 OK"],
      ["Webhooks", "getWebhook", "200 OK"],
      ["Webhooks", "testWebhook", "202 Accepted"],
      ["Webhooks", "listDeliveries", "200 OK"],
      ["Webhooks", "redeliver", "202 Accepted"],
      ["Webhooks", "rotateWebhookSecret", "200 OK"],
      ["Webhooks", "updateWebhook", "200 OK"],
      ["Webhooks", "deleteWebhook", "204 No Content"],
    ] as const;
    const store = await freshEmbeddedStore();
    const fresh = await startServer({ store });
    const watched = await openPage(browser);
    await watched.page.goto(`${new URL(fresh.production).origin}/docs`);
    await watched.page.getByLabel("API key").fill(await makeKey(store));
    for (const [tag, id, status] of steps) {
      const block = await tryOut(watched.page, tag, id);
      const { live } = await execute(watched.page, block);
      expect([id, await live.locator(".status").innerText()]).toEqual([id, status]);
      await block.getByRole("button").first().click();
    }
    expectClean(watched);
    await watched.close();
    await fresh.stop();
  });
});

describe("the page itself", () => {
  for (const theme of ["light", "dark"] as const) {
    test(`axe finds nothing in the ${theme} theme, folded and in use, in both environments`, async () => {
      await withReferencePage(browser, server, "production", { theme }, async (page) => {
        const folded = await axe(page);
        expect(folded.found).toEqual([]);
        await page.getByLabel("API key").fill(productionKey);
        const block = await tryOut(page, "Pets", "createPet");
        await execute(page, block);
        await block.getByText("The same with curl").click();
        for (const answer of await block.locator(".response > summary").all()) await answer.click();
        await block.locator(".response").getByRole("tab", { name: "Schema" }).first().click();
        await tryOut(page, "Pets", "listPets");
        await operation(page, "webhooks", "petUpdated").getByRole("button").first().click();
        const inUse = await axe(page);
        expect(inUse.found).toEqual([]);
        await page.getByRole("radio", { name: "staging" }).check();
        expect((await axe(page)).found).toEqual([]);
        console.log(`axe, reference, ${theme}: ${folded.count} and ${inUse.count} rules, nothing found`);
      });
    });
  }

  test("fits a phone: nothing is wider than 360 pixels", async () => {
    await withReferencePage(browser, server, "production", { width: 360 }, async (page) => {
      const overflow = () => page.evaluate("document.documentElement.scrollWidth - innerWidth");
      expect(await overflow()).toBe(0);
      await page.getByLabel("API key").fill(productionKey);
      const block = await tryOut(page, "Pets", "createPet");
      await execute(page, block);
      await block.getByText("The same with curl").click();
      for (const answer of await block.locator(".response > summary").all()) await answer.click();
      for (const tab of await block.getByRole("tab", { name: "Schema" }).all()) await tab.click();
      await operation(page, "webhooks", "petUpdated").getByRole("button").first().click();
      expect(await overflow()).toBe(0);
    });
  });
});
