import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { type ConsolePageOptions, hold, isTooWide, pressEnterTwice, waitUntil } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// Tests changes to all animals that match a filter, even if the list shows only a few of them.

const shop = shopForTests();
const ada = shop.person();
const ben = shop.person("ben@example.com");

const open = (
  path: string,
  steps: (page: Page, requests: readonly string[]) => Promise<void>,
  options: ConsolePageOptions = {},
) => shop.open(path, { person: ada, ...options }, (page, { requests }) => steps(page, requests));
const bar = (page: Page) => page.getByRole("region", { name: "Selected animals" });
const button = (page: Page, name: string | RegExp) => bar(page).getByRole("button", { name, exact: true });

/** Adds animals to a category that is still empty. Each request adds up to a hundred. */
async function addHerd(categoryId: number, count: number, members: object = { status: "available" }) {
  const line = (_: unknown, number: number) => ({
    method: "POST",
    path: "/pets",
    body: { name: `Herd ${number + 1}`, categoryId, ...members },
  });
  const lines = Array.from({ length: count }, line);
  while (lines.length > 0) {
    const { status } = await ada.call("POST /pet-lines", { lines: lines.splice(0, 100) });
    expect(status).toBe(200);
  }
}
async function count(categoryId: number, query = ""): Promise<number> {
  let found = 0;
  for (let address = `/pets?categoryId=${categoryId}&limit=100${query}`; address !== ""; ) {
    const { json, headers } = await ada.call(`GET ${address}`);
    found += json.length;
    const [, next = ""] = /cursor=([^&>]+)/.exec(headers.get("Link") ?? "") ?? [];
    address = next && `/pets?categoryId=${categoryId}&limit=100${query}&cursor=${next}`;
  }
  return found;
}
async function selectShown(page: Page) {
  await page.getByRole("checkbox", { name: "Select all animals shown" }).click();
  await bar(page).getByText("50 selected").waitFor();
}
async function setStatus(page: Page, status: string) {
  await button(page, "Set status").click();
  await button(page, status).click();
}

test("all matching animals are changed with a few requests, and the change can be undone", async () => {
  await addHerd(20, 320);
  await open("/animals?category=20", async (page, requests) => {
    await selectShown(page);
    await button(page, "Select all that match").click();
    await bar(page).getByText("320 selected (270 not in this list)").waitFor();
    expect(await button(page, /^Select all/).count()).toBe(0);
    expect(await page.evaluate("document.activeElement.closest('.bulk-bar') !== null")).toBe(true);
    // The new animal matches the filter, but it is not selected, because it was added after the selection.
    await addHerd(20, 1, { status: "sold" });
    await page.getByRole("button", { name: "1 new animal" }).waitFor();
    await bar(page).getByText("320 selected (270 not in this list)").waitFor();
    const before = requests.length;
    await setStatus(page, "Pending");
    await bar(page).getByText("320 animals set to Pending.").waitFor();
    const sent = requests.slice(before).filter((request) => /PATCH|POST/.test(request));
    expect(sent.length).toBeLessThanOrEqual(6);
    expect([await count(20, "&status=pending"), await count(20, "&status=sold")]).toEqual([320, 1]);
    await button(page, "Undo").click();
    await bar(page).getByText("320 animals restored.").waitFor();
    expect(await count(20, "&status=available")).toBe(320);
  });
});

test("the button shows the number of the tab and selects what the current filter finds", async () => {
  await addHerd(21, 60, { status: "sold" });
  await addHerd(21, 55, {});
  await addHerd(22, 51, { name: "Zebra", status: "pending" });
  for (const [query, expected] of [
    ["?category=21", 115],
    ["?category=21&status=sold", 60],
    ["?category=21&status=none", 55],
    ["?name=zebra", 51],
    ["?status=pending", 51],
    ["?status=pending&name=zebra&category=22", 51],
  ] as const)
    await open(`/animals${query}`, async (page) => {
      await selectShown(page);
      const isTab = query === "?status=pending";
      await button(page, isTab ? "Select all 51" : "Select all that match").click();
      await bar(page)
        .getByText(`${expected} selected (${expected - 50} not in this list)`)
        .waitFor();
    });
});

test("animals that others have changed or removed since are reported by name and not changed", async () => {
  await addHerd(23, 120);
  const { json } = await ada.call("GET /pets?categoryId=23&name=herd%202&limit=100");
  const [second] = json.filter(({ name }: { name: string }) => name === "Herd 2");
  const third = second.id + 1;
  await open("/animals?category=23", async (page) => {
    await selectShown(page);
    await button(page, "Select all that match").click();
    await bar(page).getByText("120 selected").waitFor();
    await ben.call(`PATCH /pets/${second.id}`, { status: "sold" });
    await ben.call(`DELETE /pets/${third}`);
    await setStatus(page, "No status");
    await bar(page).getByText("118 animals set to No status. 2 animals not changed").waitFor();
    await bar(page).getByText("2 animals not changed and not in this list").click();
    await bar(page)
      .getByRole("listitem")
      .filter({ hasText: "Herd 2" })
      .getByText("Changed in the meantime by ben@example.com: now Sold.")
      .waitFor();
    await bar(page)
      .getByRole("listitem")
      .filter({ hasText: "Herd 3" })
      .getByText("Removed in the meantime by ben@example.com.")
      .waitFor();
    expect([await count(23, "&status=sold"), await count(23, "&hasStatus=false")]).toEqual([1, 118]);
  });
});

