import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { PASSWORD } from "../wire/browser-session.ts";
import { axe } from "./browser.ts";
import { consoleAddress, dialogLoaded, row } from "./console-page.ts";
import { bodyOf, execute, operation, sampleOf } from "./reference-page.ts";
import { shopForTests } from "./shop.ts";

// Follows a person's first 15 minutes in one page of one browser. Any error, policy violation or failed request fails the test.

const CATEGORY = "9007199254740993";

const shop = shopForTests();

const go = (page: Page, path: string) => page.goto(consoleAddress(shop.server) + path);

/** Waits for the page with this heading, and asserts that axe finds no accessibility violation on it. */
async function arriveAt(page: Page, heading: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  expect([heading, (await axe(page)).found]).toEqual([heading, []]);
}

async function createAccount(page: Page): Promise<void> {
  await arriveAt(page, "Sign in");
  await page.getByRole("link", { name: "Create an account" }).click();
  await arriveAt(page, "Create an account");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await arriveAt(page, "Overview");
}

async function addFindAndSell(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Add an animal" }).click();
  await arriveAt(page, "Add an animal");
  await page.getByLabel("Name").fill("Fluffy");
  await page.getByLabel("Category").fill(CATEGORY);
  await page.getByRole("button", { name: "Add animal" }).click();
  await page.getByRole("link", { name: "Fluffy" }).waitFor();

  await go(page, "/animals");
  await row(page, "Fluffy").waitFor();
  await page.getByLabel("Name or number").fill("FLUFF");
  await page.locator("mark").getByText("Fluff").waitFor();
  await row(page, "Fluffy").getByText(`Category ${CATEGORY} · add a name`, { exact: true }).waitFor();
  await arriveAt(page, "Animals");

  await page.getByRole("button", { name: "Sell Fluffy" }).click();
  await page.getByRole("button", { name: "Undo the sale of Fluffy" }).waitFor();
  // The order is completed as soon as the person leaves the page, although the time for Undo has not passed yet.
  await go(page, "/orders?status=complete");
  await row(page, "Fluffy").waitFor();
  await arriveAt(page, "Orders");
}

/** Creates an API key on the page and runs the command that the page shows. Returns the key. */
async function generateKey(page: Page): Promise<string> {
  await page.getByRole("link", { name: "Developers" }).click();
  await page.getByRole("link", { name: "API keys" }).click();
  await arriveAt(page, "API keys");
  await page.getByRole("button", { name: "New key" }).click();
  await dialogLoaded(page);
  await page.keyboard.type("terminal");
  await page.getByRole("button", { name: "Generate key" }).click();
  const line = (await page.getByTestId("example").textContent()) ?? "";
  expect((await axe(page, "dialog[open]")).found).toEqual([]);
  const shell = Bun.spawn(["bash", "-c", line], { stdout: "pipe", stderr: "ignore" });
  expect(await new Response(shell.stdout).text()).toBe(
    `[{"id":1,"name":"Fluffy","categoryId":${CATEGORY},"status":"sold"}]`,
  );
  await page.getByRole("button", { name: "I have copied the key" }).click();
  const token = /pet_live_\w+/.exec(line)?.[0] ?? "none";
  expect(await page.content()).not.toContain(token);
  expect(page.url()).not.toContain(token);
  return token;
}

async function tryReference(page: Page, key: string): Promise<void> {
  await go(page, "/docs");
  await arriveAt(page, "petstore API reference");
  const create = operation(page, "createPet");
  expect(await create.textContent()).toContain("-9223372036854775808 to 9223372036854775807.");
  await page.getByLabel("API key").fill(key);
  await create.getByLabel("Request body").fill(`{"name":"Rex","categoryId":-${CATEGORY}}`);
  expect(await sampleOf(create, "TypeScript").textContent()).toContain(`categoryId: -${CATEGORY}n`);
  expect((await execute(page, create)).status).toBe("201 Created");
  expect(await bodyOf(create)).toBe(`{\n  "id": 2,\n  "name": "Rex",\n  "categoryId": -${CATEGORY}\n}`);
}

test("a newcomer gets from signing up to the first sale and the first call with a key", async () => {
  await shop.open("/", {}, async (page) => {
    await createAccount(page);
    await addFindAndSell(page);
    await tryReference(page, await generateKey(page));
  });
});
