import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { axe } from "./browser.ts";
import { type ConsolePageOptions, waitForValue } from "./console-page.ts";
import { countInteractions } from "./interactions.ts";
import { shopForTests } from "./shop.ts";

// Adding many animals: typed one after another, and pasted as lines.

const shop = shopForTests();
const person = shop.person();
beforeAll(async () => {
  for (const name of ["Cats", "Dogs", "Owls", "Owls"]) await person.call("POST /categories", { name });
});

const open = (steps: (page: Page) => Promise<void>, options: ConsolePageOptions = {}) =>
  shop.open("/animals/new", { person, ...options }, steps);

async function storedPets(): Promise<readonly { name: string; categoryId: number; status?: string }[]> {
  return JSON.parse((await person.call("GET /pets?limit=100")).body);
}

async function count(name: string): Promise<number> {
  return (await storedPets()).filter((pet) => pet.name === name).length;
}

describe("typed", () => {
  test("thirty animals need no mouse", async () => {
    await open(async (page) => {
      await page.getByLabel("Name").focus();
      const interactions = await countInteractions(page);
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
      // Keys: 30 names, 30 times Enter; once Tab, "cat", and Enter for the suggestion.
      expect(await interactions()).toEqual({ keys: 9 * 8 + 21 * 9 + 30 + 5, clicks: 0 });
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
      const held = Promise.withResolvers<void>();
      await page.route("**/console/api/pets", async (route) => {
        if (route.request().method() === "POST") await held.promise;
        await route.continue();
      });
      await page.getByLabel("Category").fill("2");
      await page.getByLabel("Name").fill("Slow");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Adding…" }).waitFor();
      await page.keyboard.type("Quick");
      await page.keyboard.press("Enter");
      held.resolve();
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
      await waitForValue(page.getByLabel("Category"), "Dogs");
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

describe("pasted", () => {
  async function paste(page: Page, text: string): Promise<void> {
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", ${JSON.stringify(text)});
      const options = { clipboardData, bubbles: true, cancelable: true };
      document.getElementById("new-pet-name").dispatchEvent(new ClipboardEvent("paste", options));
    })()`);
    await page.getByRole("heading", { name: /pasted lines?$/ }).waitFor();
  }
  const row = (page: Page, name: string) =>
    page.getByRole("table", { name: "Pasted lines" }).getByRole("row").filter({ hasText: name });

  test("lines and cells of a spreadsheet are shown first; those that are wrong are marked and left out", async () => {
    await open(async (page) => {
      await page.getByLabel("Category").fill("dogs");
      const cells = ["Bo", "Mia\tcats\tSOLD", "Kim\t77", "Zoe\tNewts", "Hoot\towls", "Max\t\tlost", "\tcats"];
      await paste(page, `${cells.join("\r\n")}\n\n`);
      await page.getByRole("heading", { name: "7 pasted lines" }).waitFor();
      expect((await axe(page)).found).toEqual([]);
      const text = async (name: string) =>
        (await row(page, name).getByRole("cell").allTextContents()).join("|");
      expect(await text("Bo")).toBe("Dogs|Available|Ready");
      expect(await text("Mia")).toBe("Cats|Sold|Ready");
      expect(await text("Kim")).toBe("Category 77|Available|Ready");
      expect(await text("Zoe")).toBe("|Available|No category is called “Newts”.Create category “Newts”");
      expect(await text("Hoot")).toContain("2 categories are called “owls”: write its number.");
      expect(await text("Max")).toContain("“lost” is no status: write Available, Pending or Sold.");
      await page.getByText("Name is missing.").waitFor();
      await page.getByText("4 lines are wrong.").waitFor();
      await row(page, "Zoe").getByRole("button", { name: "Create category “Newts”" }).click();
      await page.getByRole("button", { name: "Add 4 animals" }).click();
      await page.getByRole("status").getByText("4 animals added").waitFor();
      await row(page, "Zoe").getByRole("link", { name: "Added" }).waitFor();
      expect(await page.getByRole("button", { name: /^Add / }).count()).toBe(0);
      await page.getByRole("button", { name: "Close" }).click();
      await page.getByRole("heading", { name: "Added just now: 4" }).waitFor();
      await page.locator("#new-pet-name:focus").waitFor();
      const stored = (await storedPets()).slice(0, 4);
      expect(stored.map(({ name, categoryId, status }) => `${name} ${categoryId} ${status}`).sort()).toEqual([
        "Bo 2 available",
        "Kim 77 available",
        "Mia 1 sold",
        "Zoe 5 available",
      ]);
    });
  });

  test("a line that is refused stays with its reason; a lost answer, a retry and a reload double nothing", async () => {
    await open(async (page) => {
      await page.getByLabel("Category").fill("dogs");
      let isRefused = true;
      let lost = 0;
      const twins = Promise.withResolvers<void>();
      await page.route("**/console/api/pets", async (route) => {
        const body = route.request().postData() ?? "";
        if (body.includes("Twin")) {
          // Stores it, and drops the response.
          await route.fetch();
          if (++lost === 2) twins.resolve();
        } else if (body.includes("Later") && isRefused)
          await route.fulfill({
            status: 422,
            contentType: "application/json",
            body: '{"code":"x","message":"Refused for a test.","status":422}',
          });
        else await route.continue();
      });
      await paste(page, "Plain one\nTwin\nTwin\nLater\nPlain two");
      await page.getByRole("button", { name: "Add 5 animals" }).click();
      await row(page, "Later").getByText("Refused for a test.").waitFor();
      await row(page, "Plain two").getByRole("link", { name: "Added" }).waitFor();
      await twins.promise;
      await page.getByRole("button", { name: "Stop" }).click();
      await page.getByRole("button", { name: "Close" }).waitFor();
      isRefused = false;
      await page.unroute("**/console/api/pets");
      await page.reload();
      await page.getByRole("heading", { name: "3 pasted lines" }).waitFor();
      await page.getByRole("button", { name: "Add 3 animals" }).click();
      await page.getByRole("status").getByText("3 animals added").waitFor();
      for (const [name, times] of Object.entries({ "Plain one": 1, "Plain two": 1, Twin: 2, Later: 1 }))
        expect([name, await count(name)]).toEqual([name, times]);
    });
  });

  test("what every line would meet is said once, and the lines stay until they are added", async () => {
    await open(
      async (page) => {
        await page.getByLabel("Category").fill("dogs");
        await page.route("**/console/api/pets", (route) =>
          route.fulfill({
            status: 403,
            contentType: "application/json",
            body: '{"code":"forbidden","message":"Not for a test.","status":403}',
          }),
        );
        await paste(page, "Spot\nSpike\nSnoopy");
        await page.getByRole("button", { name: "Add 3 animals" }).click();
        await page.getByRole("alert").getByText("Not for a test.").waitFor();
        expect(await page.getByText("Not for a test.").count()).toBe(1);
        await page.unroute("**/console/api/pets");
        await page.getByRole("button", { name: "Add 3 animals" }).click();
        await page.getByRole("heading", { name: "Added just now: 3" }).waitFor();
        for (const name of ["Spot", "Spike", "Snoopy"]) expect([name, await count(name)]).toEqual([name, 1]);
      },
      { expected: /console\/api\/pets/ },
    );
  });
});
