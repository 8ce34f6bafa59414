import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BEHIND_PROXY, type BrowserSession, PASSWORD, signUp } from "../../wire/browser-session.ts";
import { type Server, startServer } from "../../wire/server.ts";
import { freshEmbeddedStore } from "../../wire/stores.ts";
import { type DrivenPage, drive } from "./driven-page.ts";
import { missingPackages, openFirefox, openWebKit, type RemoteBrowser } from "./remote-browser.ts";

// Tests the console in Firefox and in WebKit, both from Debian's packages, with the daily work of a shop's staff.

const missing = missingPackages();
if (missing !== undefined) throw new Error(missing);

let server: Server;
let ada: BrowserSession;
const EMAIL = "ada@example.com";
beforeAll(async () => {
  server = await startServer({ store: await freshEmbeddedStore(), env: BEHIND_PROXY });
  ada = await signUp(server, EMAIL);
  await ada.call("POST /categories", { name: "Cats" });
});
afterAll(async () => {
  await server?.stop();
});

describe.each([
  ["Firefox", openFirefox],
  ["WebKit", openWebKit],
] as const)("in %s", (name, openBrowser) => {
  let browser: RemoteBrowser;
  let page: DrivenPage;
  beforeAll(async () => {
    browser = await openBrowser();
    page = drive(browser, new URL(server.production).origin);
  });
  afterAll(async () => {
    await browser?.close();
  });

  const heading = (title: string) =>
    page.waitFor(`document.querySelector("h1")?.textContent === ${JSON.stringify(title)}`);
  const petNamed = async (pet: string) =>
    (await ada.read("/pets?limit=100")).find((found: { name: string }) => found.name === pet);

  test("a person signs in", async () => {
    await page.open("/animals");
    await page.click("Email");
    await page.type(EMAIL);
    await page.click("Password");
    await page.type(PASSWORD);
    await page.press("Enter");
    await heading("Animals");
  });

  test("Enter chooses a suggested category, and the next Enter submits", async () => {
    await page.open("/animals/new");
    await page.click("Name");
    await page.type(`Fluffy of ${name}`);
    await page.click("Category");
    await page.type("ca");
    await page.waitFor(`document.querySelector("[role=option]")?.textContent.startsWith("Cats")`);
    await page.press("Enter");
    await page.waitFor(`document.querySelector("[role=combobox]").value === "Cats"`);
    await page.press("Enter");
    await page.waitForText(`Fluffy of ${name} added`);
    expect(await petNamed(`Fluffy of ${name}`)).toMatchObject({ categoryId: 1, status: "available" });
  });

  test("a person's sale that was undone and made again is kept when the page is left", async () => {
    await page.open("/animals");
    await page.click(`Sell Fluffy of ${name}`);
    await page.click(`Undo the sale of Fluffy of ${name}`);
    await page.click(`Sell Fluffy of ${name}`);
    await page.waitForText(`Sold Fluffy of ${name}`);
    const { id, status } = await petNamed(`Fluffy of ${name}`);
    expect(status).toBe("pending");
    await page.open("/orders?status=complete");
    await page.waitFor(`document.querySelector("tbody")?.innerText.includes("Fluffy of ${name}")`);
    expect(await ada.read(`/store/orders?petId=${id}`)).toMatchObject([{ complete: true }]);
    expect((await petNamed(`Fluffy of ${name}`)).status).toBe("sold");
  });

  test("the page says that somebody else changed the animal, and the person chooses a value", async () => {
    const { body } = await ada.call("POST /pets", { name: "Rex", categoryId: 1 });
    const { id } = JSON.parse(body);
    await page.open(`/animals/${id}`);
    await page.click("Edit");
    await page.click("Name");
    await page.type(" the dog");
    await ada.call(`PATCH /pets/${id}`, { name: "Max" });
    await page.waitForText("Name: Rex → Max");
    await page.click("Keep yours: Rex the dog");
    await page.click("Save changes");
    await page.waitForText("saved");
    expect((await ada.read(`/pets?id=${id}`))[0].name).toBe("Rex the dog");
  });

  test("a person adds an animal by keyboard", async () => {
    await page.open("/animals");
    await heading("Animals");
    await page.tabTo("Add an animal");
    await page.press("Enter");
    await heading("Add an animal");
    await page.waitFor(`document.activeElement.id === "new-pet-name"`);
    await page.type(`Bella of ${name}`);
    await page.press("Tab");
    await page.type("cats");
    await page.waitFor(`document.querySelector("[role=option]")?.textContent.startsWith("Cats")`);
    await page.press("ArrowDown");
    await page.press("Enter");
    await page.tabTo("Add animal");
    await page.press("Enter");
    await page.waitForText(`Bella of ${name} added`);
    expect(await petNamed(`Bella of ${name}`)).toMatchObject({ categoryId: 1 });
  });
});
