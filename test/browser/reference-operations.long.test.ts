import { beforeAll, describe, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { messagesDocument, petstoreDocument, stagingDocument } from "../../src/api/openapi-documents.ts";
import { makeKey } from "../wire/server.ts";
import { axe } from "./browser.ts";
import { execute, operation } from "./reference-page.ts";
import { shopForTests } from "./shop.ts";

// Every operation of the interactive reference.

const shop = shopForTests();
let productionKey: string;
beforeAll(async () => {
  productionKey = await makeKey(shop.server.store);
});

/** CSS pixels of a phone that is 390 wide. */
const PHONE_HEIGHT = 844;

/** Operations, ordered so that each example finds its resource, with the expected status. */
const STEPS = [
  // Before its animals: a generated number is none that they have.
  ["createCategory", "201 Created"],
  ["createPet", "201 Created"],
  ["listPets", "200 OK"],
  ["getPet", "200 OK"],
  ["listCategories", "200 OK"],
  ["getCategory", "200 OK"],
  ["updateCategory", "200 OK"],
  ["placeOrder", "201 Created"],
  ["getOrder", "200 OK"],
  ["completeOrder", "200 OK"],
  ["cancelOrder", "409 Conflict"],
  ["updatePet", "200 OK"],
  ["deletePet", "204 No Content"],
  ["deleteCategory", "204 No Content"],
  ["listEvents", "200 OK"],
  ["createWebhook", "201 Created"],
  ["listWebhooks", "200 OK"],
  ["getWebhook", "200 OK"],
  ["testWebhook", "202 Accepted"],
  ["listDeliveries", "200 OK"],
  ["getDelivery", "200 OK"],
  ["redeliver", "202 Accepted"],
  ["rotateWebhookSecret", "200 OK"],
  ["updateWebhook", "200 OK"],
  ["deleteWebhook", "204 No Content"],
  ["getKey", "200 OK"],
] as const;

describe("sending requests", () => {
  test("every operation of the document but listOrders is sent with its examples", async () => {
    const ids = petstoreDocument.operations.map(({ id }) => id);
    expect([...STEPS.map(([id]) => id as string), "listOrders"].sort()).toEqual(ids.toSorted());
    await shop.reference("production", {}, async (page) => {
      await page.getByLabel("API key").fill(productionKey);
      for (const [id, expected] of STEPS) {
        const { status } = await execute(page, operation(page, id));
        expect([id, status]).toEqual([id, expected]);
      }
      expect(await operation(page, "listOrders").getByRole("button", { name: "Send" }).count()).toBe(0);
    });
  });

  test("every operation that staging alone has is sent with its examples", async () => {
    const known = new Set(petstoreDocument.operations.map(({ id }) => id));
    const own = stagingDocument.operations.filter(({ id }) => !known.has(id));
    expect(own.length).toBeGreaterThan(2);
    await shop.reference("staging", {}, async (page) => {
      await page.getByLabel("API key").fill(await makeKey(shop.server.store, { environment: "staging" }));
      for (const { id, success } of own) {
        const { status } = await execute(page, operation(page, id));
        expect([id, Number(status.slice(0, 3))]).toEqual([id, success.status]);
      }
    });
  });

  test("every operation of the message service is sent, from its own reference", async () => {
    await shop.reference("messages", {}, async (page, { requests }) => {
      expect(await page.locator("h1").innerText()).toBe("Petstore messages API reference");
      expect(await page.getByRole("link", { name: "Console" }).count()).toBe(0);
      await page.getByLabel("API key").fill(productionKey);
      const [submit, ...others] = messagesDocument.operations.map(({ id }) => operation(page, id));
      if (submit === undefined) throw new Error("The document has no operations.");
      expect((await execute(page, submit)).status).toBe("202 Accepted");
      const made = JSON.parse(await submit.getByRole("group", { name: "Answer's body" }).innerText());
      const statuses: string[] = [];
      for (const other of others) {
        await other.getByLabel("id", { exact: true }).fill(made.id);
        statuses.push((await execute(page, other)).status);
      }
      // A message that has not failed is not sent again.
      expect(statuses).toEqual(["200 OK", "409 Conflict"]);
      expect(requests.filter((sent) => sent.includes("/console/"))).toEqual([]);
    });
  });
});

describe("the page itself", () => {
  for (const [theme, width] of [
    ["light", 320],
    ["dark", 1280],
  ] as const) {
    test(`axe finds nothing in the ${theme} theme, and nothing is wider than ${width} pixels, in use and with every part unfolded, in both environments`, async () => {
      await shop.reference("production", { theme, width }, async (page) => {
        const overflow = () => page.evaluate("document.documentElement.scrollWidth - innerWidth");
        expect(await overflow()).toBe(0);
        const folded = await axe(page);
        expect(folded.found).toEqual([]);
        await page.getByLabel("API key").fill(productionKey);
        await execute(page, operation(page, "createPet"));
        await execute(page, operation(page, "getPet"));
        await page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
        expect(await overflow()).toBe(0);
        const inUse = await axe(page);
        expect(inUse.found).toEqual([]);
        await page.getByRole("radio", { name: "staging" }).check();
        expect((await axe(page)).found).toEqual([]);
        console.log(`axe, reference, ${theme}: ${folded.count} and ${inUse.count} rules, nothing found`);
      });
    });
  }

  test("on a phone the first field of a body, and Send, are within two screens of the operation's heading", async () => {
    for (const service of ["production", "staging"] as const) {
      await shop.reference(service, { width: 390 }, async (page) => {
        const block = operation(page, "createPet");
        const bottomOf = async (part: Locator) => {
          const box = await part.boundingBox();
          return (box?.y ?? Number.NaN) + (box?.height ?? 0);
        };
        const top = await bottomOf(block.getByRole("heading", { name: "Add an animal" }));
        const screens = async (part: Locator) => ((await bottomOf(part)) - top) / PHONE_HEIGHT;
        const description = block.locator("dt", { hasText: /^name/ }).first();
        expect(await screens(description)).toBeLessThan(0.75);
        expect(await screens(block.getByLabel("Request body"))).toBeLessThan(1.5);
        expect(await screens(block.getByRole("button", { name: "Send" }))).toBeLessThan(2);
      });
    }
  });
});
