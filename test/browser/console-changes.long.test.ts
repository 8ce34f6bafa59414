import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { choose, dialogLoaded, expectNoFaults, row } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// Tests what the console shows when several people change the same thing at the same time.

const shop = shopForTests();
const ada = shop.person();

const open = (path: string, steps: (page: Page) => Promise<void>) =>
  shop.open(path, { person: ada, width: 360 }, steps);

const add = async (path: string, resource: object) => (await ada.call(`POST ${path}`, resource)).json;

const petWith = async (id: number) => (await ada.read(`/pets?id=${id}`))[0];

test("an animal that changed since its list was loaded is removed only once the person has seen how", async () => {
  const { id } = await add("/pets", { name: "Otter", categoryId: 2, status: "available" });
  await open("/animals?category=2", async (page) => {
    const dialog = page.getByRole("dialog");
    await choose(page, "Otter", "Remove…");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await choose(page, "Otter", "Remove…");
    await ada.call(`PATCH /pets/${id}`, { status: "sold" });
    await dialog.getByRole("button", { name: "Remove" }).click();
    await dialog.getByRole("listitem").getByText("Status: Available → Sold").waitFor();
    expect(await petWith(id)).toMatchObject({ status: "sold" });
    await dialog.getByRole("button", { name: "Remove anyway" }).click();
    await page.getByText("No animal matches this filter.").waitFor();
    expect(await petWith(id)).toBeUndefined();
  });
});

test("an animal with an open order is not removed; a change of its status is refused with the order's number and a link to it", async () => {
  const { id } = await add("/pets", { name: "Ordered", categoryId: 3, status: "available" });
  await add("/store/orders", {
    petId: (await add("/pets", { name: "Other", categoryId: 3, status: "available" })).id,
  });
  const order = await add("/store/orders", { petId: id });
  await open(`/animals/${id}`, async (page) => {
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: /^More for/ }).click();
    await page.getByRole("button", { name: "Remove…" }).click();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await dialog.getByText("has an open order").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await page.getByLabel("Name").fill("Ordered and renamed");
    await page.getByLabel("Status").selectOption("available");
    await page.getByRole("button", { name: "Save changes" }).click();
    const alert = page.getByRole("alert");
    await alert.getByText(`has an open order: ${order.id}.`).waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("Ordered and renamed");
    await alert.getByRole("link").click();
    await page.getByRole("row").filter({ hasText: "Ordered" }).waitFor();
    expect(await page.getByRole("rowheader").allTextContents()).toEqual(["Ordered"]);
    await page.getByRole("link", { name: "All orders" }).click();
    await page.getByRole("row").filter({ hasText: "Other" }).waitFor();
  });
});

test("a menu's action on an animal that has just changed is refused in words that staff know", async () => {
  const { id } = await add("/pets", { name: "Badger", categoryId: 5, status: "pending" });
  await open("/animals?category=5", async (page) => {
    await page.getByRole("button", { name: "Sell Badger" }).waitFor();
    await page.getByRole("button", { name: "More for Badger" }).click();
    // The change arrives before the request of the press, but the page has not shown it yet.
    await page.route(`**/pets/${id}`, async (route) => {
      await ada.call(`PATCH /pets/${id}`, { name: "Badger the second" });
      await route.continue();
    });
    await page.getByText("Make available", { exact: true }).click();
    const text = "Badger was not changed. Somebody has just changed this. Check it, and try again.";
    await page.getByRole("status").getByText(text).waitFor();
    expect(await petWith(id)).toMatchObject({ name: "Badger the second", status: "pending" });
  });
});

test("Escape keeps what was typed over an animal's values, and Edit shows it again", async () => {
  const { id } = await add("/pets", { name: "Mole", categoryId: 4 });
  await open(`/animals/${id}`, async (page) => {
    const edit = async () => {
      await page.getByRole("button", { name: "Edit", exact: true }).click();
      await dialogLoaded(page);
    };
    await edit();
    await page.getByLabel("Name").fill("Mole, typed");
    await page.keyboard.press("Escape");
    await page.getByRole("status").getByText("Your changes are kept").waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await edit();
    expect(await page.getByLabel("Name").inputValue()).toBe("Mole, typed");
    expect(await petWith(id)).toMatchObject({ name: "Mole" });
  });
});

