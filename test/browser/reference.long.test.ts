import { beforeAll, describe, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { signUp } from "../wire/browser-session.ts";
import { send } from "../wire/send.ts";
import { makeKey } from "../wire/server.ts";
import { OLDER_BROWSER, openPage } from "./browser.ts";
import { bodyOf, docsOf, execute, operation, sampleOf } from "./reference-page.ts";
import { shopForTests } from "./shop.ts";

const BIG = "9007199254740993";

const shop = shopForTests();
let productionKey: string;
let stagingKey: string;
beforeAll(async () => {
  productionKey = await makeKey(shop.server.store);
  stagingKey = await makeKey(shop.server.store, { environment: "staging" });
});

describe("sending requests", () => {
  test("nothing on the page can send listOrders", async () => {
    const address = "?url=/x#listOrders";
    await shop.reference("production", { hash: address }, async (page, { requests }) => {
      const orders = operation(page, "listOrders");
      await orders.getByText("cannot be sent from this page").waitFor();
      expect(await orders.locator("button[type=submit], .send, .try").count()).toBe(0);
      await page.evaluate("document.querySelector('[aria-labelledby=listOrders] form').requestSubmit()");

      await page.getByLabel("API key").fill(productionKey);
      // Tries to call an operation that the page does not offer: with path traversal in an identifier, and by editing a form.
      const order = operation(page, "getOrder");
      for (const petId of ["", ".", "../orders", "%2e"]) {
        await order.getByLabel("orderId").fill(petId);
        await order.getByRole("button", { name: "Send" }).click();
        await order.locator(".send .status").waitFor();
      }
      const pets = operation(page, "listPets");
      const dataOf = (block: Locator) => block.locator("form").getAttribute("data-operation");
      const change = (data: string | null) =>
        pets.locator("form").evaluate((form, to) => form.setAttribute("data-operation", String(to)), data);
      const [original, hidden] = [await dataOf(pets), String(await dataOf(orders))];
      for (const path of ["/store/orders", "/store/orders/", "/store/%6frders"]) {
        await change(hidden.replace("/store/orders", path));
        await pets.getByRole("button", { name: "Send" }).click();
        await pets.getByText("cannot be sent from this page").waitFor();
      }
      // Once the response to this last request has arrived, all earlier requests have arrived as well.
      await change(original);
      await execute(page, pets);
      const reached = requests.filter((request) => /\/store\/(orders|%6frders)\/?(\?|$)/.test(request));
      expect(reached).toEqual([]);
      expect(requests.at(-1)).toBe(`GET ${shop.server.production}/pets`);
    });
  });

  test("header fields that an operation declares are sent, and the answer shows status, time, header fields and body", async () => {
    await shop.reference("production", {}, async (page) => {
      await page.getByLabel("API key").fill(productionKey);
      const block = operation(page, "createPet");
      await block.getByLabel("Idempotency-Key").fill("from-the-reference");
      const { request, status } = await execute(page, block);
      expect(await request.headerValue("Idempotency-Key")).toBe("from-the-reference");
      expect(status).toBe("201 Created");
      expect(await block.locator(".send .status").innerText()).toMatch(/ after \d+ ms$/);
      await block.locator(".answer summary").click();
      expect(await block.getByRole("group", { name: "Answer's header fields" }).innerText()).toContain(
        `location: ${shop.server.production}/pets/`,
      );
      await execute(page, block);
      expect(await block.locator(".answer").textContent()).toContain("idempotent-replayed: true");

      const update = operation(page, "updatePet");
      await update.getByLabel("If-Match").fill('"another"');
      expect((await execute(page, update)).status).toBe("412 Precondition Failed");
    });
  });

  test("the page says if no response has come", async () => {
    const watched = await openPage(shop.browser);
    await watched.page.goto(docsOf(shop.server, "production"));
    const block = operation(watched.page, "listPets");
    await watched.page.context().setOffline(true);
    await block.getByRole("button", { name: "Send" }).click();
    await block.getByText("No response was received: the request could not be sent").waitFor();
    await watched.close();
  });
});

describe("what is said about an operation", () => {
  test("the page shows deprecation, beta, ranges, headers and errors, and offers no button for deliveries", async () => {
    await shop.reference("production", {}, async (page) => {
      const badges = (id: string) => operation(page, id).locator(".badge").allTextContents();
      expect([await badges("getPet"), await badges("deletePet"), await badges("listPets")]).toEqual([
        ...[["Deprecated, ends 5 December 2030"], ["beta"], []],
      ]);
      const text = async (id: string) => (await operation(page, id).textContent()) ?? "";
      expect(await text("listPets")).toContain("1 to 100. Default 20. Example 20.");
      expect(await text("createPet")).toContain("-9223372036854775808 to 9223372036854775807.");
      expect(await text("createPet")).toContain("Idempotent-Replayed");
      expect(await page.content()).not.toContain("9223372036854776");
      const errors = await page.locator("section[aria-labelledby=errors]").innerText();
      for (const part of ["application/problem+json", "400 to 599"]) expect(errors).toContain(part);
      await page.getByRole("link", { name: "order.placed" }).first().click();
      const block = operation(page, "order");
      await block.getByText('"order.placed"').first().waitFor();
      expect(await block.getByRole("button", { name: "Send" }).count()).toBe(0);
      const shared = await page.locator("section[aria-labelledby=deliveries] .intro").innerText();
      for (const part of ["webhook-signature", "webhook-id", "410", "2XX"]) expect(shared).toContain(part);
      const refusals = operation(page, "deletePet").locator("details");
      expect(await refusals.getByRole("link").count()).toBe(0);
      await refusals.locator("summary", { hasText: "pet_has_open_order" }).click();
      await refusals.getByRole("link", { name: "pet_has_open_order" }).click();
      await page.waitForURL("**/docs/errors#pet_has_open_order");
    });
  });

  test("without JavaScript, the page has everything except Send", async () => {
    const context = await shop.browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(docsOf(shop.server, "production"));
    await page.getByText("Sending requests from this page needs JavaScript").waitFor();
    const block = operation(page, "createPet");
    expect(await sampleOf(block, "curl").isVisible()).toBe(true);
    await block.getByText("Python").click();
    expect(await sampleOf(block, "Python").isVisible()).toBe(true);
    expect(await sampleOf(block, "curl").isVisible()).toBe(false);
    expect(await page.getByRole("button", { name: "Send" }).count()).toBe(0);
    expect(await page.getByRole("textbox").count()).toBe(0);
    await context.close();
  });
});

test("64-bit integers keep every digit in samples, requests and responses, even in an older browser", async () => {
  const far = "-9223372036854775807";
  await send("POST", `${shop.server.production}/pets`, {
    key: productionKey,
    body: `{"name":"Far","categoryId":${far}}`,
  });
  await shop.reference("production", { before: OLDER_BROWSER }, async (page) => {
    await page.getByLabel("API key").fill(productionKey);
    const block = operation(page, "createPet");
    const typed = `{ "name": "Big: {[,\\"]}",  "categoryId": ${BIG} }`;
    await block.getByLabel("Request body").fill(typed);
    expect(await sampleOf(block, "TypeScript").textContent()).toContain(`categoryId: ${BIG}n`);
    expect((await execute(page, block)).request.postData()).toBe(typed);
    const id = /"id": (\d+)/.exec(await bodyOf(block))?.[1];
    expect(await bodyOf(block)).toBe(
      `{\n  "id": ${id},\n  "name": "Big: {[,\\"]}",\n  "categoryId": ${BIG}\n}`,
    );
    const list = operation(page, "listPets");
    await list.getByLabel("categoryId").fill(far);
    await list.getByLabel("id", { exact: true }).fill(`${BIG},1,2,3`);
    const pets = `${shop.server.production}/pets`;
    const listed = await execute(page, list);
    expect(listed.request.url()).toBe(`${pets}?categoryId=${far}&id=${BIG},1,2,3`);
    const get = operation(page, "getPet");
    for (const petId of [BIG, "-007"]) {
      await get.getByLabel("petId").fill(petId);
      expect((await execute(page, get)).request.url()).toBe(`${pets}/${petId}`);
    }
  });
});

describe("code samples", () => {
  test("follow the form, with every digit, and never show the key", async () => {
    await shop.reference("production", {}, async (page) => {
      await page.getByLabel("API key").fill(productionKey);
      const block = operation(page, "updatePet");
      await block.getByLabel("petId").fill(BIG);
      await block.getByLabel("If-Match").fill('"a"');
      await block.getByLabel("Request body").fill(`{"name":"O'Neill","categoryId":-${BIG}}`);
      const text = async (language: string) => (await sampleOf(block, language).textContent()) ?? "";
      expect(await text("curl")).toBe(`curl -X PATCH '${shop.server.production}/pets/${BIG}' \\
  -H "Authorization: Bearer $PETSTORE_KEY" \\
  -H 'Content-Type: application/merge-patch+json' \\
  -H 'If-Match: "a"' \\
  --data-raw '{"name":"O'\\''Neill","categoryId":-${BIG}}'`);
      expect(await text("TypeScript")).toContain(
        `client.pets.update(${BIG}n, { name: "O'Neill", categoryId: -${BIG}n }, { ifMatch: "\\"a\\"" })`,
      );
      expect(await text("Python")).toContain(`json.dumps({"name": "O'Neill", "categoryId": -${BIG}})`);
      expect(await page.locator("main").textContent()).not.toContain(productionKey);

      const list = operation(page, "listPets");
      await list.getByLabel("status", { exact: true }).selectOption("sold");
      await list.getByLabel("id", { exact: true }).fill("1,2");
      expect(await sampleOf(list, "curl").textContent()).toContain("/pets?status=sold&id=1,2'");
      await operation(page, "createPet")
        .getByRole("combobox", { name: "Example" })
        .selectOption("withoutStatus");
      expect(await sampleOf(operation(page, "createPet"), "Python").textContent()).toContain('"Rex"');

      await page.getByRole("radio", { name: "staging" }).check();
      expect(await text("curl")).toStartWith(`curl -X PATCH '${shop.server.staging}/pets/${BIG}'`);
    });
  });

  test("can be switched between three languages for all operations, and copied, by keyboard", async () => {
    await shop.reference("production", { hash: "#updatePet" }, async (page) => {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      const block = operation(page, "updatePet");
      await block.getByRole("radio", { name: "curl" }).focus();
      for (const [label, beginning] of [
        ["curl", `curl -X PATCH '${shop.server.production}/pets/1' \\\n`],
        ["TypeScript", 'import { createClient } from "@petstore/client";\n'],
        ["Python", "import json\n"],
      ] as const) {
        const sample = sampleOf(block, label);
        await sample.waitFor();
        expect(await sampleOf(operation(page, "deletePet"), label).isVisible()).toBe(true);
        await page.keyboard.press("Tab");
        await page.keyboard.press("Tab");
        expect(await page.locator(":focus").innerText()).toBe("Copy");
        await page.keyboard.press("Enter");
        await block.getByRole("button", { name: "Copied" }).waitFor();
        const copied = await page.evaluate<string>("navigator.clipboard.readText()");
        expect(copied).toStartWith(beginning);
        expect(copied).toContain(shop.server.production);
        await block.getByRole("radio", { name: label }).focus();
        await page.keyboard.press("ArrowRight");
      }
    });
  });
});

describe("the key and the server", () => {
  test("their labels are at the same height, and the addresses of the servers begin in one column", async () => {
    await shop.reference("production", { width: 1920 }, async (page) => {
      const boxOf = async (place: Locator) => (await place.boundingBox()) ?? expect.unreachable();
      const [servers, key] = [page.locator(".servers legend"), page.locator(".key label")];
      expect((await boxOf(servers)).y).toBe((await boxOf(key)).y);
      const addresses = await page.locator(".servers label code").all();
      const starts = await Promise.all(addresses.map(async (address) => (await boxOf(address)).x));
      expect([starts.length, new Set(starts).size]).toEqual([2, 1]);
    });
  });

  test("the key is sent as a bearer token and stored nowhere, and staging has a separate key", async () => {
    await shop.reference("production", {}, async (page, { requests }) => {
      const field = page.getByLabel("API key");
      const choose = (server: string) => page.getByRole("radio", { name: server }).check();
      expect(await field.getAttribute("type")).toBe("password");
      await field.fill(` ${productionKey} `);
      await page.getByRole("button", { name: "Show" }).click();
      expect(await field.getAttribute("type")).toBe("text");
      const { request, status } = await execute(page, operation(page, "listCategories"));
      expect(await request.headerValue("Authorization")).toBe(`Bearer ${productionKey}`);
      expect(status).toBe("200 OK");
      expect(await page.locator("#staging").isVisible()).toBe(false);

      await choose("staging");
      expect(await page.locator("#staging").isVisible()).toBe(true);
      expect(await field.inputValue()).toBe("");
      await field.fill(stagingKey);
      const listed = await execute(page, operation(page, "listPets"));
      expect(listed.request.url()).toBe(`${shop.server.staging}/pets`);
      expect(await bodyOf(operation(page, "listPets"))).toBe("[]");

      await choose("production");
      expect(await field.inputValue()).toBe(productionKey);
      expect(requests.join(" ")).not.toContain(productionKey);
      const stores = "[localStorage.length, sessionStorage.length, document.cookie].join()";
      expect(await page.evaluate(stores)).toBe("0,0,");
      await page.reload();
      expect(await field.inputValue()).toBe("");
    });
  });

  test("a person who is signed in to the console gets a one-hour read key for the page's environment", async () => {
    const ada = await signUp(shop.server, "ada@example.com", "staging");
    const [name = "", value = ""] = (ada.cookie() ?? "").split("=");
    await shop.reference("staging", {}, async (page) => {
      expect(await page.title()).toBe("petstore API reference (staging)");
      expect(await page.getByRole("radio", { name: "staging" }).isChecked()).toBe(true);
      await page.getByText("Requests go to test data").waitFor();
      const offer = page.getByRole("button", { name: "one-hour read key" });
      expect(await offer.count()).toBe(0);
      await page
        .context()
        .addCookies([{ name, value, url: new URL(shop.server.staging).origin, sameSite: "Strict" }]);
      await page.reload();
      // Double-clicks the button, and selects the other environment before the response with the new API key arrives.
      await page.route("**/keys/one-hour", async (route) => {
        await page.getByRole("radio", { name: "production" }).check();
        await route.continue();
      });
      await offer.dblclick();
      await page
        .getByText("The new key API reference, one hour is now in this field")
        .waitFor({ state: "attached" });
      expect(await page.getByLabel("API key").inputValue()).toBe("");
      await page.getByRole("radio", { name: "staging" }).check();
      await page.getByLabel("API key").fill("");
      await offer.click();
      expect(await ada.read("/keys")).toHaveLength(1);
      const listed = await execute(page, operation(page, "listPets"));
      expect([listed.request.url(), listed.status]).toEqual([`${shop.server.staging}/pets`, "200 OK"]);
      expect((await execute(page, operation(page, "createPet"))).status).toBe("403 Forbidden");
      await page.getByRole("radio", { name: "production" }).check();
      expect(await offer.count()).toBe(0);
    });
  });
});

describe("the page itself", () => {
  test("works by keyboard, with a visible focus", async () => {
    await shop.reference("production", {}, async (page) => {
      await page.keyboard.press("Tab");
      expect(await page.locator(":focus").innerText()).toBe("Skip to the text");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      expect(await page.locator(":focus").getAttribute("name")).toBe("server");
      await page.keyboard.press("Tab");
      await page.keyboard.type(productionKey);
      await operation(page, "listPets").getByLabel("limit").focus();
      await page.keyboard.type("1");
      expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
      const answered = page.waitForResponse(`${shop.server.production}/pets?limit=1`);
      await page.keyboard.press("Enter");
      expect((await answered).status()).toBe(200);

      const pets = operation(page, "listPets");
      const send = pets.getByRole("button", { name: "Send", description: "List animals" });
      await send.focus();
      await page.keyboard.press("Enter");
      await pets.locator(".send .status").waitFor();
      expect(await send.evaluate((button) => button.matches(":focus"))).toBe(true);
    });
  });
});
