import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import type { BrowserSession } from "../wire/browser-session.ts";
import { freshEmbeddedStore, type Server, startServer } from "../wire/server.ts";
import { openBrowser } from "./browser.ts";
import { type ConsolePageOptions, signUpPerson, withConsolePage } from "./console-page.ts";

// Adding many animals: typed one after the other, and pasted as lines.

setDefaultTimeout(120_000);

let server: Server;
let browser: Browser;
let person: BrowserSession;
beforeAll(async () => {
  server = await startServer({ store: await freshEmbeddedStore() });
  browser = await openBrowser();
  person = await signUpPerson(server);
  for (const name of ["Cats", "Dogs", "Owls", "Owls"]) await person.call("POST /categories", { name });
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const open = (steps: (page: Page) => Promise<void>, options: ConsolePageOptions = {}) =>
  withConsolePage(browser, server, "/animals/new", { person, ...options }, steps);

async function storedPets(): Promise<readonly { name: string; categoryId: number; status?: string }[]> {
  return JSON.parse((await person.call("GET /pets?limit=100")).body);
}

async function count(name: string): Promise<number> {
  return (await storedPets()).filter((pet) => pet.name === name).length;
}

describe("typed", () => {
  test("thirty animals need no mouse, and what is typed before an answer comes is not lost", async () => {
    await open(async (page) => {
      await page.getByLabel("Name").focus();
      await page.keyboard.type("Kitten 1");
      await page.keyboard.press("Tab");
      await page.keyboard.type("cat");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Enter");
      for (let number = 2; number <= 30; number++) {
        await page.getByRole("heading", { name: `Added just now: ${number - 1}` }).waitFor();
        expect(await page.evaluate("document.activeElement.id")).toBe("new-pet-name");
        await page.keyboard.type(`Kitten ${number}`);
        await page.keyboard.press("Enter");
      }
      await page.getByRole("heading", { name: "Added just now: 30" }).waitFor();
      const kittens = (await storedPets()).filter(({ name }) => name.startsWith("Kitten"));
      expect(kittens.map(({ name }) => name).reverse()).toEqual(
        Array.from({ length: 30 }, (_, index) => `Kitten ${index + 1}`),
      );
      expect(new Set(kittens.map(({ categoryId, status }) => `${categoryId} ${status}`))).toEqual(
        new Set(["1 available"]),
      );
    });
  });

  test("what is typed while an animal is saved is the next one's", async () => {
    await open(async (page) => {
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route("**/console/api/pets", async (route) => {
        if (route.request().method() === "POST") await held;
        await route.continue();
      });
      await page.getByLabel("Category").fill("2");
      await page.getByLabel("Name").fill("Slow");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Adding…" }).waitFor();
      await page.keyboard.type("Quick");
      await page.keyboard.press("Enter");
      release();
      await page.getByRole("heading", { name: "Added just now: 2" }).waitFor();
      expect([await count("Slow"), await count("Quick")]).toEqual([1, 1]);
    });
  });

  test("the category and the status last used are there on the next visit", async () => {
    await open(async (page) => {
      await page.getByLabel("Name").fill("Rex");
      await page.getByLabel("Category").fill("dogs");
      await page.getByLabel("Status").selectOption("pending");
      await page.getByRole("button", { name: "Add animal" }).click();
      await page.getByRole("link", { name: "Rex" }).waitFor();
      await page.reload();
      await page.getByLabel("Name").waitFor();
      await page.waitForFunction("document.getElementById('new-pet-categoryId').value === 'Dogs'");
      expect(await page.getByLabel("Status").inputValue()).toBe("pending");
    });
  });

  test("Undo removes what was added, unless somebody has changed it since", async () => {
    await open(async (page) => {
      await page.getByLabel("Category").fill("2");
      for (const name of ["Mistake", "Changed"]) {
        await page.getByLabel("Name").fill(name);
        await page.keyboard.press("Enter");
        await page.getByRole("link", { name }).waitFor();
      }
      const changed = (await page.getByRole("link", { name: "Changed" }).getAttribute("href")) ?? "";
      await person.call(`PATCH ${changed.replace("/animals", "/pets")}`, { status: "sold" });
      await page.getByRole("button", { name: "Undo: remove Mistake" }).click();
      await page.getByText("Mistake removed again").first().waitFor();
      await page.getByRole("button", { name: "Undo: remove Changed" }).click();
      await page.getByText("Somebody has changed it since: open it to remove it.").waitFor();
      expect([await count("Mistake"), await count("Changed")]).toEqual([0, 1]);
    });
  });
});
