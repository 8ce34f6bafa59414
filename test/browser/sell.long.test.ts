import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { accountId } from "../wire/browser-session.ts";
import { axe } from "./browser.ts";
import { type ConsolePageOptions, expectNoFaults } from "./console-page.ts";
import { countInteractions } from "./interactions.ts";
import { shopForTests } from "./shop.ts";

// An animal is sold from its row, and the sale is undone.

const shop = shopForTests();
const ada = shop.person();
const eve = shop.person("eve@example.com");
const vera = shop.person("vera@example.com");

let categories = 0;

/** An animal alone in its category, and the address of a list of only that animal. */
async function addPet(name: string) {
  const categoryId = ++categories;
  const { body } = await ada.call("POST /pets", { name, categoryId, status: "available" });
  const id: number = JSON.parse(body).id;
  return { id, list: `/animals?category=${categoryId}` };
}

const read = async (path: string) => JSON.parse((await ada.call(`GET ${path}`)).body);
const statusOf = async (id: number) => (await read(`/pets?id=${id}`))[0]?.status;
const open = (
  path: string,
  steps: (page: Page) => Promise<void>,
  options: Partial<ConsolePageOptions> = {},
) => shop.open(path, { person: ada, ...options }, steps);

const UNDO = /^Undo the sale/;

describe("Sell in an animal's row", () => {
  test("sells at one click: the order is placed at once, and complete 10 s later", async () => {
    const { id, list } = await addPet("Fluffy");
    await open(list, async (page) => {
      await page.clock.install();
      const interactions = await countInteractions(page);
      await page.getByRole("button", { name: "Sell Fluffy" }).click();
      await page.getByText("Sold Fluffy").first().waitFor();
      expect(await statusOf(id)).toBe("pending");
      await page.clock.fastForward(10_000);
      await page.getByRole("row").filter({ hasText: "Fluffy" }).getByText("Sold", { exact: true }).waitFor();
      await page.getByRole("button", { name: UNDO }).waitFor({ state: "detached" });
      expect(await statusOf(id)).toBe("sold");
      expect(await interactions()).toEqual({ keys: 0, clicks: 1 });
      expect(await read(`/store/orders?petId=${id}`)).toMatchObject([{ complete: true, shipDate: null }]);
    });
  });

  test("is undone by keyboard: the order is cancelled, and the focus is on Sell again", async () => {
    const { id, list } = await addPet("Undone");
    await open(
      list,
      async (page) => {
        await page.getByRole("button", { name: "Sell Undone" }).focus();
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: "Undo the sale of Undone" }).waitFor();
        await expectNoFaults(page);
        await page.locator("button:focus").filter({ hasText: "Undo" }).waitFor();
        await page.keyboard.press("Enter");
        await page.locator("button:focus").filter({ hasText: "Sell" }).waitFor();
        expect(await statusOf(id)).toBe("available");
        expect(await read(`/store/orders?petId=${id}`)).toEqual([]);
      },
      { width: 320 },
    );
  });

  test("is not undone by a double click", async () => {
    const { id, list } = await addPet("Twice");
    await open(list, async (page) => {
      await page.getByRole("button", { name: "Sell Twice" }).click();
      const undo = page.getByRole("button", { name: UNDO });
      await undo.dispatchEvent("click", { detail: 2 });
      expect(await undo.isEnabled()).toBe(true);
      expect(await statusOf(id)).toBe("pending");
    });
  });

  test("can be undone on another screen of the console", async () => {
    const { id, list } = await addPet("Elsewhere");
    await open(list, async (page) => {
      await page.getByRole("button", { name: "Sell Elsewhere" }).click();
      await page.getByRole("button", { name: UNDO }).waitFor();
      await page.getByRole("link", { name: "Categories" }).click();
      await page.getByRole("heading", { level: 1, name: "Categories" }).waitFor();
      expect((await axe(page)).found).toEqual([]);
      await page.getByRole("button", { name: UNDO }).click();
      await page.getByRole("button", { name: UNDO }).waitFor({ state: "detached" });
      expect(await statusOf(id)).toBe("available");
    });
  });

  test("says in the row, until it is dismissed, who was first", async () => {
    const { id, list } = await addPet("Wanted");
    await open(list, async (page) => {
      await page.clock.install();
      await page.route("**/store/orders", async (route) => {
        const { body } = await eve.call("POST /store/orders", { petId: id });
        await eve.call(`POST /store/orders/${JSON.parse(body).id}/complete`);
        await route.continue();
      });
      const row = page.getByRole("row").filter({ hasText: "Wanted" });
      await row.getByRole("button", { name: "Sell Wanted" }).click();
      const first = /^Wanted was not sold. eve@example.com sold .?Wanted.? \d+ seconds? ago.$/;
      await row.getByRole("alert").getByText(first).waitFor();
      await page.clock.fastForward(60_000);
      await row.getByRole("alert").getByText(first).waitFor();
      await row.getByRole("button", { name: "Dismiss" }).click();
      expect(await row.getByRole("alert").count()).toBe(0);
      expect(await read(`/store/orders?petId=${id}`)).toHaveLength(1);
    });
  });

  test("says that somebody else has cancelled the order meanwhile", async () => {
    const { id, list } = await addPet("Cancelled");
    await open(list, async (page) => {
      await page.clock.install();
      await page.getByRole("button", { name: "Sell Cancelled" }).click();
      await page.getByRole("button", { name: UNDO }).waitFor();
      const [order] = await read(`/store/orders?petId=${id}`);
      await ada.call(`DELETE /store/orders/${order.id}`);
      await page.clock.fastForward(10_000);
      const text = `Cancelled is not sold: somebody has cancelled order ${order.id}.`;
      await page.getByRole("alert").getByText(text, { exact: true }).waitFor();
    });
  });

  test("stays where the order could not be completed, and is tried again", async () => {
    const { id, list } = await addPet("Offline");
    await open(
      list,
      async (page) => {
        await page.clock.install();
        await page.getByRole("button", { name: "Sell Offline" }).click();
        await page.getByRole("button", { name: UNDO }).waitFor();
        await page.route("**/complete", (route) => route.abort());
        await page.clock.fastForward(10_000);
        const row = page.getByRole("row").filter({ hasText: "Offline" });
        await row.getByRole("alert").getByText("The sale of Offline is not complete").waitFor();
        await page.unroute("**/complete");
        await row.getByRole("button", { name: "Try again" }).click();
        await row.getByRole("alert").waitFor({ state: "detached" });
        expect(await statusOf(id)).toBe("sold");
      },
      { expected: /complete|ERR_FAILED/ },
    );
  });
});

test("an animal's own page sells it too; for a viewer it has no buttons", async () => {
  const { id } = await addPet("Rex");
  await open(`/animals/${id}`, async (page) => {
    const animal = page.getByRole("region", { name: "Animal" });
    await animal.getByText("Available").waitFor();
    await animal.getByText(`Number ${id}`).waitFor();
    await animal.getByRole("button", { name: "Sell Rex" }).click();
    await animal.getByText("Pending").waitFor();
    await page.getByRole("button", { name: UNDO }).click();
    await animal.getByText("Available").waitFor();
    expect(await statusOf(id)).toBe("available");
    await ada.call(`PATCH /accounts/${await accountId(ada, "vera@example.com")}`, { role: "viewer" });
    await open(
      `/animals/${id}`,
      async (viewed) => {
        await viewed.getByRole("region", { name: "Animal" }).getByText("Available").waitFor();
        expect(await viewed.locator("main button").count()).toBe(0);
      },
      { person: vera },
    );
  });
});
