import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type ConsolePageOptions, resize, waitForValue } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// Tests the combobox for choosing the category of a new animal.

const shop = shopForTests();
const person = shop.person();
beforeAll(async () => {
  for (const name of ["Dogs", "Cats", "Big cats", "Écureuils", "Owls", "Owls"])
    await person.call("POST /categories", { name });
  for (const name of ["Fluffy", ...Array.from({ length: 25 }, (_, index) => `Cat ${index}`)])
    await person.call("POST /pets", { name, categoryId: 2, status: "available" });
});

const open = (steps: (page: Page) => Promise<void>, options: ConsolePageOptions = {}) =>
  shop.open("/animals/new", { person, ...options }, async (page) => {
    await page.getByLabel("Category").focus();
    await steps(page);
  });

const field = (page: Page) => page.getByRole("combobox", { name: "Category" });
const list = (page: Page) => page.getByRole("listbox", { name: "Suggestions" });
const option = (page: Page, name: string) => list(page).getByRole("option", { name, exact: true });
const highlighted = (page: Page) => list(page).locator("[aria-selected=true]");

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

describe("by keyboard", () => {
  test("the beginning of a word finds a category, whatever the accents and case, and Tab accepts the highlighted one", async () => {
    await open(async (page) => {
      await page.keyboard.type("ecu");
      await option(page, "Écureuils").waitFor();
      expect(await field(page).getAttribute("aria-expanded")).toBe("true");
      expect(await field(page).getAttribute("aria-activedescendant")).toBe(
        await option(page, "Écureuils").getAttribute("id"),
      );
      await press(page, "Tab");
      expect(await field(page).inputValue()).toBe("Écureuils");
      expect(await field(page).getAttribute("aria-expanded")).toBe("false");
      expect(await page.evaluate("document.activeElement.id")).toBe("new-pet-status");
      await press(page, "Shift+Tab");
      await page.keyboard.type("cat");
      await option(page, "Big cats").waitFor();
      expect(await list(page).getByRole("option").allTextContents()).toEqual([
        "Big cats",
        "Cats",
        "Create category “cat”",
      ]);
      await page.getByText("2 suggestions. Create category “cat”: last option.").waitFor();
    });
  });

  test("arrows move the highlight, Enter accepts it, and Escape closes the list and then restores the selection", async () => {
    await open(async (page) => {
      await press(page, "ArrowDown");
      expect(await highlighted(page).textContent()).toBe("Big cats");
      await press(page, "ArrowUp");
      expect(await highlighted(page).textContent()).toBe("Owlsnumber 5");
      await press(page, "ArrowDown", "ArrowDown");
      expect(await highlighted(page).textContent()).toBe("Cats");
      await press(page, "ArrowUp", "ArrowUp", "ArrowUp", "Enter");
      expect(await field(page).inputValue()).toBe("Owls");
      await page.getByText("number 6").waitFor();
      await page.keyboard.type(" and");
      await option(page, "Create category “Owls and”").waitFor();
      await press(page, "Escape");
      await list(page).waitFor({ state: "detached" });
      expect(await field(page).inputValue()).toBe("Owls and");
      await press(page, "Escape");
      expect(await field(page).inputValue()).toBe("Owls");
    });
  });

  test("a number is accepted before the categories have loaded", async () => {
    await open(async (page) => {
      await page.route("**/console/api/categories?*", () => {});
      await page.reload();
      await field(page).fill("4711");
      await page.getByLabel("Name").focus();
      await waitForValue(field(page), "Category 4711");
    });
  });

  test("a form that is submitted before its field's code has loaded, or before a category was found, is sent with the category", async () => {
    const [code, categories] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await open(async (page) => {
      await page.route("**/*.js", async (route) => {
        const response = await route.fetch();
        if ((await response.text()).includes("category-on-the-way")) await code.promise;
        await route.fulfill({ response });
      });
      await page.route("**/console/api/categories?*", async (route) => {
        await categories.promise;
        await route.continue();
      });
      await page.reload();
      for (const [text, name, release] of [
        ["4711", "Hasty", code.resolve],
        ["dog", "Hastier", categories.resolve],
      ] as const) {
        await field(page).fill(text);
        await page.getByLabel("Name").fill(name);
        await press(page, "Enter");
        release();
        await page.getByRole("status").getByText(`${name} added`).waitFor();
      }
    });
    expect((await person.call("GET /pets?name=hast")).json).toMatchObject([
      { name: "Hastier", categoryId: 1 },
      { name: "Hasty", categoryId: 4711 },
    ]);
  });

  test("Enter pressed twice before the suggestions have arrived chooses a category, and submits the form", async () => {
    await open(async (page) => {
      const asked = Promise.withResolvers<void>();
      const answered = Promise.withResolvers<void>();
      await page.route("**/console/api/categories?*", async (route) => {
        asked.resolve();
        await answered.promise;
        await route.continue();
      });
      await page.reload();
      await page.getByLabel("Name").fill("Quick");
      await field(page).focus();
      await page.keyboard.type("dog");
      await asked.promise;
      await press(page, "Enter", "Enter");
      answered.resolve();
      await page.getByRole("status").getByText("Quick added").waitFor();
      expect((await person.call("GET /pets?name=quick")).json).toMatchObject([
        { name: "Quick", categoryId: 1 },
      ]);
    });
  });

  test("keys for an input method are not handled by the list", async () => {
    await open(async (page) => {
      await page.keyboard.type("dog");
      await option(page, "Dogs").waitFor();
      for (const key of ["Enter", "ArrowDown", "Escape"])
        await field(page).dispatchEvent("keydown", { key, isComposing: true });
      expect(await field(page).inputValue()).toBe("dog");
      expect(await highlighted(page).textContent()).toBe("Dogs");
    });
  });
});

