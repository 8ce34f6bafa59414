import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import {
  type ConsolePageOptions,
  choose,
  consoleAddress,
  dialogLoaded,
  expectNoFaults,
  row,
  stopClock,
  waitUntil,
} from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// Tests how orders are placed, completed and cancelled in the console.

const shop = shopForTests();
const ada = shop.person();

const add = async (path: string, resource: object) => (await ada.call(`POST ${path}`, resource)).json;
const open = (
  path: string,
  steps: (page: Page) => Promise<void>,
  options: Partial<ConsolePageOptions> = {},
) => shop.open(path, { person: ada, ...options }, steps);

test("an order that was begun for one animal is not placed for another", async () => {
  const first = await ada.pet({ name: "First" });
  const second = await ada.pet({ name: "Second" });
  await open(`/orders?animal=${first}`, async (page) => {
    await page.getByLabel("Ship date").fill("2099-12-24");
    await page.goto(`${consoleAddress(shop.server)}/orders?animal=${second}`);
    expect(await page.getByLabel("Ship date").inputValue()).toBe("");
    await page.getByRole("button", { name: "Place order" }).click();
    await page.getByRole("status").getByText("placed").waitFor();
    await page.goto(`${consoleAddress(shop.server)}/orders?animal=${first}`);
    expect(await page.getByLabel("Ship date").inputValue()).toBe("2099-12-24");
  });
  expect(await ada.read(`/store/orders?petId=${first}`)).toEqual([]);
  expect(await ada.read(`/store/orders?petId=${second}`)).toMatchObject([{ shipDate: null }]);
});

test("a ship date is the date that was picked, in every time zone; a time of day is shown as one", async () => {
  const picked = await ada.pet({ name: "Shipped" });
  const timed = await ada.pet({ name: "Timed" });
  await add("/store/orders", { petId: timed, shipDate: "2099-12-24T22:30:00Z" });
  await open(
    `/orders?animal=${picked}`,
    async (page) => {
      await page.getByLabel("Ship date").fill("2099-12-24");
      await page.getByRole("button", { name: "Place order" }).click();
      await page.getByRole("status").getByText("placed").waitFor();
    },
    { timeZone: "Pacific/Auckland" },
  );
  expect(await ada.read(`/store/orders?petId=${picked}`)).toMatchObject([
    { shipDate: "2099-12-24T00:00:00.000Z" },
  ]);
  for (const [timeZone, time] of [
    ["Pacific/Auckland", "Dec 25, 2099, 11:30 AM"],
    ["America/Los_Angeles", "Dec 24, 2099, 2:30 PM"],
  ] as const) {
    await open(
      "/orders",
      async (page) => {
        await row(page, "Shipped").getByText("Dec 24, 2099", { exact: true }).waitFor();
        expect((await row(page, "Timed").locator("time").last().textContent())?.replaceAll(/\s/g, " ")).toBe(
          time,
        );
      },
      { timeZone },
    );
  }
});

test("an open order whose day is over is late, and its date is red", async () => {
  const name = {
    Late: "2026-01-02T00:00:00Z",
    "In time": "2100-01-02T00:00:00Z",
    Done: "2026-01-02T00:00:00Z",
  };
  for (const [pet, shipDate] of Object.entries(name)) {
    const order = await add("/store/orders", { petId: await ada.pet({ name: pet }), shipDate });
    if (pet === "Done") await ada.call(`POST /store/orders/${order.id}/complete`);
  }
  await open("/orders?status=all", async (page) => {
    await row(page, "Late").getByText("Jan 2, 2026 (late)").waitFor();
    const isRed = async (name: string) => {
      const due = row(page, name).getByRole("time").last();
      const colour = await due.evaluate(
        (time) => time.ownerDocument.defaultView?.getComputedStyle(time).color,
      );
      const [red = 0, green = 0, blue = 0] = (colour?.match(/[\d.]+/g) ?? []).map(Number);
      return red > 2 * Math.max(green, blue);
    };
    expect([await isRed("Late"), await isRed("In time"), await isRed("Done")]).toEqual([true, false, false]);
    expect(await page.getByText("(late)").count()).toBe(1);
  });
});