test("a removal asks for confirmation with the number of animals, and cannot be undone", async () => {
  await addHerd(24, 70);
  await open("/animals?category=24", async (page) => {
    await selectShown(page);
    await button(page, "Select all that match").click();
    await bar(page).getByText("70 selected").waitFor();
    await button(page, "Remove…").click();
    const dialog = page.getByRole("dialog", { name: "Remove 70 animals?" });
    await dialog.getByText("and 65 more.").waitFor();
    await dialog.getByRole("button", { name: "Keep" }).click();
    expect(await count(24)).toBe(70);
    await button(page, "Remove…").click();
    await dialog.getByRole("button", { name: "Remove 70 animals" }).click();
    await bar(page).getByText("70 animals removed.").waitFor();
    expect([await count(24), await button(page, "Undo").count()]).toEqual([0, 0]);
  });
});

test("all matching animals are sold together, and the time for Undo begins after the last sale", async () => {
  await addHerd(25, 230);
  await open("/animals?category=25", async (page) => {
    await page.clock.install();
    await selectShown(page);
    await button(page, "Select all that match").click();
    await bar(page).getByText("230 selected").waitFor();
    await button(page, "Sell").click();
    await bar(page).getByText("230 animals sold.").waitFor();
    expect(await count(25, "&status=pending")).toBe(230);
    await button(page, "Undo").click();
    await bar(page).getByText("230 animals restored.").waitFor();
    expect(await count(25, "&status=available")).toBe(230);
    await selectShown(page);
    await button(page, "Select all that match").click();
    await bar(page).getByText("230 selected").waitFor();
    await button(page, "Sell").click();
    await bar(page).getByText("230 animals sold.").waitFor();
    await page.clock.fastForward(10_000);
    await waitUntil(page, async () => (await count(25, "&status=sold")) === 230);
  });
});

test("stopping a change of many animals leaves all animals unchanged whose change was not yet sent", async () => {
  await addHerd(26, 450);
  await open("/animals?category=26", async (page) => {
    await selectShown(page);
    await button(page, "Select all that match").click();
    await bar(page).getByText("450 selected").waitFor();
    const held = Promise.withResolvers<void>();
    await page.route("**/pet-lines", async (route) => {
      await held.promise;
      await route.continue();
    });
    await setStatus(page, "Pending");
    await button(page, "Cancel").click();
    held.resolve();
    await bar(page).getByText("200 animals set to Pending. Cancelled: 250 animals not changed.").waitFor();
    expect(await count(26, "&status=pending")).toBe(200);
    await bar(page).getByText("250 selected").waitFor();
    await button(page, "Undo").click();
    await bar(page).getByText("200 animals restored.").waitFor();
    expect(await count(26, "&status=available")).toBe(450);
  });
});

test("stopping the selection of all matching animals leaves the selection unchanged", async () => {
  await addHerd(27, 320);
  await open("/animals?category=27", async (page) => {
    await selectShown(page);
    const held = Promise.withResolvers<void>();
    await page.route("**/pets?*cursor=*", async (route) => {
      await held.promise;
      await route.continue();
    });
    await button(page, "Select all that match").click();
    await bar(page).getByText("100 found").waitFor();
    await button(page, "Cancel").click();
    await bar(page).getByText("50 selected").waitFor();
    held.resolve();
  });
});

test.each<[how: string, press: (button: Locator) => Promise<void>]>([
  ["a double click", (button) => button.dblclick()],
  ["Enter twice", pressEnterTwice],
])("pressed twice, selecting and changing all matching animals is not cancelled: %s", async (how, press) => {
  const categoryId = how === "Enter twice" ? 41 : 40;
  await addHerd(categoryId, 120);
  await open(`/animals?category=${categoryId}`, async (page) => {
    await selectShown(page);
    // While the requests are held back, a button that cancels is in the place of the pressed one.
    const [read, send] = [await hold(page, /cursor=/), await hold(page, /pet-lines/)];
    await press(button(page, "Select all that match"));
    await button(page, "Cancel").waitFor();
    read();
    await bar(page).getByText("120 selected (70 not in this list)").waitFor();
    await button(page, "Set status").click();
    await press(button(page, "Pending"));
    await button(page, "Cancel").waitFor();
    send();
    await bar(page).getByText("120 animals set to Pending.").waitFor();
    expect(await count(categoryId, "&status=pending")).toBe(120);
  });
});

test("all matching animals can be selected on a phone, where rows have no checkboxes", async () => {
  await addHerd(28, 60);
  await open(
    "/animals?category=28",
    async (page) => {
      await page.getByRole("button", { name: "More", exact: true }).press("Enter");
      await page.getByRole("button", { name: "Select all", exact: true }).press("Enter");
      await bar(page).getByText("60 selected (10 not in this list)").waitFor();
      await button(page, "Set status").press("Enter");
      await button(page, "No status").press("Enter");
      await bar(page).getByText("60 animals set to No status.").waitFor();
      expect(await isTooWide(page)).toBe(false);
      await button(page, "Undo").click();
      await bar(page).getByText("60 animals restored.").waitFor();
    },
    { width: 360 },
  );
});

test("all matching animals can be selected with only the keyboard", async () => {
  await addHerd(29, 60);
  await open("/animals?category=29", async (page) => {
    await page.getByRole("checkbox", { name: "Select Herd 60" }).press(" ");
    await bar(page).getByText("1 selected").waitFor();
    await button(page, "Select all that match").press("Enter");
    await bar(page).getByText("60 selected").waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Sell");
  });
});
