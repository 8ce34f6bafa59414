import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { accountId, signUp } from "../wire/browser-session.ts";
import { axe } from "./browser.ts";
import {
  type ConsolePageOptions,
  expectNoFaults,
  heading,
  letTimePass,
  signInOn,
  stopClock,
} from "./console-page.ts";
import { settled } from "./console-screens.ts";
import { countInteractions } from "./interactions.ts";
import { shopForTests } from "./shop.ts";

// Tests that an animal can be sold from its row in the list, and that the sale can be undone.

const shop = shopForTests();
const ada = shop.person();
const eve = shop.person("eve@example.com");
const vera = shop.person("vera@example.com");

let categories = 0;

/**
 * Adds an animal to a category that is still empty. Returns the animal's identifier and the address of the list that shows only
 * this animal.
 */
async function addPet(name: string) {
  const categoryId = ++categories;
  const id = await ada.pet({ name, categoryId });
  return { id, list: `/animals?category=${categoryId}` };
}

const statusOf = async (id: number) => (await ada.read(`/pets?id=${id}`))[0]?.status;
const open = (
  path: string,
  steps: (page: Page) => Promise<void>,
  options: Partial<ConsolePageOptions> = {},
) => shop.open(path, { person: ada, ...options }, steps);

/** Waits until the page has loaded the list again and the list contains an animal with this status. */
const readAgain = (page: Page, status: string) =>
  page.waitForResponse(async (response) => {
    if (!/api\/pets\?/.test(response.url())) return false;
    // The text cannot be read if the page has aborted the request in order to read the list once more.
    const text = await response.text().catch(() => "");
    return text.includes(`"${status}"`);
  });

/** Presses Enter twice. The clock is stopped, so that the second press comes soon after Undo has appeared, even on a busy machine. */
async function pressTwice(page: Page): Promise<void> {
  await stopClock(page);
  await page.keyboard.press("Enter");
  await page.locator("button:focus").filter({ hasText: "Undo" }).waitFor();
  await page.keyboard.press("Enter");
  await page.clock.resume();
}

/** Holds Enter down until some time after Undo has appeared. Pressing a key that is already down imitates its repetition. */
async function holdEnter(page: Page): Promise<void> {
  await page.keyboard.down("Enter");
  const undo = page.locator("button:focus:not([aria-disabled])").filter({ hasText: "Undo" });
  while (!(await undo.isVisible())) await page.keyboard.down("Enter");
  for (let repeat = 0; repeat < 5; repeat++) await page.keyboard.down("Enter");
}

const UNDO = /^Undo the sale/;

