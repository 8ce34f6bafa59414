import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type ConsolePageOptions, resize, row, waitUntil } from "./console-page.ts";
import { settled } from "./console-screens.ts";
import { countInteractions } from "./interactions.ts";
import { shopForTests } from "./shop.ts";

// Tests the list of animals: finding animals, and changing several at once.

const shop = shopForTests();
const ada = shop.person();
const ben = shop.person("ben@example.com");

const open = (path: string, steps: (page: Page) => Promise<void>, options: ConsolePageOptions = {}) =>
  shop.open(path, { person: ada, ...options }, steps);
const box = (page: Page, name: string) => page.getByRole("checkbox", { name: `Select ${name}`, exact: true });
const bar = (page: Page) => page.getByRole("region", { name: "Selected animals" });
const button = (page: Page, name: string) => bar(page).getByRole("button", { name, exact: true });

async function addHerd(categoryId: number, count: number, status = "available"): Promise<void> {
  for (let number = 1; number <= count; number++)
    await ada.call("POST /pets", { name: `Herd ${number}`, categoryId, status });
}
async function statusesIn(categoryId: number): Promise<Record<string, number>> {
  const pets: { status?: string }[] = await ada.read(`/pets?categoryId=${categoryId}&limit=100`);
  return Object.fromEntries(
    Map.groupBy(pets, ({ status }) => status ?? "none")
      .entries()
      .map(([status, { length }]) => [status, length]),
  );
}