describe("by mouse", () => {
  test("a click chooses an option, and leaving the field chooses the only match", async () => {
    await open(async (page) => {
      await field(page).click();
      await option(page, "Cats").click();
      expect(await field(page).inputValue()).toBe("Cats");
      await field(page).fill("ec");
      await page.getByLabel("Name").click();
      await waitForValue(field(page), "Écureuils");
      await field(page).fill("zebra");
      await page.getByLabel("Name").fill("Rex");
      await page.getByText("No category matches “zebra”.").waitFor();
      expect(await field(page).inputValue()).toBe("zebra");
      await page.getByRole("button", { name: "Add animal" }).click();
      expect(await field(page).getAttribute("aria-invalid")).toBe("true");
      expect(await page.getByLabel("Name").inputValue()).toBe("Rex");
    });
  });
});

test("the open list and its field are in view on a phone and at 400 %", async () => {
  await open(
    async (page) => {
      for (const height of [600, 256]) {
        await resize(page, { width: 320, height });
        await press(page, "Escape", "ArrowDown");
        await option(page, "Cats").waitFor();
        await press(page, "ArrowUp");
        for (const part of [highlighted(page), field(page)]) {
          const box = await part.boundingBox();
          expect(box?.y).toBeGreaterThanOrEqual(0);
          expect(Math.floor((box?.y ?? 0) + (box?.height ?? 0))).toBeLessThanOrEqual(height);
        }
      }
    },
    { width: 320 },
  );
});

describe("of animals", () => {
  const animal = (page: Page) => page.getByRole("combobox", { name: "Animal" });

  test("finds available ones by name beyond the first page, and any by its number", async () => {
    const rover = { name: "Rover", categoryId: 1, status: "sold" };
    const sold = (await person.call("POST /pets", rover)).json;
    await shop.open("/orders", { person }, async (page) => {
      await page.getByRole("button", { name: "New order" }).first().click();
      await animal(page).fill("FLUF");
      await list(page).getByRole("option", { name: "Fluffy" }).waitFor();
      const scrolls =
        "((d) => [d.scrollTop, d.scrollHeight > d.clientHeight && getComputedStyle(d).overflowY !== 'visible'])";
      expect(await page.evaluate(`${scrolls}(document.querySelector("dialog"))`)).toEqual([0, false]);
      await list(page).getByRole("option", { name: "· Cats" }).waitFor();
      await press(page, "Enter");
      expect(await animal(page).inputValue()).toBe("Fluffy");
      await animal(page).fill(String(sold.id));
      await list(page).getByRole("option", { name: "Rover" }).waitFor();
      await press(page, "Tab");
      expect(await animal(page).inputValue()).toBe("Rover");
      await page.getByText(`number ${sold.id}`).waitFor();
      await animal(page).fill("nobody");
      await page.getByText("No suggestions").waitFor();
      await press(page, "Tab");
      await page.getByText("No animal matches “nobody”.").waitFor();
    });
  });

  test("Enter and Tab pressed before the answer choose its first animal", async () => {
    await shop.open("/orders", { person }, async (page) => {
      await page.getByRole("button", { name: "New order" }).first().click();
      for (const key of ["Enter", "Tab"]) {
        await animal(page).fill("");
        const held = Promise.withResolvers<void>();
        await page.route("**/console/api/pets?*name=flu*", async (route) => {
          await held.promise;
          await route.continue();
        });
        await animal(page).focus();
        await page.keyboard.type("flu");
        await press(page, key);
        held.resolve();
        await waitForValue(animal(page), "Fluffy");
        await page.unroute("**/console/api/pets?*name=flu*");
      }
    });
  });
});

test.each(["/animals/x", "/animals?category=x", "/orders?for=x", "/webhooks/x", "/orders?animal=x"])(
  "a wrong number in an address is reported in words for people: %s",
  async (path) => {
    await shop.open(path, { person }, async (page) => {
      await page.locator("main [aria-busy=true]").waitFor({ state: "detached" });
      await page
        .getByText(/contains an invalid number|has this number|New order/)
        .first()
        .waitFor();
      expect(await page.locator("main").innerText()).not.toMatch(/integer|int64|64-bit/i);
    });
  },
);
