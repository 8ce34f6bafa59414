import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import { freshEmbeddedStore, makeKey, type Server, send, startServer } from "../wire/server.ts";
import { openBrowser, openPage, weigh } from "./browser.ts";
import { bodyOf, docsOf, execute, operation, tryOut, withReferencePage } from "./reference-page.ts";

// The interactive reference in a real browser.

setDefaultTimeout(120_000);

const BIG = "9007199254740993";

let server: Server;
let browser: Browser;
let productionKey: string;
let stagingKey: string;
beforeAll(async () => {
  server = await startServer({ store: await freshEmbeddedStore() });
  productionKey = await makeKey(server.store);
  stagingKey = await makeKey(server.store, "--environment", "staging");
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

describe("trying operations", () => {
  test("nothing on the page sends listOrders: no address, no state, no action of swagger-ui", async () => {
    const address = "?tryItOutEnabled=true&url=/x#/Store/listOrders";
    await withReferencePage(browser, server, "production", { hash: address }, async (page, { requests }) => {
      const block = operation(page, "Store", "listOrders");
      await block.getByText("cannot be sent from this page").waitFor();
      await page.evaluate(`(async () => {
        const { specActions, layoutActions, specSelectors, fn, Im } = window.ui;
        layoutActions.show(["operations", "Store", "listOrders", "try-it-out"], true);
        await specActions.execute({ path: "/store/orders", method: "get" });
        await specActions.execute({ path: "/store/orders", method: "GET" });
        const spec = specSelectors.specJson().toJS();
        const operation = Im.fromJS(spec.paths["/store/orders"].get);
        const request = { fetch: fn.fetch, spec, operation, parameters: {}, method: "get" };
        await specActions.executeRequest({ ...request, pathName: "/store/orders" });
        await specActions.executeRequest({ ...request, pathName: "/pets" });
        await specActions.executeRequest({ ...request, pathName: "/store/orders", method: "GET" });
        const requestInterceptor = (sent) => sent;
        await fn.execute({ ...request, operationId: "listOrders", requestInterceptor }).catch(() => {});
      })()`);
      expect(await page.getByRole("button", { name: /Execute|Try it out/ }).count()).toBe(0);
      // Another operation is sent and answered, so that an earlier request would have arrived by now.
      await page.getByLabel("API key").fill(productionKey);
      await execute(page, await tryOut(page, "Pets", "listPets"));
      const sent = requests.filter((request) => request.includes("/v1/"));
      expect(sent).toEqual([`GET ${server.production}/pets`]);
    });
  });

  test("a deprecated operation shows its end; beta and experimental ones are marked", async () => {
    const watched = await openPage(browser);
    // The interface has no experimental operation today.
    await watched.page.route("**/openapi.json", async (route) => {
      const response = await route.fetch();
      const text = (await response.text()).replace('"x-stability": "beta"', '"x-stability": "experimental"');
      await route.fulfill({ response, body: text });
    });
    await watched.page.goto(docsOf(server, "production"));
    const badges = (tag: string, id: string) =>
      operation(watched.page, tag, id).locator(".badges").innerText();
    await watched.page.locator(".opblock").first().waitFor();
    expect(await badges("Pets", "getPet")).toBe("Deprecated, ends 5 December 2030");
    expect(await badges("Pets", "updatePet")).toBe("Experimental");
    expect(await badges("Pets", "deletePet")).toBe("Beta");
    expect(await badges("Pets", "listPets")).toBe("");
    await watched.close();
  });
});

describe("what the service sends", () => {
  test("a type of event opens from the contents, with its header fields, body and answers, and cannot be sent", async () => {
    await withReferencePage(browser, server, "production", {}, async (page) => {
      await page.getByRole("link", { name: "order.placed" }).click();
      const block = operation(page, "webhooks", "orderPlaced");
      await block.getByText("The service sends this request").waitFor();
      await block.getByText("webhook-signature").first().waitFor();
      await block.getByText('"order.placed"').first().waitFor();
      await block.getByText("410", { exact: true }).waitFor();
      expect(await block.getByRole("heading", { name: "Code samples" }).count()).toBe(0);
      expect(await page.getByRole("button", { name: /Execute|Try it out/ }).count()).toBe(0);
    });
  });
});

describe("64-bit integers", () => {
  test("a body is sent as typed, and the response and the curl command show every digit", async () => {
    await withReferencePage(browser, server, "production", {}, async (page) => {
      await page.getByLabel("API key").fill(productionKey);
      const block = await tryOut(page, "Pets", "createPet");
      const typed = `{ "name": "Big",  "categoryId": ${BIG} }`;
      await block.getByLabel("Request body").fill(typed);
      const { request, live } = await execute(page, block);
      expect(request.postData()).toBe(typed);
      expect(await bodyOf(live)).toContain(`"categoryId": ${BIG}`);
      await live.getByText("The same with curl").click();
      const curl = await live.getByRole("group", { name: "curl" }).innerText();
      expect(curl).toContain(`--data-raw '${typed}'`);
      expect(curl).not.toContain(productionKey);
    });
  });

  test("path and query parameters are sent, and lists shown, with every digit", async () => {
    await send("POST", `${server.production}/pets`, {
      key: productionKey,
      body: '{"name":"Far","categoryId":-9223372036854775807}',
    });
    await withReferencePage(browser, server, "production", {}, async (page) => {
      await page.getByLabel("API key").fill(productionKey);
      const list = await tryOut(page, "Pets", "listPets");
      await list.getByLabel("categoryId").fill("-9223372036854775807");
      await list.getByLabel(/^id, separated/).fill(`${BIG},1,2,3`);
      const listed = await execute(page, list);
      expect(listed.request.url()).toBe(
        `${server.production}/pets?categoryId=-9223372036854775807&id=${BIG},1,2,3`,
      );
      expect(await bodyOf(listed.live)).toContain('"categoryId": -9223372036854775807');

      const get = await tryOut(page, "Pets", "getPet");
      await get.getByLabel("petId").fill(BIG);
      const got = await execute(page, get);
      expect(got.request.url()).toBe(`${server.production}/pets/${BIG}`);
      expect(await bodyOf(got.live)).toContain('"status": 404');
    });
  });

  test("the bounds in a schema are exact", async () => {
    await withReferencePage(browser, server, "production", {}, async (page) => {
      const block = operation(page, "Pets", "createPet");
      await block.getByRole("button").first().click();
      await block.getByRole("tab", { name: "Schema" }).first().click();
      await block.getByText("[-9223372036854775808, 9223372036854775807]").first().waitFor();
      expect(await page.content()).not.toContain("9223372036854776");
    });
  });
});

describe("code samples", () => {
  test("are there in three languages, opened and copied by keyboard", async () => {
    await withReferencePage(browser, server, "production", { hash: "#/Pets/updatePet" }, async (page) => {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      const block = operation(page, "Pets", "updatePet");
      for (const [label, beginning] of [
        ["curl", `curl -X PATCH '${server.production}/pets/1' \\\n`],
        ["TypeScript", 'import { createClient } from "@petstore/client";\n'],
        ["Python", "import json\n"],
      ] as const) {
        const sample = block.getByRole("group", { name: `${label} sample` });
        expect(await sample.isVisible()).toBe(false);
        await block.locator("summary", { hasText: label }).focus();
        await page.keyboard.press("Enter");
        await sample.waitFor();
        await page.keyboard.press("Tab");
        expect(await page.locator(":focus").innerText()).toBe("Copy");
        await page.keyboard.press("Enter");
        await block.getByRole("button", { name: "Copied" }).waitFor();
        const copied = await page.evaluate<string>("navigator.clipboard.readText()");
        expect(copied).toStartWith(beginning);
        expect(copied).toContain(`${server.production}`);
        expect(copied).toBe((await sample.innerText()).trimEnd());
        await block.locator("summary", { hasText: label }).press("Enter");
      }
    });
  });
});

describe("the key and the server", () => {
  test("the key has a labelled field, can be shown, is sent as a bearer token, and is stored nowhere", async () => {
    await withReferencePage(browser, server, "production", {}, async (page, { requests }) => {
      const field = page.getByLabel("API key");
      expect(await field.getAttribute("type")).toBe("password");
      await field.fill(` ${productionKey} `);
      await page.getByRole("button", { name: "Show" }).click();
      expect(await field.getAttribute("type")).toBe("text");
      const { request, live } = await execute(page, await tryOut(page, "Pets", "listPets"));
      expect(await request.headerValue("Authorization")).toBe(`Bearer ${productionKey}`);
      expect(await live.locator(".status").innerText()).toBe("200 OK");
      expect(requests.join(" ")).not.toContain(productionKey);
      expect(await page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]")).toEqual([
        0,
        0,
        "",
      ]);
      await page.reload();
      expect(await page.getByLabel("API key").inputValue()).toBe("");
    });
  });

  test("production and staging can be selected, each with its own key and colours", async () => {
    await withReferencePage(browser, server, "production", {}, async (page) => {
      const accent = () =>
        page.evaluate("getComputedStyle(document.querySelector('#environment')).backgroundColor");
      expect(await page.getByRole("radio", { name: "production" }).isChecked()).toBe(true);
      expect(await page.locator("#staging").isVisible()).toBe(false);
      const colour = await accent();
      await page.getByLabel("API key").fill(productionKey);

      await page.getByRole("radio", { name: "staging" }).check();
      expect(await page.locator("#environment").innerText()).toBe("Staging");
      expect(await page.locator("#staging").isVisible()).toBe(true);
      expect(await accent()).not.toBe(colour);
      expect(await page.getByLabel("API key").inputValue()).toBe("");
      await page.getByLabel("API key").fill(stagingKey);
      const { request, live } = await execute(page, await tryOut(page, "Pets", "listPets"));
      expect(request.url()).toBe(`${server.staging}/pets`);
      expect(await bodyOf(live)).toBe("[]");

      await page.getByRole("radio", { name: "production" }).check();
      expect(await page.getByLabel("API key").inputValue()).toBe(productionKey);
    });
  });

  test("on staging's page, staging is selected, and the page says so", async () => {
    await withReferencePage(browser, server, "staging", {}, async (page) => {
      expect(await page.getByRole("radio", { name: "staging" }).isChecked()).toBe(true);
      expect(await page.title()).toBe("Petstore API reference (staging)");
      await page.getByText("Requests go to test data").waitFor();
      await page.getByLabel("API key").fill(stagingKey);
      const { request } = await execute(page, await tryOut(page, "Pets", "listPets"));
      expect(request.url()).toBe(`${server.staging}/pets`);
    });
  });

  test("the message service has its own reference", async () => {
    await withReferencePage(browser, server, "messages", {}, async (page) => {
      expect(await page.locator("h1").innerText()).toBe("Petstore messages API reference");
      expect(await page.getByRole("link", { name: "Console" }).count()).toBe(0);
      await page.getByLabel("API key").fill(stagingKey);
      const { request, live } = await execute(page, await tryOut(page, "Messages", "submitMessage"));
      expect(request.url()).toBe(`${server.messages}/messages`);
      expect(await live.locator(".status").innerText()).toBe("202 Accepted");
    });
  });
});

