import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { expectNoFaults, heading, resize, row, waitUntil } from "./console-page.ts";
import { countInteractions } from "./interactions.ts";
import { shopForTests } from "./shop.ts";

// Tests the Find dialog: it shows the animals that were opened most recently, and an animal can be sold from its results.

const shop = shopForTests();
const ada = shop.person();
const eve = shop.person("eve@example.com");
/** One of the tests signs Mia out, so the other tests use other people's accounts. */
const mia = shop.person("mia@example.com");

const open = (path: string, steps: (page: Page) => Promise<void>, person = ada) =>
  shop.open(path, { person }, steps);

const addPet = (name: string) => ada.pet({ name });

const options = (page: Page) => page.getByRole("option");
const selected = (page: Page) => page.getByRole("option", { selected: true });
const closed = (page: Page) => page.getByRole("dialog").waitFor({ state: "detached" });
const kept = (page: Page, email: string): Promise<string | null> =>
  page.evaluate(`localStorage.getItem("recent-animals ${email}")`);
/** Waits until the browser has noted that an animal was opened. It does so only after it has drawn the animal's page. */
const noted = (page: Page, email: string, id: number) =>
  waitUntil(page, async () => JSON.parse((await kept(page, email)) ?? "[]")[0] === `${id}`);
const statusOf = async (id: number) => (await ada.read(`/pets?id=${id}`))[0]?.status;
const ordersOf = async (id: number) => (await ada.read(`/store/orders?petId=${id}`)).length;

test("before anything is typed, Find shows the most recently opened animals until the person signs out", async () => {
  const ids = [await addPet("Opened First"), await addPet("Opened Last"), await addPet("Not Opened")];
  await open(
    "/",
    async (page) => {
      await page.keyboard.press("/");
      expect(await options(page).first().innerText()).toBe("Overview");
      await page.keyboard.press("Escape");
      for (const id of ids.slice(0, 2)) {
        await page.goto(new URL(`/animals/${id}`, page.url()).href);
        await heading(page, "Opened");
        await noted(page, "mia@example.com", id);
      }
      await page.keyboard.press("Control+k");
      await options(page).first().waitFor();
      const shown = await options(page).allInnerTexts();
      expect(shown.map((text) => text.split("\n")[0]).slice(0, 3)).toEqual([
        "Opened Last",
        "Opened First",
        "Overview",
      ]);
      await expectNoFaults(page);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await heading(page, "Opened First");
      await page.keyboard.press("?");
      await page.getByRole("dialog").getByText("Show these keys").waitFor();
      expect(await options(page).count()).toBe(0);
      await page.keyboard.press("Escape");
      expect(await kept(page, "mia@example.com")).not.toBeNull();
      await page.getByRole("link", { name: "Account" }).click();
      await page.getByRole("button", { name: "Sign out", exact: true }).click();
      await heading(page, "Sign in");
      expect(await kept(page, "mia@example.com")).toBeNull();
    },
    mia,
  );
});

test("in a low window, the list of Find scrolls, and the title above it stays whole", async () => {
  await open("/", async (page) => {
    await resize(page, { width: 1280, height: 420 });
    await page.keyboard.press("/");
    await options(page).last().waitFor();
    const isCut = (place: Locator) => place.evaluate((one) => one.scrollHeight > one.clientHeight);
    expect(await isCut(page.getByRole("listbox"))).toBe(true);
    expect(await isCut(page.getByRole("dialog").getByRole("heading"))).toBe(false);
  });
});

test("another account in this browser does not see recently opened animals", async () => {
  const id = await addPet("Of Ada");
  await open(`/animals/${id}`, async (page) => {
    await heading(page, "Of Ada");
    await noted(page, "ada@example.com", id);
    const [name = "", value = ""] = eve.cookie()?.split("=") ?? [];
    await page.context().addCookies([{ name, value, url: new URL(page.url()).origin }]);
    await page.goto(new URL("/animals", page.url()).href);
    await heading(page, "Animals");
    await page.keyboard.press("/");
    expect(await options(page).first().innerText()).toBe("Overview");
  });
});

test("Ctrl Enter sells the animal that is highlighted, once", async () => {
  const id = await addPet("Quickly Sold");
  await open("/orders", async (page) => {
    const count = await countInteractions(page);
    await page.keyboard.press("/");
    // Inserts the whole text at once, so that the page searches only once. That search has ended when the list shows the animal.
    await page.keyboard.insertText("quic");
    await selected(page).getByText("Quickly Sold").waitFor();
    await page.keyboard.down("Control");
    // Pressing a key that is already down imitates the repetition of a held key.
    for (let press = 0; press < 5; press++) await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    await page.keyboard.press("Enter");
    await page.keyboard.up("Control");
    await closed(page);
    await page.getByRole("button", { name: "Undo the sale of Quickly Sold" }).waitFor();
    expect([await statusOf(id), await ordersOf(id)]).toEqual(["pending", 1]);
    expect((await count()).clicks).toBe(0);
    await expectNoFaults(page);
  });
});

test("nothing is sold while a search is running, because nobody has seen its results", async () => {
  const id = await addPet("Unseen");
  await open("/orders", async (page) => {
    const held = Promise.withResolvers<void>();
    await page.route("**/console/api/pets?*name=unse*", async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.keyboard.press("/");
    await page.keyboard.type("unse");
    await page.keyboard.press("Control+Enter");
    held.resolve();
    await selected(page).getByText("Unseen").waitFor();
    expect([await statusOf(id), await ordersOf(id)]).toEqual(["available", 0]);
  });
});

test("the button beside a found animal sells it, and the second click of a double click presses nothing else", async () => {
  const id = await addPet("Clicked");
  await open(`/animals?name=clicked`, async (page) => {
    await row(page, "Clicked").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("click");
    await selected(page).getByText("Clicked").waitFor();
    await page
      .locator(".option", { hasText: "Clicked" })
      .getByText("Sell", { exact: true })
      .dblclick({ delay: 60 });
    await closed(page);
    await row(page, "Clicked").getByRole("button", { name: "Undo the sale of Clicked" }).waitFor();
    expect([await statusOf(id), await ordersOf(id)]).toEqual(["pending", 1]);
    await page.keyboard.press("/");
    await page.keyboard.type("click");
    await selected(page).getByText("Sold").waitFor();
    expect(await page.locator(".option").getByText("Sell", { exact: true }).count()).toBe(0);
  });
});
