import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { BrowserSession } from "../wire/browser-session.ts";
import { axe } from "./browser.ts";
import { choose, heading, hold, resize, row, signUpPerson, waitForValue, waitUntil } from "./console-page.ts";
import { fillShop, screenPaths, settled } from "./console-screens.ts";
import { countInteractions } from "./interactions.ts";
import { shopForTests } from "./shop.ts";

// Tests the console's keyboard shortcuts for Find and for the rows of lists.

const shop = shopForTests();
const { inside: screens } = await screenPaths();
let people: Awaited<ReturnType<typeof fillShop>>;
let onStaging: BrowserSession;

beforeAll(async () => {
  people = await fillShop(shop);
  onStaging = await signUpPerson(shop.server, "staging");
  for (let number = 1; number <= 30; number++)
    await people.owner.call("POST /pets", { name: `Kitten ${number}`, categoryId: 1, status: "available" });
});

const focusedRow = (page: Page): Promise<string> =>
  page.evaluate("document.activeElement.closest('tbody tr')?.innerText ?? ''");

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

describe("Find", () => {
  test("shows each animal's number, category and status, and is used by keyboard", async () => {
    await shop.open("/categories", { person: people.owner }, async (page) => {
      await page.getByRole("button", { name: "Find" }).focus();
      await press(page, "/");
      await page.keyboard.insertText("kitten");
      await page.getByRole("option", { name: "Kitten 30 number 34 · Cats Available" }).waitFor();
      expect((await axe(page, "dialog[open]")).found).toEqual([]);
      await resize(page, { width: 320, height: 256 });
      await press(page, "ArrowUp", "ArrowUp");
      const field = await page.getByRole("combobox", { name: "Name, number or page" }).boundingBox();
      expect(field?.y).toBeGreaterThanOrEqual(0);
      await resize(page, { width: 1280, height: 900 });
      await press(page, "ArrowDown", "ArrowDown");
      await press(page, "ArrowDown");
      const highlighted = page.locator("[aria-activedescendant=find-option-1]");
      expect(await highlighted.getAttribute("aria-expanded")).toBe("true");
      await press(page, "Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(await page.evaluate("document.activeElement.ariaLabel")).toBe("Find");
      await press(page, "?");
      await page.getByRole("dialog").getByText("Sell the animal").waitFor();
      await press(page, ..."zebra");
      await page.getByText("No animal or page matches “zebra”.").waitFor();
    });
  });

  test("opens the first animal if Enter is pressed before the answer", async () => {
    await shop.open("/orders", { person: people.owner }, async (page) => {
      const held = Promise.withResolvers<void>();
      await page.route("**/console/api/pets?*name=*", async (route) => {
        await held.promise;
        // Continuing the request fails if the page has already aborted its search. That error is ignored.
        await route.continue().catch(() => {});
      });
      await press(page, "/", ..."kitten 7", "Enter");
      held.resolve();
      await heading(page, "Kitten 7");
      await waitUntil(page, () => page.evaluate("document.activeElement.tagName === 'H1'"));
    });
  });

  test("finds the pages that the role may open, even while a text is typed", async () => {
    for (const [role, pages] of [
      ["owner", ["Add an animal", "Animals", "Audit log"]],
      ["viewer", ["Animals"]],
    ] as const)
      await shop.open("/animals", { person: people[role] }, async (page) => {
        await page.getByLabel("Name or number").focus();
        await press(page, "Control+k", ..."a");
        await page.getByRole("option", { name: "Animals", exact: true }).waitFor();
        const found = page.getByRole("option", { name: /^(A.* animal|Animals|Audit log)$/ });
        expect((await found.allInnerTexts()).toSorted()).toEqual([...pages]);
      });
  });
});

describe("in a list", () => {
  test("the first animal can be sold with at most 8 keys, and s is ordinary text in a field", async () => {
    await shop.open("/animals", { person: people.staff }, async (page) => {
      await row(page, "Kitten 30").waitFor();
      const count = await countInteractions(page);
      await press(page, "j", "s");
      await row(page, "Kitten 30").getByRole("button", { name: /^Undo/ }).waitFor();
      expect((await count()).keys).toBeLessThanOrEqual(8);
      expect(await focusedRow(page)).toContain("Kitten 30");
      await row(page, "Kitten 30").getByRole("button", { name: /^Undo/, disabled: false }).waitFor();
      await press(page, "u");
      await row(page, "Kitten 30").getByRole("button", { name: /^Sell/ }).waitFor();
      await page.getByLabel("Name or number").focus();
      await press(page, ..."jsx");
      await page.getByText("No animal matches this filter.").waitFor();
    });
  });

  test("arrow keys move through rows and select them, and the table is a single Tab stop", async () => {
    await shop.open("/animals", { person: people.staff }, async (page) => {
      await row(page, "Kitten 30").waitFor();
      await press(page, "ArrowDown", "ArrowDown", "j", "ArrowUp", "x");
      await page.getByRole("region", { name: "Selected animals" }).waitFor();
      expect(await page.locator("tr:has(:checked)").innerText()).toContain("Kitten 29");
      for (let number = 29; number > 1; number--) {
        await press(page, "ArrowDown");
        expect(await focusedRow(page)).toContain(`Kitten ${number - 1}`);
        expect(await page.evaluate(IS_SEEN)).toBe(true);
      }
      let stops = 0;
      while ((await focusedRow(page)) !== "" && stops < 9) {
        await press(page, "Tab");
        stops++;
      }
      expect(stops).toBeLessThanOrEqual(5);
      await press(page, "Shift+Tab");
      expect(await focusedRow(page)).toContain("Kitten 1");
    });
  });

  test("Enter opens the row, and the next row takes the place of one that is no longer listed", async () => {
    await shop.open("/webhooks", { person: people.owner }, async (page) => {
      await row(page, "hooks.example.com").waitFor();
      await press(page, "j", "Enter");
      await heading(page, "Webhook 1");
    });
    await shop.open("/animals", { person: people.staff }, async (page) => {
      await row(page, "Kitten 5").getByRole("checkbox").focus();
      await page.getByLabel("Name or number").fill("kitten 3");
      await row(page, "Kitten 5").waitFor({ state: "detached" });
      await page.getByRole("heading", { level: 1 }).focus();
      await press(page, "ArrowDown");
      expect(await focusedRow(page)).toMatch(/Kitten 3\s/);
    });
  });
});

describe("a barcode scanner", () => {
  test.each([...screens, "/rehearsal"])(
    "types into Find without pressing anything beside %s",
    async (path) => {
      const staging = { person: onStaging, environment: "staging" } as const;
      const options = path === "/rehearsal" ? staging : { person: people.owner };
      await shop.open(path, options, async (page) => {
        await settled(page);
        const main = page.locator("main").getByRole("button", { disabled: false }).last();
        if (await main.isVisible()) await main.focus();
        const changes: string[] = [];
        page.on("request", (request) => request.method() !== "GET" && changes.push(request.url()));
        await scan(page, "sxc4711u");
        await page.getByText("No animal or page matches “sxc4711u”.").waitFor();
        expect(changes).toEqual([]);
        await page.keyboard.press("Escape");
        // A barcode scanner ends each code with Enter. Even after a short code, that Enter must not press a button.
        await scan(page, "s1");
        await page.getByRole("combobox", { name: "Name, number or page" }).waitFor();
        expect(changes).toEqual([]);
      });
    },
  );

  test("opens the animal whose number it reads, and presses no button of a dialog", async () => {
    await shop.open("/animals", { person: people.owner }, async (page) => {
      await row(page, "Kitten 30").waitFor();
      await press(page, "j");
      await scan(page, "34 ");
      await heading(page, "Kitten 30");
      await page.getByRole("button", { name: "More for Kitten 30" }).click();
      await page.getByText("Remove…", { exact: true }).click();
      await page.getByRole("button", { name: "Remove", exact: true }).focus();
      await scan(page, "4006381333931");
      await page.getByRole("dialog", { name: "Remove Kitten 30?" }).waitFor();
      expect((await people.owner.call("GET /pets?id=34")).body).toContain("Kitten 30");
    });
  });

  test("opens the animal whose number it reads even if the code that searches loads slowly", async () => {
    await shop.open("/orders", { person: people.owner }, async (page) => {
      await row(page, "Fluffy").waitFor();
      const release = await hold(page, /\.js$/);
      await scan(page, "34 ");
      await page.getByRole("dialog", { name: "Find" }).waitFor();
      release();
      await heading(page, "Kitten 30");
    });
  });

  test("opens the animal that was given the own number it reads, even if another animal has that number as its ID", async () => {
    const [other, kitten] = await people.owner.read("/pets?name=kitten&limit=2");
    await shop.open(`/animals/${kitten.id}`, { person: people.owner }, async (page) => {
      await heading(page, kitten.name);
      await page.getByRole("button", { name: "Edit", exact: true }).click();
      await page.getByLabel("Own number").fill(`${other.id}`);
      await page.getByRole("button", { name: "Save changes" }).click();
      await page
        .getByRole("definition")
        .filter({ hasText: `${other.id}` })
        .first()
        .waitFor();
      await page.getByRole("link", { name: "All animals" }).click();
      await row(page, kitten.name)
        .getByRole("cell", { name: `${other.id}`, exact: true })
        .waitFor();
      await press(page, "j");
      // The space is a third key. Two keys alone would not count as a barcode scan.
      await scan(page, `${other.id} `);
      await heading(page, kitten.name);
    });
  });
});

describe("a dialog whose code is still being loaded", () => {
  test("takes all keys, so that none of them acts on the page behind it", async () => {
    await shop.open("/animals", { person: people.staff }, async (page, { requests }) => {
      await row(page, "Kitten 20").waitFor();
      const release = await hold(page, /\.js$/);
      await page.getByRole("button", { name: "More for Kitten 20" }).click();
      await page.getByText("Remove…", { exact: true }).click();
      await page.getByRole("dialog", { name: "One moment…" }).waitFor();
      const before = requests.length;
      await press(page, "s", "x", "j", "Enter", "/", "Enter");
      await scan(page, "4006381333931");
      release();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Remove", exact: true }).waitFor();
      expect(await dialog.count()).toBe(1);
      expect(await page.getByText("1 selected").count()).toBe(0);
      expect(requests.slice(before).filter((request) => !request.startsWith("GET "))).toEqual([]);
      await press(page, "Escape");
      await dialog.waitFor({ state: "detached" });
      expect(await page.evaluate("document.activeElement.ariaLabel")).toBe("More for Kitten 20");
    });
  });

  test("passes on a text and the Enter after it, as a barcode scanner types them", async () => {
    await shop.open("/categories", { person: people.staff }, async (page) => {
      await row(page, "Dogs").waitFor();
      const release = await hold(page, /\.js$/);
      await choose(page, "Dogs", "Edit…");
      await page.getByRole("dialog", { name: "One moment…" }).waitFor();
      await scan(page, " and puppies");
      release();
      await row(page, "Dogs and puppies").waitFor();
      await page.getByRole("dialog").waitFor({ state: "detached" });
    });
  });

  test("passes on the text that was typed into it", async () => {
    await shop.open("/categories", { person: people.staff }, async (page) => {
      await row(page, "Cats").waitFor();
      const release = await hold(page, /\.js$/);
      await choose(page, "Cats", "Edit…");
      await page.getByRole("dialog", { name: "One moment…" }).waitFor();
      await page.keyboard.type(" and kittens");
      release();
      await waitForValue(page.getByRole("dialog").getByLabel("Name"), "Cats and kittens");
    });
  });

  test("can be closed", async () => {
    await shop.open("/categories", { person: people.staff }, async (page) => {
      await row(page, "Cats").waitFor();
      const release = await hold(page, /\.js$/);
      for (const close of [
        () => press(page, "Escape"),
        () => page.getByRole("dialog").getByRole("button", { name: "Close" }).click(),
      ]) {
        await choose(page, "Cats", "Edit…");
        await page.getByRole("dialog", { name: "One moment…" }).waitFor();
        expect((await axe(page, "dialog[open]")).found).toEqual([]);
        await close();
        await page.getByRole("dialog").waitFor({ state: "detached" });
      }
      release();
    });
  });
});

/**
 * Types a text and presses Enter, as fast as a barcode scanner, which sends one key every 5 ms. No key waits until the page has
 * handled the one before, because on a busy machine that takes longer than the page waits for the next key of a scan.
 */
async function scan(page: Page, text: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  // The scan's timestamps start one second in the future, so the keys that the test pressed before do not belong to the scan.
  const start = Date.now() / 1_000 + 1;
  const sent = [...text, "Enter"].flatMap((key, index) => {
    const typed = key === "Enter" ? "\r" : key;
    const code = key === "Enter" ? 13 : key.toUpperCase().charCodeAt(0);
    const event = { key, text: typed, windowsVirtualKeyCode: code, timestamp: start + index * 0.005 };
    return (["keyDown", "keyUp"] as const).map((type) =>
      session.send("Input.dispatchKeyEvent", { ...event, type }),
    );
  });
  await Promise.all(sent);
}

/** JavaScript that is true if the focused row is visible: inside the window and not behind the bar for selected animals. */
const IS_SEEN = `(() => {
  const { top, bottom } = document.activeElement.closest("tr").getBoundingClientRect();
  return top >= 0 && bottom <= document.querySelector(".bulk-bar").getBoundingClientRect().top;
})()`;