describe("the page itself", () => {
  test("has a Content-Security-Policy that allows only its own scripts, styles and servers", async () => {
    const { headers } = await send("GET", docsOf(server, "production"));
    const policy = headers.get("Content-Security-Policy") ?? "";
    const [production, staging] = [new URL(server.production).origin, new URL(server.staging).origin];
    expect(policy.split("; ").sort()).toEqual([
      "base-uri 'none'",
      `connect-src 'self' ${production} ${staging}`,
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
      "script-src 'self'",
      "style-src 'self'",
    ]);
  });

  test("works by keyboard, with a visible focus", async () => {
    await withReferencePage(browser, server, "production", {}, async (page) => {
      await page.keyboard.press("Tab");
      expect(await page.locator(":focus").innerText()).toBe("Skip to the operations");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      const focus = page.locator(":focus");
      expect(await focus.getAttribute("aria-expanded")).toBe("false");
      expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
      await page.keyboard.press("Enter");
      expect(await page.locator(":focus").getAttribute("aria-expanded")).toBe("true");
      await page.getByRole("button", { name: "Try it out" }).waitFor();
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Execute" }).waitFor();
    });
  });

  test("an address opens one operation, and so does the list of operations", async () => {
    await withReferencePage(browser, server, "production", { hash: "#/Store/placeOrder" }, async (page) => {
      await operation(page, "Store", "placeOrder").getByRole("button", { name: "Try it out" }).waitFor();
      await page
        .getByRole("navigation", { name: "Operations" })
        .getByRole("link", { name: "Add an animal" })
        .click();
      await operation(page, "Pets", "createPet").getByRole("button", { name: "Try it out" }).waitFor();
    });
  });

  test("has less than 500 kB of script and 6 kB of style, gzipped", async () => {
    const { page, close } = await openPage(browser);
    const { script, style } = await weigh(page, docsOf(server, "production"));
    await close();
    console.log(`reference page: ${script} bytes of script, ${style} bytes of style (gzip -9)`);
    expect(script).toBeLessThan(500_000);
    expect(style).toBeLessThan(6_000);
  });
});