describe("Sell in an animal's row", () => {
  test.each(["", "&status=available"])(
    "sells at one click: the row stays as sold, with Undo until the order is complete 10 s later (%j)",
    async (filter) => {
      const { list } = await addPet("Below");
      const body = { name: "Fluffy", categoryId: categories, status: "available" };
      const { id } = (await ada.call("POST /pets", body)).json;
      await open(list + filter, async (page) => {
        // Time passes only where the test says so, so that the time for Undo does not end earlier on a busy machine.
        await stopClock(page);
        const row = page.getByRole("row").filter({ hasText: "Fluffy" });
        const shown = async () => [
          (await row.getByRole("cell").allInnerTexts()).slice(3, 4),
          await row.getByRole("button").allInnerTexts(),
          await page.getByRole("row").filter({ hasText: "Below" }).boundingBox(),
        ];
        const [, , place] = await shown();
        const interactions = await countInteractions(page);
        let isRead = false;
        void readAgain(page, "pending").then(() => {
          isRead = true;
        });
        await row.getByRole("button", { name: "Sell Fluffy" }).click();
        await letTimePass(page, async () => isRead);
        // Imitates the second click of a double click on Sell. By then, Undo is in the place of Sell.
        await row.getByRole("button", { name: UNDO }).dispatchEvent("click", { detail: 2 });
        expect([await statusOf(id), ...(await shown())]).toEqual(["pending", ["Sold"], ["Undo", "⋯"], place]);
        const isSold = readAgain(page, "sold");
        await page.clock.fastForward(10_000);
        await page.clock.resume();
        await isSold;
        await row.getByRole("button", { name: UNDO }).waitFor({ state: "detached" });
        expect([await statusOf(id), ...(await shown())]).toEqual(["sold", ["Sold"], ["⋯"], place]);
        expect(await interactions()).toEqual({ keys: 0, clicks: 1 });
        expect(await ada.read(`/store/orders?petId=${id}`)).toMatchObject([
          { complete: true, shipDate: null },
        ]);
      });
    },
  );

  test("changes the numbers in the tabs at once", async () => {
    await addPet("One");
    await addPet("Two");
    await open("/animals", async (page) => {
      const count = async () =>
        Number((await page.getByRole("link", { name: /^Available \d/ }).innerText()).split(" ")[1]);
      const before = await count();
      await stopClock(page);
      for (const [index, name] of ["One", "Two"].entries()) {
        await page.getByRole("button", { name: `Sell ${name}` }).click();
        await page.getByRole("button", { name: `Undo the sale of ${name}` }).waitFor();
        const passed = await letTimePass(page, async () => (await count()) === before - index - 1);
        expect(passed).toBeLessThan(9_000);
      }
    });
  });

  test("is undone by keyboard: the order is cancelled, and the focus is on Sell again", async () => {
    const { id, list } = await addPet("Undone");
    await open(
      list,
      async (page) => {
        // The clock is stopped while axe runs. Otherwise, the time for Undo could end before axe has finished.
        await stopClock(page);
        await page.getByRole("button", { name: "Sell Undone" }).focus();
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: "Undo the sale of Undone" }).waitFor();
        await expectNoFaults(page);
        await page.clock.resume();
        await page.locator("button:focus:not([aria-disabled])").filter({ hasText: "Undo" }).waitFor();
        await page.keyboard.press("Enter");
        await page.locator("button:focus").filter({ hasText: "Sell" }).waitFor();
        expect(await statusOf(id)).toBe("available");
        expect(await ada.read(`/store/orders?petId=${id}`)).toEqual([]);
      },
      { width: 320 },
    );
  });

  test.each([
    ["a double click", (page: Page) => page.locator("button:focus").dblclick({ delay: 60 })],
    ["a second Enter as soon as Undo is there", (page: Page) => pressTwice(page)],
    ["Enter held down", (page: Page) => holdEnter(page)],
  ])("makes one sale and does not undo it: %s", async (_, press) => {
    const { id, list } = await addPet("Once");
    await open(list, async (page) => {
      await page.getByRole("button", { name: "Sell Once" }).focus();
      await press(page);
      await page.locator("button:focus:not([aria-disabled])").filter({ hasText: "Undo" }).waitFor();
      await page.keyboard.up("Enter");
      expect(await statusOf(id)).toBe("pending");
      const types = (await ada.read(`/events?petId=${id}`)).map(({ type }: { type: string }) => type);
      expect(types).toEqual(["pet.updated", "order.placed", "pet.created"]);
    });
  });

  test("can be undone on another screen of the console, where animals sold together have one line", async () => {
    const { list } = await addPet("Elsewhere");
    const categoryId = categories;
    await ada.call("POST /pets", { name: "Together", categoryId, status: "available" });
    const statuses = async () =>
      (await ada.read(`/pets?categoryId=${categoryId}`)).map(({ status }: { status: string }) => status);
    await open(list, async (page) => {
      await page.getByRole("checkbox", { name: "Select all animals shown" }).click();
      const sell = page
        .getByRole("region", { name: "Selected animals" })
        .getByRole("button", { name: "Sell" });
      await sell.waitFor();
      // The clock is stopped while axe runs. Otherwise, the time for Undo could end before axe has finished.
      await stopClock(page);
      await sell.click();
      await letTimePass(page, () => page.getByText("2 animals sold.").isVisible());
      await page.getByRole("link", { name: "Categories" }).click();
      const sales = page.getByRole("region", { name: "Sales" });
      await letTimePass(
        page,
        async () => (await page.locator("h1").allTextContents()).join() === "Categories",
      );
      await letTimePass(page, () => sales.getByText("Sold 2 animals").isVisible());
      expect((await axe(page)).found).toEqual([]);
      await page.clock.resume();
      await page.getByRole("button", { name: UNDO }).click();
      await sales.waitFor({ state: "detached" });
      expect(await statuses()).toEqual(["available", "available"]);
    });
  });

  test("says at the page's end, until it is dismissed, that somebody else was first", async () => {
    const { id, list } = await addPet("Wanted");
    await open(list, async (page) => {
      await page.clock.install();
      await page.route("**/store/orders", async (route) => {
        const order = await eve.call("POST /store/orders", { petId: id });
        await eve.call(`POST /store/orders/${order.json.id}/complete`);
        await route.continue();
      });
      const sales = page.getByRole("region", { name: "Sales" });
      const row = page.getByRole("row").filter({ hasText: "Wanted" });
      const place = await row.boundingBox();
      await row.getByRole("button", { name: "Sell Wanted" }).click();
      await sales.getByRole("alert").getByText("Wanted was not sold.").waitFor();
      await page.clock.fastForward(60_000);
      await sales.getByRole("alert").getByText("Wanted was not sold.").waitFor();
      expect(await row.boundingBox()).toEqual(place);
      await sales.getByRole("button", { name: "Dismiss" }).click();
      expect(await sales.count()).toBe(0);
      expect(await ada.read(`/store/orders?petId=${id}`)).toHaveLength(1);
    });
  });

  test.each([
    ["at once", /complete$/],
    ["without a stream when it is completed", /events.after/],
  ])("says that somebody else has cancelled the order in the meantime: %s", async (_, unanswered) => {
    const { id, list } = await addPet("Cancelled");
    await open(list, async (page) => {
      await page.route(unanswered, () => {});
      await page.reload();
      await page.clock.install();
      await page.getByRole("button", { name: "Sell Cancelled" }).click();
      await page.getByRole("button", { name: UNDO }).waitFor();
      const [order] = await ada.read(`/store/orders?petId=${id}`);
      await ada.call(`DELETE /store/orders/${order.id}`);
      if (unanswered.test("events?after")) await page.clock.fastForward(10_000);
      const text = `Cancelled is not sold: somebody has cancelled order ${order.id}.`;
      await page.getByRole("alert").getByText(text, { exact: true }).waitFor();
    });
  });

  test.each([
    ["failed", "Pending"],
    ["was not answered", "Sold"],
  ])("keeps the row if completing the order %s, and can be retried", async (_, status) => {
    const { id, list } = await addPet("Offline");
    await open(
      list,
      async (page) => {
        await page.clock.install();
        await page.getByRole("button", { name: "Sell Offline" }).click();
        await page.getByRole("button", { name: UNDO }).waitFor();
        await page.route("**/complete", async (route) => {
          if (status === "Sold") await route.fetch();
          await route.abort();
        });
        await page.clock.fastForward(10_000);
        const sales = page.getByRole("region", { name: "Sales" });
        await sales.getByRole("alert").getByText("The sale of Offline is not complete").waitFor();
        await page.getByRole("row").getByText(status, { exact: true }).waitFor();
        await page.unroute("**/complete");
        if (status === "Pending") await page.evaluate("dispatchEvent(new Event('online'))");
        else await sales.getByRole("button", { name: "Try again" }).click();
        await sales.getByRole("alert").waitFor({ state: "detached" });
        await page.getByRole("button", { name: UNDO }).waitFor({ state: "detached" });
        expect(await statusOf(id)).toBe("sold");
      },
      { expected: /complete|ERR_FAILED/ },
    );
  });
});