describe("a category", () => {
  test("is listed from A to Z, whatever its accents and case, and by the value of numbers", async () => {
    const names = ["Zebras", "apes", "Tank 10", "Émus", "Tank 2", "Bees"];
    for (const name of names) await add("/categories", { name });
    await open("/categories", async (page) => {
      await row(page, "Zebras").waitFor();
      const listed = await page.locator("tbody th").allInnerTexts();
      expect(listed.filter((name) => names.includes(name))).toEqual([
        "apes",
        "Bees",
        "Émus",
        "Tank 2",
        "Tank 10",
        "Zebras",
      ]);
    });
  });

  test("names a number that animals use, where it is offered", async () => {
    await add("/pets", { name: "Nemo", categoryId: 70 });
    for (let number = 60; number < 70; number++) await add("/pets", { name: "One", categoryId: number });
    await open("/categories", async (page) => {
      for (let number = 60; number < 70; number++) await row(page, `Category ${number}`).waitFor();
      await row(page, "Category 70").getByText("1 animal").waitFor();
      await row(page, "Category 70").getByRole("button", { name: "Name it" }).click();
      await dialogLoaded(page);
      await page.keyboard.type("Fish");
      await page.keyboard.press("Enter");
      await row(page, "Fish").getByText("70", { exact: true }).waitFor({ state: "attached" });
      await row(page, "Fish").getByText("1 animal").waitFor();
      await row(page, "Category 70").waitFor({ state: "detached" });
      await page.goto(`${page.url()}?name=61`);
      await dialogLoaded(page);
      await page.keyboard.type("Reptiles");
      await page.keyboard.press("Enter");
      await row(page, "Reptiles").getByText("61", { exact: true }).waitFor({ state: "attached" });
      // The row may come with the event, before the page has the answer to the request that added it.
      await page.waitForURL((address) => address.search === "");
    });
  });

  test("is edited where it is listed; without a text it has no description", async () => {
    const { id, createdAt } = await add("/categories", { name: "Cats", description: "Purring" });
    const stored = async () => await ada.read(`/categories/${id}`);
    await open("/categories", async (page) => {
      const dialog = page.getByRole("dialog");
      await choose(page, "Cats", "Edit…");
      await expectNoFaults(page);
      await dialog.getByLabel("Name").fill("Felines");
      await dialog.getByLabel("Description").fill("");
      await dialog.getByRole("button", { name: "Save changes" }).click();
      await page.getByRole("row").filter({ hasText: "Felines" }).waitFor();
      expect(await stored()).toEqual({ id, name: "Felines", createdAt });

      await choose(page, "Felines", "Edit…");
      await dialog.getByLabel("Name").fill("Felines, typed");
      await ada.call(`PATCH /categories/${id}`, { description: "Purring again" });
      await dialog.getByRole("button", { name: "Save changes" }).click();
      await page.getByRole("row").filter({ hasText: "Felines, typed" }).waitFor();
      expect(await stored()).toEqual({
        id,
        name: "Felines, typed",
        description: "Purring again",
        createdAt,
      });

      await choose(page, "Felines, typed", "Edit…");
      await dialog.getByLabel("Name").fill("Forgotten");
      await page.keyboard.press("Escape");
      await page.getByRole("status").getByText("Your changes are kept").waitFor();
      await choose(page, "Felines, typed", "Edit…");
      expect(await dialog.getByLabel("Name").inputValue()).toBe("Forgotten");
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await choose(page, "Felines, typed", "Edit…");
      expect(await dialog.getByLabel("Name").inputValue()).toBe("Felines, typed");
      expect(await page.locator("[aria-live]").allTextContents()).not.toContain("Saving…");
    });
  });

  test("is removed once no animal is in it; until then the dialog counts its animals, and leads to them", async () => {
    const { id } = await add("/categories", { name: "Birds" });
    await add("/pets", { name: "Parrot", categoryId: id });
    await open("/categories", async (page) => {
      const dialog = page.getByRole("dialog");
      await choose(page, "Birds", "Remove…");
      await dialog.getByRole("heading", { name: "Birds has 1 animal" }).waitFor();
      expect(await dialog.getByRole("button", { name: "Remove" }).count()).toBe(0);
      await dialog.getByRole("link").click();
      await choose(page, "Parrot", "Remove…");
      await dialog.getByRole("button", { name: "Remove" }).click();
      await page.getByText("No animal matches this filter.").waitFor();
      await page.goBack();
      await choose(page, "Birds", "Remove…");
      await dialog.getByRole("button", { name: "Remove" }).click();
      await page.getByRole("row").filter({ hasText: "Birds" }).waitFor({ state: "detached" });
      expect((await ada.call(`GET /categories/${id}`)).status).toBe(404);
    });
  });
});
