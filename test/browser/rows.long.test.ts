import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { choose, expectNoFaults, resize, row, waitUntil } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// Tests that table rows and their menus can be used by keyboard, and that the theme can be switched between light and dark.

const shop = shopForTests();
const ada = shop.person();

const open = (path: string, steps: (page: Page) => Promise<void>) => shop.open(path, { person: ada }, steps);
const focused = (page: Page) =>
  page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.textContent") as Promise<string>;

let categories = 0;

/**
 * Adds animals to a category that is still empty.
 *
 * @returns the address of the list that shows only these animals, newest first
 */
async function addHerd(...names: string[]): Promise<string> {
  const categoryId = ++categories;
  for (const name of names) await ada.call("POST /pets", { name, categoryId, status: "available" });
  return `/animals?category=${categoryId}`;
}

test("arrows move between the items of a row's menu, round its ends, and Escape returns to its button", async () => {
  await open(await addHerd("Rex"), async (page) => {
    await row(page, "Rex").waitFor();
    await page.getByRole("button", { name: "More for Rex", exact: true }).focus();
    await page.keyboard.press("Enter");
    const items = page.locator("[popover]:popover-open :is(a, button)");
    const names = await items.allInnerTexts();
    expect(names.length).toBeGreaterThan(2);
    const moved: string[] = [];
    for (let press = 0; press <= names.length; press++) {
      await page.keyboard.press("ArrowDown");
      moved.push(await focused(page));
    }
    expect(moved).toEqual([...names, names[0] ?? ""]);
    await page.keyboard.press("ArrowUp");
    expect(await focused(page)).toBe(names.at(-1) ?? "");
    await page.keyboard.press("Escape");
    await waitUntil(page, async () => (await items.count()) === 0);
    expect(await focused(page)).toBe("More for Rex");
  });
});

test("Shift ↓ selects row by row, and Shift ↑ deselects them", async () => {
  await open(await addHerd("One", "Two", "Three", "Four"), async (page) => {
    await row(page, "Four").getByRole("link", { name: "Four" }).focus();
    const selected = () => page.locator("tr.is-selected th").allInnerTexts();
    const press = async (key: string, names: readonly string[]) => {
      await page.keyboard.press(key);
      await waitUntil(page, async () => (await selected()).join() === names.join());
    };
    await press("Shift+ArrowDown", ["Four", "Three"]);
    await press("Shift+ArrowDown", ["Four", "Three", "Two"]);
    await page.getByText("3 selected").first().waitFor();
    await press("Shift+ArrowUp", ["Four", "Three"]);
    await press("ArrowDown", ["Four", "Three"]);
    await press("Escape", []);
  });
});

test("after a removal the focus is on the next row, or on the previous one if the last row was removed", async () => {
  await open(await addHerd("Ada", "Bea", "Cid"), async (page) => {
    for (const [removed, next] of [
      ["Bea", "Ada"],
      ["Ada", "Cid"],
    ] as const) {
      await row(page, removed).waitFor();
      await choose(page, removed, "Remove…");
      await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
      await row(page, removed).waitFor({ state: "detached" });
      await waitUntil(page, async () => (await focused(page)) === next);
    }
  });
});

test("the switch for light and dark overrides the device's theme on every page and after a reload", async () => {
  const ground = (page: Page) =>
    page.evaluate("getComputedStyle(document.documentElement).backgroundColor") as Promise<string>;
  await open("/account", async (page) => {
    const theme = page.getByLabel("Theme in this browser");
    await theme.waitFor();
    const light = await ground(page);
    await theme.selectOption("Dark");
    await waitUntil(page, async () => (await ground(page)) !== light);
    const dark = await ground(page);
    await page.goto(new URL("/animals", page.url()).href);
    await page.getByRole("heading", { level: 1, name: "Animals" }).waitFor();
    expect(await ground(page)).toBe(dark);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto(new URL("/account", page.url()).href);
    await theme.selectOption("Light");
    await waitUntil(page, async () => (await ground(page)) === light);
    await theme.selectOption("As the device");
    await waitUntil(page, async () => (await ground(page)) === dark);
  });
});

test("on a phone, a touch on a row selects its animal, and rows have no buttons while some are selected", async () => {
  const list = await addHerd("One", "Two", "Three");
  await shop.open(list, { person: ada, width: 390 }, async (page) => {
    await row(page, "Three").waitFor();
    const box = page.getByRole("checkbox", { name: "Select Three" });
    const bar = page.getByRole("region", { name: "Selected animals" });
    const button = (name: string) => bar.getByRole("button", { name, exact: true });
    const start = async () => {
      await page.getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole("button", { name: "Select animals" }).click();
      await box.waitFor();
    };
    expect(await box.isVisible()).toBe(false);
    await start();
    await bar.getByText("Select animals").waitFor();
    // The checkbox is at the beginning of its row, and the name has the rest of the line.
    const cells = row(page, "Three").locator("th, td:not(.tail)");
    const starts = await cells.evaluateAll((all) =>
      all.slice(0, 2).map((cell) => cell.getBoundingClientRect().left),
    );
    expect(starts).toEqual(starts.toSorted((one, other) => one - other));
    expect((await cells.nth(1).boundingBox())?.width).toBeGreaterThan(100);
    await button("Cancel").click();
    await box.waitFor({ state: "hidden" });
    await start();
    expect(await page.getByRole("button", { name: "Sell Three" }).isVisible()).toBe(false);
    // While animals are being selected, a touch on a name selects the animal instead of opening its page.
    for (const name of ["Three", "One"]) await row(page, name).click();
    await page.getByText("2 selected").first().waitFor();
    const low =
      "[...document.querySelectorAll('.is-selected, .bulk-bar button')].map((one) => one.offsetHeight)";
    expect(Math.min(...((await page.evaluate(low)) as number[]))).toBeGreaterThanOrEqual(44);
    await expectNoFaults(page);
    await box.focus();
    await page.keyboard.press("Space");
    await page.getByText("1 selected").first().waitFor();
    await button("Sell").click();
    await page.getByText("1 animal sold").first().waitFor();
    await page.keyboard.press("Escape");
    await box.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Sell Two" }).waitFor();
  });
});

test("at every width, rows have checkboxes, or the page's menu shows them", async () => {
  const list = await addHerd("Wide", "Narrow");
  await shop.open(list, { person: ada }, async (page) => {
    const box = page.getByRole("checkbox", { name: "Select Narrow" });
    const more = page.getByRole("button", { name: "More", exact: true });
    await row(page, "Narrow").waitFor();
    for (const width of [320, 639, 640, 700, 752, 768, 959, 960, 1008, 1056, 1280]) {
      await resize(page, { width, height: 900 });
      await waitUntil(page, async () => (await box.isVisible()) !== (await more.isVisible()));
      if (await box.isVisible()) continue;
      await more.click();
      await page.getByRole("button", { name: "Select animals" }).click();
      await box.waitFor();
      await page.keyboard.press("Escape");
      await box.waitFor({ state: "hidden" });
    }
  });
});
