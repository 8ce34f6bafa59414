import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { axe } from "./browser.ts";
import { clickTwice, heading, shownLines, stopClock, waitForValue } from "./console-page.ts";
import { countInteractions } from "./interactions.ts";
import { shopForTests } from "./shop.ts";

// Tests that many animals can be added, either typed one after another or pasted as lines.

const shop = shopForTests();
const person = shop.person();
beforeAll(async () => {
  for (const name of ["Cats", "Dogs", "Owls", "Owls"]) await person.call("POST /categories", { name });
});

const open = (steps: (page: Page) => Promise<void>) => shop.open("/animals/new", { person }, steps);

async function storedPets(): Promise<readonly { name: string; categoryId: number; status?: string }[]> {
  return await person.read("/pets?limit=100");
}

async function count(name: string): Promise<number> {
  return (await storedPets()).filter((pet) => pet.name === name).length;
}

describe("typed", () => {
  test("animals can be added without a mouse, even thirty in a row", async () => {
    await open(async (page) => {
      await page.locator("#new-pet-name:focus").waitFor();
      const interactions = await countInteractions(page);
      for (let number = 1; number <= 30; number++) {
        expect(await page.evaluate("document.activeElement.id")).toBe("new-pet-name");
        await page.keyboard.type(`Kitten ${number}`);
        if (number === 1) for (const key of ["Tab", ..."cat", "Enter"]) await page.keyboard.press(key);
        await waitForValue(page.getByLabel("Category"), "Cats");
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { name: `Added just now: ${number}` }).waitFor();
      }
      // Nine of the names have 8 characters, and 21 have 9. Each name is followed by Enter. Five more keys choose the category:
      // Tab, "cat" and Enter.
      expect(await interactions()).toEqual({ keys: 9 * 8 + 21 * 9 + 30 + 5, clicks: 0 });
      const added = (await storedPets()).map((pet) => `${pet.name} ${pet.categoryId} ${pet.status}`);
      expect(added.reverse()).toEqual(
        Array.from({ length: 30 }, (_, index) => `Kitten ${index + 1} 1 available`),
      );
    });
  });

  test("the name has the focus as soon as the form is there, so that no key is lost", async () => {
    await open(async (page) => {
      await page.getByRole("link", { name: "All animals" }).click();
      await heading(page, "Animals");
      // The code of the form is already loaded. While the clock is stopped, the page draws no frame.
      await stopClock(page);
      await page.getByRole("link", { name: "Add an animal" }).first().click();
      await heading(page, "Add an animal");
      await page.keyboard.type("Kitten");
      expect(await page.locator("#new-pet-name").inputValue()).toBe("Kitten");
    });
  });

  test("a second click or a second Enter after a save does not report the emptied fields as missing", async () => {
    await open(async (page) => {
      const isAdded = (count: number) => page.getByText(`Added just now: ${count}`).waitFor();
      const name = page.getByLabel("Name");
      const add = page.getByRole("button", { name: "Add animal" });
      await page.getByRole("combobox", { name: "Category" }).fill("1");
      await name.fill("Clicked twice");
      // The clock is stopped, so that the second press comes soon after the first, even on a busy machine.
      await stopClock(page);
      await clickTwice(add, () => isAdded(1));
      expect(await page.locator("[aria-invalid=true]").count()).toBe(0);
      await name.fill("Entered twice");
      await page.keyboard.press("Enter");
      await isAdded(2);
      await page.keyboard.press("Enter");
      expect(await page.locator("[aria-invalid=true]").count()).toBe(0);
    });
  });

  test("keys pressed while an animal is saved belong to the next animal", async () => {
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

  test("forms keep the last category and status for the next visit", async () => {
    await open(async (page) => {
      await page.getByLabel("Name").fill("Rex");
      await page.getByLabel("Category").fill("dogs");
      await page.getByRole("option", { name: "Dogs" }).waitFor();
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
      await page.getByText("Mistake removed again").waitFor({ state: "attached" });
      await page.getByRole("button", { name: "Undo: remove Changed" }).click();
      await page.getByRole("alert").getByText("Changed was not removed.").waitFor();
      expect([await count("Mistake"), await count("Changed")]).toEqual([0, 1]);
    });
  });
});

describe("pasted", () => {
  const paste = (page: Page, text: string) =>
    page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", ${JSON.stringify(text)});
      const options = { clipboardData, bubbles: true, cancelable: true };
      document.activeElement.dispatchEvent(new ClipboardEvent("paste", options));
    })()`);

  test("cells of a spreadsheet open the import, where wrong cells are marked and can be corrected", async () => {
    await open(async (page) => {
      await page.getByLabel("Category").fill("dogs");
      await page.getByLabel("Name").focus();
      await waitForValue(page.getByLabel("Category"), "Dogs");
      const cells = ["Bo", "Mia\tcats\tSOLD", "Kim\t77", "Zoe\tNewts", "Hoot\towls", "Max\t\tlost", "\tcats"];
      await paste(page, `${cells.join("\r\n")}\n\n`);
      await page.getByRole("heading", { level: 1, name: "Import animals" }).waitFor();
      await page.getByRole("button", { name: "Import 5 animals" }).waitFor();
      expect((await axe(page)).found).toEqual([]);
      expect(await shownLines(page, "Lines")).toEqual([
        "Bo|Dogs|Available|1|",
        "Mia|Cats|Sold|2|",
        "Kim|Category 77|Available|3|",
        "Zoe|Newts (new)|Available|4|",
        'Hoot|owls||5|names the category "owls", but several categories have this name: give the identifier of the category',
        'Max|Dogs|lost|6|"lost" isn\'t a status: use available, pending or sold.',
        "No name|Cats|Available|7|",
      ]);
      const notes =
        "1 new category: Newts – it will be created when the animals are imported. 1 animal has no name. 2 rows will be skipped.";
      await page.getByText(notes).waitFor();
      const lines = page.getByRole("textbox", { name: "Lines" });
      await lines.fill((await lines.inputValue()).replace("owls", "3").replace("\n\tcats", ""));
      await page.getByRole("button", { name: "Import 5 animals" }).click();
      await page.getByText("5 added, 1 line refused").first().waitFor();
      const [{ id, name }] = await person.read("/categories?limit=1");
      expect(name).toBe("Newts");
      const stored = (await storedPets()).slice(0, 5);
      expect(stored.map((pet) => `${pet.name} ${pet.categoryId} ${pet.status}`).sort()).toEqual([
        "Bo 2 available",
        "Hoot 3 available",
        "Kim 77 available",
        "Mia 1 sold",
        `Zoe ${id} available`,
      ]);
    });
  });

  test("lines add new animals again if they are pasted a second time", async () => {
    await open(async (page) => {
      for (const times of [1, 2]) {
        await page.goto(page.url().replace(/animals.*/, "animals/import"));
        await page.getByRole("textbox", { name: "Lines" }).fill("Twin\tCats\nTwin\tCats");
        await page.getByRole("button", { name: "Import 2 animals" }).click();
        await page.getByText("2 added", { exact: true }).first().waitFor();
        expect(await count("Twin")).toBe(2 * times);
      }
    });
  });
});