describe("an open order", () => {
  test("is completed with one key once the time for Undo is over, and stays open after Undo", async () => {
    const petId = await ada.pet({ name: "Confirmed" });
    const { id } = await add("/store/orders", { petId });
    await open(
      `/orders?for=${petId}`,
      async (page) => {
        // Time passes only where the test says so, so that the time for Undo does not end earlier on a busy machine.
        await stopClock(page);
        const focused = (text: string) => page.locator(":focus", { hasText: text }).waitFor();
        const settle = async () => {
          await page.clock.runFor(1_000);
          await page.locator("button:focus:not([aria-disabled])").waitFor();
        };
        await page.getByRole("button", { name: "Complete the order of Confirmed" }).focus();
        const label = `getComputedStyle(document.querySelector("[data-label=Placed]"), "::before").content`;
        expect(await page.evaluate(label)).toContain("Placed");
        await page.keyboard.press("Enter");
        await focused("Undo");
        await expectNoFaults(page);
        expect(await page.getByRole("button", { name: "More for the order of Confirmed" }).count()).toBe(0);
        await settle();
        await page.keyboard.press("Enter");
        await focused("Complete");
        await settle();
        await page.clock.fastForward(10_000);
        expect(await ada.read(`/store/orders/${id}`)).toMatchObject({ complete: false });
        await page.keyboard.press("Enter");
        await focused("Undo");
        await page.clock.fastForward(10_000);
        await page.clock.resume();
        await page.getByRole("row").getByText("Open", { exact: true }).waitFor({ state: "detached" });
        await focused("Orders for animal");
        expect(await ada.read(`/store/orders/${id}`)).toMatchObject({ complete: true });
      },
      { width: 320 },
    );
  });

  test.each(["its animal's page", "its animal's row"])("is completed on %s with one click", async (where) => {
    const { id: petId } = await add("/pets", { name: "Reserved", categoryId: 77, status: "available" });
    await add("/store/orders", { petId });
    await open(where.endsWith("row") ? "/animals?category=77" : `/animals/${petId}`, async (page) => {
      await page.clock.install();
      await page.getByRole("button", { name: "Complete the order of Reserved" }).click();
      await page.getByRole("button", { name: "Undo the sale of Reserved" }).waitFor();
      await page.clock.fastForward(10_000);
      await waitUntil(page, async () => (await ada.read(`/pets?id=${petId}`))[0].status === "sold");
      await page.getByText("Sold", { exact: true }).first().waitFor();
    });
  });

  test("is not needed to sell or release an animal that was set to Pending by hand", async () => {
    const { id } = await add("/pets", { name: "By hand", categoryId: 78, status: "pending" });
    await open("/animals?category=78", async (page) => {
      await page.clock.install();
      await page.getByRole("button", { name: "Sell By hand" }).click();
      await page.getByRole("button", { name: "Undo the sale of By hand" }).click();
      await page.getByRole("button", { name: "Sell By hand" }).waitFor();
      await choose(page, "By hand", "Make available");
      await row(page, "By hand").getByText("Available").waitFor();
      await ada.call(`PATCH /pets/${id}`, { status: "pending" });
      await row(page, "By hand").getByText("Pending").waitFor();
      await page.getByRole("button", { name: "Sell By hand" }).click();
      await page.getByRole("button", { name: "Undo the sale of By hand" }).waitFor();
      await page.clock.fastForward(10_000);
      await waitUntil(page, async () => (await ada.read(`/pets?id=${id}`))[0].status === "sold");
      expect(await ada.read(`/store/orders?petId=${id}`)).toEqual([]);
    });
  });

  test("that another person has completed is not cancelled, and the dialog says so", async () => {
    const petId = await ada.pet({ name: "Contended" });
    const { id } = await add("/store/orders", { petId });
    await open(`/orders?for=${petId}`, async (page) => {
      await page.route(`**/store/orders/${id}`, async (route) => {
        await ada.call(`POST /store/orders/${id}/complete`);
        await route.continue();
      });
      await choose(page, "the order of Contended", "Cancel order…");
      const dialog = page.getByRole("dialog");
      await expectNoFaults(page);
      await dialog.getByRole("button", { name: "Cancel order" }).click();
      await page.getByRole("row").getByText("Open", { exact: true }).waitFor({ state: "detached" });
      await dialog.getByRole("alert").getByText(`Order ${id} is already complete.`).waitFor();
    });
  });
});

test("the list begins with open orders, which can be cancelled, and offers no order for an unavailable animal", async () => {
  const open1 = await add("/store/orders", { petId: await ada.pet({ name: "Still open" }) });
  const done = await add("/store/orders", { petId: await ada.pet({ name: "Handed over" }) });
  await ada.call(`POST /store/orders/${done.id}/complete`);
  await open("/orders", async (page) => {
    await page.getByRole("link", { name: "Still open", exact: true }).waitFor();
    expect(await row(page, "Handed over").count()).toBe(0);
    expect(await page.getByRole("columnheader").allTextContents()).toEqual([
      ...["Animal", "Order", "By", "Placed", "Due", "Actions"],
    ]);
    await page.getByRole("button", { name: "New order" }).click();
    await dialogLoaded(page);
    await page.keyboard.type(String(done.petId));
    await page.keyboard.press("Enter");
    await page.getByText(`number ${done.petId}`).waitFor();
    await page.getByRole("button", { name: "Place order" }).click();
    await page
      .getByText(/is not available/)
      .first()
      .waitFor();
    expect(await page.getByLabel("Animal").inputValue()).toBe("Handed over");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.locator(":focus", { hasText: "New order" }).waitFor();
    await choose(page, "the order of Still open", "Cancel order…");
    await page.getByRole("button", { name: "Cancel order" }).click();
    await row(page, "Still open").waitFor({ state: "detached" });
    expect(await ada.read(`/pets?id=${open1.petId}`)).toMatchObject([{ status: "available" }]);
    await page.getByRole("link", { name: "Complete", exact: true }).click();
    await page.getByRole("link", { name: "Handed over", exact: true }).waitFor();
    expect(await row(page, "Still open").count()).toBe(0);
    await page.getByRole("link", { name: "All", exact: true }).click();
    await page.getByRole("link", { name: "Reserved", exact: true }).first().waitFor();
    await page.getByRole("link", { name: "Handed over", exact: true }).waitFor();
  });
});
