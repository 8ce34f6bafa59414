import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { ConsolePageOptions } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

const shop = shopForTests();
const ada = shop.person();
beforeAll(async () => {
  await ada.call("POST /categories", { name: "Cats" });
  for (const name of ["Ada", "Grace", "x".repeat(255)])
    await ada.call("POST /pets", { name, categoryId: 1, status: "available" });
  await ada.call("POST /store/orders", { petId: 1 });
});

/** Opens a page in the dark theme as it would be printed on A4 paper with margins of 1 cm. */
const printed = (path: string, steps: (page: Page) => Promise<void>, options: ConsolePageOptions = {}) =>
  shop.open(path, { person: ada, theme: "dark", width: 718, ...options }, async (page) => {
    const rows = page.locator("main").getByText(/Ada|Cats/);
    await rows.first().waitFor();
    await page.emulateMedia({ media: "print" });
    await steps(page);
  });

/** Returns the matching elements that are visible on paper. */
const shown = (page: Page, selector: string) =>
  page.evaluate(`[...document.querySelectorAll("${selector}")]
    .filter((element) => element.getClientRects().length > 0)
    .map(({ outerHTML }) => outerHTML.slice(0, 200))`);

const CONTROLS = "nav, button, .button, header.sidebar, input[type=checkbox], search, dialog";
/** JavaScript that returns the text colours, backgrounds and underlines of all visible elements in `<main>`. */
const COLOURS = `[...new Set([...document.querySelectorAll("main *")].flatMap((element) => {
  const { color, backgroundColor, backgroundImage, textDecorationLine } = getComputedStyle(element);
  return element.getClientRects().length === 0 ? [] : [color, backgroundColor, backgroundImage, textDecorationLine];
}))].sort()`;
const PLAIN = ["none", "rgb(0, 0, 0)", "rgba(0, 0, 0, 0)"];

for (const [path, head] of [
  ["/animals", "Name Number Category Status Last changed"],
  ["/orders", "Animal Order"],
  ["/categories", "Name Animals Number Description"],
] as const) {
  test(`${path} prints as a table, without navigation and controls, black on white`, async () => {
    await printed(path, async (page) => {
      expect(await shown(page, CONTROLS)).toEqual([]);
      expect(await page.evaluate(COLOURS)).toEqual(PLAIN);
      expect(await page.evaluate("getComputedStyle(document.documentElement).backgroundColor")).toBe(
        "rgb(255, 255, 255)",
      );
      const table = page.getByRole("table").first();
      expect(await page.evaluate(`getComputedStyle(document.querySelector("thead")).display`)).toBe(
        "table-header-group",
      );
      expect((await table.getByRole("row").first().innerText()).replaceAll(/\s+/g, " ")).toContain(head);
    });
  });
}

test("an animal prints with its values and its history", async () => {
  await printed("/animals/1", async (page) => {
    expect(await shown(page, CONTROLS)).toEqual([]);
    expect(await page.evaluate(COLOURS)).toEqual(PLAIN);
    expect(await page.getByRole("heading", { level: 1, name: "Ada" }).isVisible()).toBe(true);
    expect(await page.getByLabel("Animal").innerText()).toContain("Number\n1");
    expect(await page.getByRole("heading", { name: "History" }).isVisible()).toBe(true);
  });
});