test("a page that the browser translates again and again shows the same state as an untranslated one", async () => {
  const { id, list } = await addPet("Übersetzt");
  const shown = (page: Page) => page.evaluate(SHOWN);
  await open(list, async (page) => {
    const row = page.getByRole("row").filter({ hasText: "Übersetzt" });
    await row.getByText("Available").waitFor();
    await page.evaluate(TRANSLATOR);
    await row.getByRole("button", { name: "Sell Übersetzt" }).click();
    await row.getByText("Sold", { exact: true }).waitFor();
    await row.getByText("Undo", { exact: true }).click();
    await row.getByText("Available", { exact: true }).waitFor();
    await row.getByText("Sell", { exact: true }).waitFor();
    await ada.call(`PATCH /pets/${id}`, { name: "Renamed", status: "pending" });
    await page
      .getByRole("row")
      .filter({ hasText: "Renamed" })
      .getByText("Pending", { exact: true })
      .waitFor();
    for (const [link, address] of [
      ["Orders", "/orders"],
      ["Categories", "/categories"],
      ["Overview", "/"],
      ["Animals", "/animals"],
    ] as const) {
      await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: link }).click();
      await heading(page, link);
      await settled(page);
      await open(address, async (fresh) => {
        await settled(fresh);
        // An animal's button says Complete instead of Sell until the page has found out that the animal has no order. The numbers
        // in the tabs come with another request than the list.
        for (const shop of link === "Animals" ? [page, fresh] : []) {
          await shop.getByRole("button", { name: "Sell Renamed" }).waitFor();
          await shop.getByRole("link", { name: /^All \d/ }).waitFor();
        }
        expect([link, await shown(page)]).toEqual([link, await shown(fresh)]);
      });
    }
  });
});

