import { beforeAll, describe, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { messagesDocument, petstoreDocument, stagingDocument } from "../../src/api/openapi-documents.ts";
import { makeKey } from "../wire/server.ts";
import { expectNoFaults } from "./console-page.ts";
import { execute, operation } from "./reference-page.ts";
import { shopForTests } from "./shop.ts";

// Tests that every API operation can be sent from the interactive API reference.

const shop = shopForTests();
let productionKey: string;
beforeAll(async () => {
  productionKey = await makeKey(shop.server.store);
});

/** The height of the phone's screen in CSS pixels. Its width is 390 px. */
const PHONE_HEIGHT = 844;

/**
 * The API operations, in an order in which each example refers to a resource that already exists. A category is created first,
 * before any animal uses its number.
 */
const ORDER = `createCategory createPet listPets getInventory getPet listCategories getCategory updateCategory
  placeOrder getOrder completeOrder cancelOrder updatePet deletePet deleteCategory listEvents
  createWebhook listWebhooks getWebhook testWebhook listDeliveries getDelivery redeliver
  rotateWebhookSecret updateWebhook deleteWebhook getKey`.split(/\s+/);

describe("sending requests", () => {
  test("every operation except listOrders is sent with its examples, including those that only staging has", async () => {
    const { operations } = petstoreDocument;
    const known = new Set(operations.map(({ id }) => id));
    expect([...ORDER, "listOrders"].sort()).toEqual([...known].sort());
    const own = stagingDocument.operations.filter(({ id }) => !known.has(id));
    expect(own.length).toBeGreaterThan(2);
    for (const [environment, sent] of [
      ["production", ORDER.flatMap((id) => operations.filter((one) => one.id === id))],
      ["staging", own],
    ] as const)
      await shop.reference(environment, {}, async (page) => {
        await page.getByLabel("API key").fill(await makeKey(shop.server.store, { environment }));
        for (const { id, success } of sent) {
          const { status } = await execute(page, operation(page, id));
          // The cancellation gets a 409, because the order was completed before.
          const expected = id === "cancelOrder" ? 409 : success.status;
          expect([id, Number(status.slice(0, 3))]).toEqual([id, expected]);
        }
      });
  });

  test("every operation of the message service is sent, from its own reference", async () => {
    await shop.reference("messages", {}, async (page, { requests }) => {
      expect(await page.locator("h1").innerText()).toBe("petstore messages API reference");
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
      // Only a message whose delivery has failed can be sent again.
      expect(statuses).toEqual(["200 OK", "409 Conflict"]);
      expect(requests.filter((sent) => sent.includes("/console/"))).toEqual([]);
    });
  });
});

describe("the page itself", () => {
  test.each([
    ["light", 320],
    ["dark", 1280],
  ] as const)(
    "axe finds nothing in the %s theme, and nothing is wider than %d pixels, in use and with every part unfolded, in both environments",
    async (theme, width) => {
      await shop.reference("production", { theme, width }, async (page) => {
        await expectNoFaults(page);
        await page.getByLabel("API key").fill(productionKey);
        for (const id of ["createPet", "getPet"]) await execute(page, operation(page, id));
        await page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
        await expectNoFaults(page);
        await page.getByRole("radio", { name: "staging" }).check();
        await expectNoFaults(page);
      });
    },
  );

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