test("Fluffy is found among 10,000 animals with at most 8 keys from the overview, and the list marks the match", async () => {
  await ada.call("POST /pets", { name: "Flüffy", categoryId: 10, status: "available" });
  for (let added = 1; added <= 10_000; added += 101)
    await Promise.all(
      Array.from({ length: 101 }, (_, number) =>
        ada.call("POST /pets", { name: `Kitten ${added + number}`, categoryId: 10, status: "sold" }),
      ),
    );
  await open("/", async (page) => {
    const count = await countInteractions(page);
    await page.keyboard.press("/");
    await page.keyboard.type("FLUFFY");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Flüffy" }).waitFor();
    expect(await count()).toEqual({ keys: 8, clicks: 0 });
  });
  await open("/animals", async (page) => {
    const search = page.getByLabel("Name or number");
    await search.fill("FLUFF");
    await page.getByText("1 animal shown").last().waitFor();
    expect(await page.getByRole("rowheader").allInnerTexts()).toEqual(["Flüffy"]);
    await page.locator("mark").first().waitFor();
    expect(await page.locator("mark").allInnerTexts()).toEqual(["Flüff"]);
    await row(page, "Flüffy")
      .getByTitle(/ by you$/)
      .waitFor();
    const { searchParams } = new URL(page.url());
    expect([searchParams.get("name"), await search.inputValue()]).toEqual(["FLUFF", "FLUFF"]);
    await page.keyboard.type(" x");
    await page.getByText("No animal matches this filter.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("50 animals shown").last().waitFor();
    expect([new URL(page.url()).search, await search.inputValue()]).toEqual(["", ""]);
  });
});

test("the tab No status has the animals without one, with their number, and an animal that gets one leaves it", async () => {
  for (const name of ["Plain", "Blank"]) await ada.call("POST /pets", { name, categoryId: 12 });
  await open("/animals?category=12", async (page) => {
    const tab = page.getByRole("navigation", { name: "Animals by status" }).getByRole("link", {
      name: /^No status/,
    });
    await tab.click();
    await page.getByText("2 animals shown").last().waitFor();
    expect(await page.getByRole("rowheader").allInnerTexts()).toEqual(["Blank", "Plain"]);
    expect(new URL(page.url()).search).toBe("?category=12&status=none");
    const [{ id }] = await ada.read("/pets?categoryId=12&hasStatus=false");
    await ada.call(`PATCH /pets/${id}`, { status: "pending" });
    await row(page, "Blank").getByText("Pending", { exact: true }).waitFor();
    await page.reload();
    await page.getByText("1 animal shown").last().waitFor();
  });
  await open("/animals", async (page) => {
    await page.getByRole("link", { name: "No status 1", exact: true }).click();
    await row(page, "Plain").waitFor();
  });
});

test("in a store whose counts are cached, every page shows the exact numbers soon after a change, without a reload", async () => {
  const withStatus = async (status: string) => (await ada.read(`/pets?status=${status}&limit=100`)).length;
  const [available, pending] = [await withStatus("available"), await withStatus("pending")];
  const tab = (page: Page, name: string) => page.getByRole("link", { name, exact: true }).waitFor();
  await open("/animals", async (first) => {
    await open("/", async (overview) => {
      await open("/animals", async (second) => {
        for (const page of [first, second]) await tab(page, `Pending ${pending}`);
        const { id } = (await ada.call("POST /pets", { name: "Late", categoryId: 13, status: "pending" }))
          .json;
        // The reloaded page first shows cached counts that do not include the change yet.
        await second.reload();
        for (const page of [first, second]) await tab(page, `Pending ${pending + 1}`);
        await ben.call(`PATCH /pets/${id}`, { status: "available" });
        for (const page of [first, second]) {
          await tab(page, `Pending ${pending}`);
          await tab(page, `Available ${available + 1}`);
        }
        const figures = overview.getByRole("region", { name: "Figures" });
        await figures.getByText(`${available + 1}`, { exact: true }).waitFor();
      });
    });
  });
});

test("Find shows the animal with a number above animals with that number in their names", async () => {
  await addHerd(11, 2);
  const [{ id }] = await ada.read("/pets?categoryId=11");
  await ada.call("POST /pets", { name: `Room ${id}`, categoryId: 11 });
  await open("/animals?status=sold", async (page) => {
    for (const text of [`#${id}`, `${id}`]) {
      await page.getByLabel("Name or number").fill(text);
      await row(page, "Herd 2").waitFor();
      await page.getByText("1 animal shown").last().waitFor();
    }
    await page.getByLabel("Name or number").fill("999999999");
    await page.getByText("No animal has the number 999999999.").waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.insertText(`${id}`);
    await page.getByRole("option", { name: "Show all matches in the list" }).waitFor();
    expect(await page.getByRole("option").allInnerTexts()).toEqual([
      expect.stringContaining(`Herd 2`),
      expect.stringContaining(`Room ${id}`),
      "Show all matches in the list",
    ]);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await row(page, `Room ${id}`).waitFor();
  });
});

test("the last change of every listed animal is read in one request and kept up to date", async () => {
  await addHerd(12, 60);
  const [{ id }] = await ada.read("/pets?categoryId=12");
  await shop.open("/animals?category=12", { person: ada }, async (page, { requests }) => {
    await row(page, "Herd 60")
      .getByTitle(/ by you$/)
      .waitFor();
    await ben.call(`PATCH /pets/${id}`, { status: "sold" });
    await row(page, "Herd 60")
      .getByTitle(/ by ben@example\.com$/)
      .waitFor();
    const asked = requests.filter((request) => request.includes("/last-changes"));
    expect(asked).toHaveLength(1);
  });
});

test("twenty animals are changed with at most 25 interactions, and the change is undone", async () => {
  await addHerd(20, 20);
  await open("/animals?category=20", async (page) => {
    await row(page, "Herd 20").waitFor();
    const count = await countInteractions(page);
    await page.getByRole("checkbox", { name: "Select all animals shown" }).click();
    await button(page, "Set status").click();
    await button(page, "Pending").click();
    await bar(page).getByText("20 animals set to Pending.").waitFor();
    const { keys, clicks } = await count();
    expect(keys + clicks).toBeLessThanOrEqual(25);
    expect(clicks).toBe(3);
    expect(await statusesIn(20)).toEqual({ pending: 20 });
    await row(page, "Herd 7").getByText("Pending").waitFor();
    expect(await page.getByRole("checkbox", { checked: true }).count()).toBe(0);

    await button(page, "Undo").click();
    await bar(page).getByText("20 animals restored.").waitFor();
    expect(await statusesIn(20)).toEqual({ available: 20 });
  });
});

test("several animals are sold with one click, and the sale can be undone until it is complete", async () => {
  await addHerd(23, 5);
  const [first] = await ada.read("/pets?categoryId=23");
  await open("/animals?category=23", async (page) => {
    await page.clock.install();
    await page.getByRole("checkbox", { name: "Select all animals shown" }).click();
    await button(page, "Set status").click();
    expect(await button(page, "Sold").count()).toBe(0);
    await ben.call("POST /store/orders", { petId: first.id });
    await button(page, "Sell").click();
    await bar(page).getByText("4 animals sold. 1 animal not changed").waitFor();
    expect(await page.getByRole("checkbox", { checked: true }).count()).toBe(1);
    await bar(page).getByRole("button", { name: "Undo", exact: true }).click();
    await bar(page).getByText("4 animals restored.").waitFor();
    expect(await statusesIn(23)).toEqual({ available: 4, pending: 1 });

    await page.getByRole("checkbox", { name: "Select all animals shown" }).click();
    await box(page, "Herd 5").click();
    await button(page, "Sell").click();
    await bar(page).getByText("4 animals sold.").waitFor();
    await button(page, "Undo").focus();
    expect(await statusesIn(23)).toEqual({ pending: 5 });
    await page.clock.fastForward(10_000);
    await button(page, "Undo").waitFor({ state: "detached" });
    await waitUntil(page, async () => (await statusesIn(23))["sold"] === 4);
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Close");
    await page.goto(`${new URL(page.url()).origin}/animals/${first.id - 1}`);
    await page.getByRole("region", { name: "Animal" }).getByText("Sold", { exact: true }).waitFor();
  });
});

test("animals are moved to a category that is created on the way", async () => {
  await addHerd(24, 3);
  await open("/animals?category=24", async (page) => {
    await page.getByRole("checkbox", { name: "Select all animals shown" }).click();
    await button(page, "Move to category").click();
    await bar(page).locator("input:focus").waitFor();
    await page.keyboard.type("Rabbits");
    await bar(page)
      .getByRole("option", { name: /Create/ })
      .click();
    await button(page, "Move to Rabbits").click();
    await bar(page).getByText("3 animals moved to Rabbits.").waitFor();
    await row(page, "Herd 2").getByText("Rabbits").waitFor();
    const [{ id }] = await ada.read("/categories");
    expect(await statusesIn(id)).toEqual({ available: 3 });
    await button(page, "Undo").click();
    await bar(page).getByText("3 animals restored.").waitFor();
    expect(await statusesIn(24)).toEqual({ available: 3 });
  });
});

test("Shift selects a range, Clear and Escape deselect it, and another filter does not", async () => {
  await addHerd(21, 12);
  await addHerd(22, 1);
  await open("/animals?category=21", async (page) => {
    const announcement = page.locator("div[aria-live=polite]");
    await announcement.getByText("12 animals shown").waitFor();
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const said = async () => {
      await page.clock.runFor(100);
      return announcement.textContent();
    };
    await box(page, "Herd 12").click();
    expect(await said()).toBe("1 selected");
    await row(page, "Herd 3")
      .getByRole("checkbox")
      .click({ modifiers: ["Shift"] });
    expect(await said()).toBe("10 selected");
    await box(page, "Herd 5").click();
    expect(await said()).toBe("9 selected");
    await page.clock.resume();
    await bar(page).getByText("9 selected", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Sold" }).click();
    await page.getByText("No animal matches this filter.").waitFor();
    await bar(page).getByText("9 selected (9 not in this list)").waitFor();
    await page.keyboard.press("Escape");
    await bar(page).waitFor({ state: "detached" });
    await page.goBack();
    await box(page, "Herd 12").click();
    await button(page, "Clear").click();
    await bar(page).waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Animals");
    expect(await page.getByRole("checkbox", { checked: true }).count()).toBe(0);
  });
});

describe("a refused row stays selected, with its reason", () => {
  test("where another person has changed the animal since it was selected", async () => {
    await addHerd(30, 4);
    await open("/animals?category=30", async (page) => {
      await page.getByRole("checkbox", { name: "Select all animals shown" }).click();
      await bar(page).getByText("4 selected").waitFor();
      await open(
        "/animals?category=30",
        async (other) => {
          await box(other, "Herd 2").click();
          await button(other, "Set status").click();
          await button(other, "No status").click();
          await bar(other).getByText("1 animal set to No status.").waitFor();
          await box(other, "Herd 4").click();
          await button(other, "Set status").click();
          await button(other, "Pending").click();
          await bar(other).getByText("1 animal set to Pending.").waitFor();
        },
        { person: ben },
      );
      await button(page, "Set status").click();
      await button(page, "Pending").click();
      await bar(page).getByText("2 animals set to Pending. 2 animals not changed").waitFor();
      const refused = row(page, "Herd 2");
      await refused.getByText("Changed in the meantime by ben@example.com: now No status.").waitFor();
      await row(page, "Herd 4")
        .getByText("Changed in the meantime by ben@example.com: now Pending.")
        .waitFor();
      expect(await page.getByRole("checkbox", { checked: true }).count()).toBe(2);
      expect(await box(page, "Herd 2").isChecked()).toBe(true);
      expect(await statusesIn(30)).toEqual({ pending: 3, none: 1 });

      // Ben has set the animal Herd 4 to Pending himself, so Undo must leave it as it is.
      await button(page, "Undo").click();
      await bar(page).getByText("2 animals restored.").waitFor();
      expect(await statusesIn(30)).toEqual({ available: 2, pending: 1, none: 1 });
      await button(page, "Set status").click();
      await button(page, "Pending").click();
      await bar(page).getByText("2 animals set to Pending.").waitFor();
      expect(await statusesIn(30)).toEqual({ available: 2, pending: 2 });
    });
  });

  test("where an open order stands in the way, with a link to it", async () => {
    await addHerd(31, 2);
    const [{ id }] = await ada.read("/pets?categoryId=31");
    await ada.call("POST /store/orders", { petId: id });
    await open("/animals?category=31", async (page) => {
      const all = page.getByRole("checkbox", { name: "Select all animals shown" });
      await all.click();
      await button(page, "Set status").click();
      await button(page, "No status").click();
      await bar(page).getByText("1 animal set to No status. 1 animal not changed").waitFor();
      await row(page, "Herd 2").getByRole("link", { name: "Show this animal's orders" }).waitFor();
      // The reason has the width of the row, so that the row has two lines, and the link in the reason can be pressed.
      expect((await row(page, "Herd 2").boundingBox())?.height).toBeLessThan(80);
      const orders = row(page, "Herd 2").getByRole("link", { name: "orders" });
      await orders.click({ trial: true });
      // On a phone, a touch anywhere else in the row toggles its checkbox.
      await resize(page, { width: 390, height: 844 });
      await orders.click({ trial: true });
      await resize(page, { width: 1280, height: 900 });
      await all.click();
      await button(page, "Remove…").click();
      await page.getByRole("dialog").getByText("Herd 2").waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Remove 2 animals" }).click();
      await bar(page).getByText("1 animal removed. 1 animal not changed").waitFor();
      await row(page, "Herd 2").getByText(`Animal ${id} has an open order`).waitFor();
      await row(page, "Herd 2").getByRole("link", { name: "Show this animal's orders" }).waitFor();
      await row(page, "Herd 1").getByText("Removed").waitFor();
      expect(await button(page, "Undo").count()).toBe(0);
    });
  });
});

test("a row's menu can be opened, closed and used by keyboard, and returns the focus", async () => {
  await addHerd(33, 1);
  await open("/animals?category=33", async (page) => {
    const menu = page.getByRole("button", { name: "More for Herd 1" });
    const isFocused = () => menu.evaluate((button) => button.matches(":focus"));
    await menu.press("Enter");
    await page.getByRole("link", { name: "Order…" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Order…" }).waitFor({ state: "hidden" });
    expect(await isFocused()).toBe(true);
    await menu.press("Enter");
    await page.getByRole("button", { name: "Remove…" }).press("Enter");
    await page.getByRole("dialog").getByText("Herd 1").first().waitFor();
    expect(await page.getByRole("link", { name: "Order…" }).count()).toBe(0);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await isFocused()).toBe(true);
  });
});

test("the selected animals are exported", async () => {
  await addHerd(32, 3);
  await open("/animals?category=32", async (page) => {
    await box(page, "Herd 3").click();
    await box(page, "Herd 1").click();
    const download = page.waitForEvent("download");
    await button(page, "Export").click();
    const lines = (await Bun.file(await (await download).path()).text()).trim().split(/\r?\n/);
    expect(lines.map((line) => line.replace(/^\ufeff|^\d+/, ""))).toEqual([
      "ID,Name (safe),Category number (safe),Category name (safe),Status,Own number (safe)",
      ",Herd 3,32,,available,",
      ",Herd 1,32,,available,",
    ]);
  });
});

describe("back from an animal", () => {
  const OFFSET = "Math.round(scrollY)";
  test.each(["Back", "All animals"])("by %s, filter, rows and position are as they were", async (way) => {
    const categoryId = way === "Back" ? 40 : 41;
    await addHerd(categoryId, 120);
    await open("/animals", async (page) => {
      await page.getByRole("link", { name: "Available" }).click();
      await page.getByLabel("Category").fill(String(categoryId));
      await page.keyboard.press("Enter");
      // The unfiltered list also shows 50 animals, so the test first waits until the address contains the category.
      await page.waitForURL(/category=/);
      await settled(page);
      await page.locator(".paging").getByText("50 animals shown").waitFor();
      await page.getByRole("button", { name: "Load more" }).click();
      await page.locator(".paging").getByText("100 animals shown").waitFor();
      const link = page.getByRole("link", { name: "Herd 30", exact: true });
      await link.scrollIntoViewIfNeeded();
      const before = await page.evaluate(OFFSET);
      expect(before).toBeGreaterThan(1_000);
      await link.click();
      await page.getByRole("heading", { level: 1, name: "Herd 30" }).waitFor();
      if (way === "Back") await page.goBack();
      else await page.getByRole("link", { name: "All animals" }).click();
      await waitUntil(page, () => page.evaluate(`Math.abs(scrollY - ${before}) < 2`));
      expect(new URL(page.url()).search).toBe(`?status=available&category=${categoryId}`);
      expect(await page.locator(".paging").getByText("100 animals shown").count()).toBe(1);
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Herd 30");
    });
  });
});

test("the bar for selected animals stays visible in a long list, and long names do not make rows higher", async () => {
  await addHerd(40, 30);
  await ada.call("POST /pets", { name: "x".repeat(255), categoryId: 40, status: "available" });
  for (const width of [768, 1280])
    await open(
      "/animals?category=40",
      async (page) => {
        await box(page, "Herd 30").click();
        await bar(page).waitFor();
        const { y = 0, height = 0 } = (await bar(page).boundingBox()) ?? {};
        expect([y > 0, y + height <= 900]).toEqual([true, true]);
        const heights = await page.locator("tbody tr").evaluateAll((all) => all.map((it) => it.clientHeight));
        expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(3);
      },
      { width },
    );
});
