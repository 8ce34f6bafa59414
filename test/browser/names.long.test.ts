import { beforeAll, expect, test } from "bun:test";
import type { BrowserSession } from "../wire/browser-session.ts";
import { fillShop, settled } from "./console-screens.ts";
import { shopForTests } from "./shop.ts";

// Tests what a screen reader reads out on the pages that staff use every day: the role and the name of each landmark, heading,
// column and control, in the order of the page.

const shop = shopForTests();
let owner: BrowserSession;
beforeAll(async () => {
  ({ owner } = await fillShop(shop));
});

const NAMED =
  /^- ((?:navigation|region|heading|link|button|textbox|searchbox|combobox|checkbox|table|columnheader|rowheader) "[^"]+")/;

const PAGES: readonly (readonly [string, readonly string[]])[] = [
  [
    "/animals",
    [
      'heading "Animals"',
      ...['button "Export CSV"', 'button "Select all"', 'link "Import"', 'link "Add an animal"'],
      'navigation "Animals by status"',
      ...['link "All 4"', 'link "Available 1"', 'link "Pending 2"', 'link "Sold 1"', 'link "No status 0"'],
      ...['searchbox "Name or number"', 'combobox "Category"'],
      'table "Animals"',
      ...['columnheader "Select all animals shown"', 'checkbox "Select all animals shown"'],
      ...['columnheader "Name"', 'columnheader "Number"', 'columnheader "Category"', 'columnheader "Status"'],
      ...['columnheader "Last changed"', 'columnheader "Actions"'],
      ...['checkbox "Select Captain Whiskers"', 'rowheader "Captain Whiskers"', 'link "Captain Whiskers"'],
      ...['button "Sell Captain Whiskers"', 'button "More for Captain Whiskers"'],
      ...['checkbox "Select Bella"', 'rowheader "Bella"', 'link "Bella"', 'button "More for Bella"'],
      ...['checkbox "Select Rex"', 'rowheader "Rex"', 'link "Rex"', 'button "Sell Rex"'],
      'button "More for Rex"',
      ...['checkbox "Select Fluffy"', 'rowheader "Fluffy"', 'link "Fluffy"'],
      ...['button "Complete the order of Fluffy"', 'button "More for Fluffy"'],
    ],
  ],
  [
    "/animals/new",
    [
      ...['heading "Add an animal"', 'link "All animals"', 'textbox "Name"', 'combobox "Category"'],
      ...['combobox "Status (optional)"', 'textbox "Own number (optional)"', 'button "Add animal"'],
    ],
  ],
  [
    "/orders",
    [
      ...['heading "Orders"', 'button "Export CSV"', 'button "New order"'],
      ...['navigation "Orders by status"', 'link "Open"', 'link "Complete"', 'link "All"'],
      'table "orders"',
      ...['columnheader "Animal"', 'columnheader "Order"', 'columnheader "By"', 'columnheader "Placed"'],
      ...['columnheader "Due"', 'columnheader "Actions"'],
      ...['rowheader "Fluffy"', 'link "Fluffy"', 'button "Complete the order of Fluffy"'],
      'button "More for the order of Fluffy"',
    ],
  ],
];

test.each(PAGES)("a screen reader announces everything on %s", async (path, names) => {
  await shop.open(path, { person: owner }, async (page) => {
    await page.locator("main :is(tbody time, form)").first().waitFor();
    await settled(page);
    if (path === "/animals") {
      // The animal Rex gets its Sell button only after the page has found out that Rex has no order.
      await page.getByRole("button", { name: "Sell Rex", exact: true }).waitFor();
      // The numbers in the tabs come with another request than the list.
      await page.getByRole("link", { name: "All 4", exact: true }).waitFor();
    }
    const lines = (await page.locator("main").ariaSnapshot()).split("\n");
    expect(lines.flatMap((line) => NAMED.exec(line.trim())?.[1] ?? [])).toEqual([...names]);
  });
});