/** Replaces every text on the page, as a browser's translator does unless the page forbids it. */
const TRANSLATOR = `(() => {
  const isOwn = (text) => text.parentElement.closest("[translate=no], font, script, style") !== null;
  function translate() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) if (!isOwn(walker.currentNode)) texts.push(walker.currentNode);
    for (const text of texts) {
      const font = document.createElement("font");
      font.append(text.data);
      text.replaceWith(font);
    }
  }
  new MutationObserver(translate).observe(document.body, { childList: true, subtree: true, characterData: true });
  translate();
})()`;

/** JavaScript that returns the text of the page without its times, because these change by themselves. */
const SHOWN = `(() => {
  const main = document.querySelector("main").cloneNode(true);
  for (const time of main.querySelectorAll("time")) time.remove();
  return main.textContent;
})()`;

test("an animal can be sold on its own page, which has no buttons for a viewer", async () => {
  const { id } = await addPet("Rex");
  await open(`/animals/${id}`, async (page) => {
    const animal = page.getByRole("region", { name: "Animal" });
    await animal.getByText("Available").waitFor();
    await animal.getByText(String(id), { exact: true }).waitFor();
    await animal.getByRole("button", { name: "Sell Rex" }).click();
    await animal.getByText("Sold", { exact: true }).waitFor();
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

test("another account in this tab cannot undo the previous account's bulk change", async () => {
  const gus = await signUp(shop.server, "gus@example.com");
  const { list } = await addPet("Bulky");
  await open(
    list,
    async (page) => {
      await page.getByRole("checkbox", { name: "Select Bulky" }).check();
      await page.getByRole("button", { name: "Set status" }).click();
      await page.getByRole("button", { name: "Pending", exact: true }).click();
      await page.getByText("1 animal set to Pending.").waitFor();
      await gus.call("DELETE /session");
      await signInOn(page, "eve@example.com");
      await page.getByRole("checkbox", { name: "Select Bulky" }).check();
      await page.getByText("1 selected", { exact: true }).first().waitFor();
      expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
    },
    { person: gus },
  );
});
