import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { axe } from "./browser.ts";
import {
  choose,
  consoleAddress,
  dialogLoaded,
  letTimePass,
  resize,
  row,
  signUpPerson,
  stopClock,
  withConsolePage,
} from "./console-page.ts";
import {
  countDialogs,
  fillShop,
  screenPaths,
  settled,
  visitOpened,
  visitScreens,
} from "./console-screens.ts";
import { createHostileNames } from "./hostile-names.ts";
import { collectFaults, findFaults } from "./in-page.ts";
import { shopForTests } from "./shop.ts";

// Tests the layout and accessibility of every screen and dialog of the console: at ten widths, in the light and the dark theme,
// with larger text, a zoom of 400 %, more space between letters and lines, forced colours, or reduced motion.

const WIDTHS = [320, 360, 480, 704, 768, 1000, 1024, 1280, 1504, 1920];
const AXE_WIDTHS = [320, 768, 1280];
/** The expected number of animals that are completely visible without scrolling, keyed by the size of the window. */
const WHOLE_ROWS = { "1280 900": 13, "1920 900": 13, "1024 900": 13, "768 900": 12, "390 844": 6 };

/**
 * Text spacing according to WCAG 2.2, success criterion 1.4.12. The page's policy does not apply to style sheets that a script
 * constructs.
 */
const TEXT_SPACING = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(\`* {
    line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important;
  }
  p { margin-block-end: 2em !important; }\`);
  document.adoptedStyleSheets.push(sheet);
})()`;

const shop = shopForTests();
const { inside, outside } = await screenPaths();

type Faults = ReturnType<typeof collectFaults>;
type Look = (faults: Faults, page: Page, where: string) => Promise<void>;

async function lookAtWidths(faults: Faults, page: Page, where: string): Promise<void> {
  for (const width of WIDTHS) {
    await resize(page, { width, height: 900 });
    faults.add(where, `${width} px`, await findFaults(page, "findGeometryFaults"));
  }
}

async function lookWithAxe(faults: Faults, page: Page, where: string): Promise<void> {
  // An open dialog covers the page, so only the dialog is checked. The rest of the page is checked when no dialog is open.
  const hasDialog = (await page.locator("dialog[open]").count()) > 0;
  for (const colorScheme of ["light", "dark"] as const) {
    // Reduced motion turns transitions off. During a transition, a colour is neither the old nor the new one, so its contrast would
    // be measured wrongly.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const width of AXE_WIDTHS) {
      await resize(page, { width, height: 900 });
      const { found } = await axe(page, hasDialog ? "dialog[open]" : undefined);
      faults.add(where, `${colorScheme}, ${width} px`, found);
    }
  }
  await resize(page, { width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "no-preference" });
}

async function lookWithSettings(faults: Faults, page: Page, where: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const look = async (how: string) => {
    faults.add(where, how, await findFaults(page, "findGeometryFaults"));
    faults.add(where, how, await findFaults(page, "findOverlaps"));
  };

  await resize(page, { width: 1280, height: 900 });
  await page.emulateMedia({ forcedColors: "active" });
  faults.add(where, "forced colours", await findFaults(page, "findForcedColorFaults"));
  await page.emulateMedia({ forcedColors: "none", reducedMotion: "reduce" });
  faults.add(where, "reduced motion", await findFaults(page, "findMotion"));
  await look("as it is");

  // A window of 1280 × 1024 px has this viewport at a zoom of 400 %.
  await resize(page, { width: 320, height: 256 });
  await look("400 %");

  for (const width of [768, 1280]) {
    await resize(page, { width, height: 900 });
    await devtools.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
    await look(`text of 200 %, ${width} px`);
    await devtools.send("Page.setFontSizes", { fontSizes: { standard: 16, fixed: 13 } });
  }

  await page.evaluate(TEXT_SPACING);
  for (const width of [320, 1280]) {
    await resize(page, { width, height: 900 });
    await look(`text spacing, ${width} px`);
  }
  await page.evaluate("document.adoptedStyleSheets.pop()");
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await devtools.detach();
}

/** Visits the console's pages, runs the check on each of them, and asserts that it found no faults. */
async function expectNone<Result>(
  looks: readonly Look[],
  visit: (check: (page: Page, where: string) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const faults = collectFaults();
  const result = await visit(async (page, where) => {
    for (const look of looks) await look(faults, page, where);
  });
  expect(faults.all()).toEqual([]);
  return result;
}

test("screens without data and screens outside the console have no faults", async () => {
  expect([inside.length > 12, outside.length > 3]).toEqual([true, true]);
  await expectNone([lookWithAxe, lookWithSettings, lookAtWidths], (check) =>
    visitScreens(shop.browser, shop, undefined, outside, check),
  );
  const person = await signUpPerson(shop.server);
  await expectNone([lookAtWidths], (check) => visitScreens(shop.browser, shop, person, inside, check));
});

test("a window shows many whole animals, and fifty are not long on a phone", async () => {
  const person = await signUpPerson(shop.server);
  const names = ["Rocky 9996", "x ".repeat(30), "كلب صغير لطيف جدا"];
  for (let index = 0; index < 50; index++) {
    const status = ["available", "pending", "sold"][index % 3];
    await person.call("POST /pets", { name: names[index % names.length], categoryId: 8, status });
  }
  await withConsolePage(shop.browser, shop.server, "/animals", { person }, async (page) => {
    for (const [size, least] of Object.entries(WHOLE_ROWS)) {
      const [width = 0, height = 0] = size.split(" ").map(Number);
      await resize(page, { width, height });
      await page.locator(".sidebar").getByRole("button", { name: "Find" }).waitFor();
      await settled(page);
      expect(await page.locator("tbody tr").count()).toBe(50);
      const isWhole =
        "[...document.querySelectorAll('tbody tr')].map((row) => row.getBoundingClientRect().bottom <= innerHeight)";
      const whole = ((await page.evaluate(isWhole)) as boolean[]).filter(Boolean).length;
      expect([size, whole, whole >= least]).toEqual([size, whole, true]);
    }
    expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThanOrEqual(4_200);
    const rocky = page.locator("tbody th .line").filter({ hasText: "Rocky 9996" });
    for (const name of await rocky.all())
      expect(await name.evaluate((line) => line.scrollHeight > line.clientHeight)).toBe(false);
  });
});

test("titles and tabs are at the same height, headings stay visible, and the focused row has a complete outline", async () => {
  const another = await shop.another();
  const { owner } = await fillShop(another);
  for (let added = 0; added < 40; added++) await owner.call("POST /pets", { name: "Rex", categoryId: 1 });
  const heights = new Set<string>();
  const topOf = async (place: Locator) => Math.round((await place.boundingBox())?.y ?? Number.NaN);
  await visitScreens(shop.browser, another, owner, inside, async (page) => {
    for (const selector of ["h1", "nav.tabs"]) {
      const first = page.locator(selector).first();
      if (await first.isVisible()) heights.add(`${selector} at ${await topOf(first)}`);
    }
  });
  expect([...heights].map((height) => height.split(" ")[0]).sort()).toEqual(["h1", "nav.tabs"]);
  await withConsolePage(shop.browser, another.server, "/animals", { person: owner }, async (page) => {
    await page.locator("tbody tr").nth(40).scrollIntoViewIfNeeded();
    expect(await topOf(page.locator("thead th").nth(1))).toBe(0);
    await page.keyboard.press("j");
    const outlined = page.locator("tbody tr:has(:focus-visible)");
    const styles = outlined.evaluate(
      (row) => row.ownerDocument.defaultView?.getComputedStyle(row).outlineStyle,
    );
    expect(await styles).toBe("solid");
    const [around, table] = [await outlined.boundingBox(), await page.getByRole("table").boundingBox()];
    expect([around?.x, around?.width]).toEqual([table?.x, table?.width]);
  });
});

test("on a phone, titles are at the same height, and the current tab is visible", async () => {
  const another = await shop.another();
  const { owner } = await fillShop(another);
  const heights = new Set<number>();
  const hidden: string[] = [];
  await visitScreens(shop.browser, another, owner, inside, async (page, path) => {
    await resize(page, { width: 390, height: 844 });
    await page.reload();
    const title = page.getByRole("heading", { level: 1 });
    await title.waitFor();
    await settled(page);
    const { y = 0, height = 0 } = (await title.boundingBox()) ?? {};
    if (height < 40) heights.add(Math.round(y));
    for (const tabs of await page.locator("nav.tabs:has([aria-current])").all()) {
      const [frame, tab] = [await tabs.boundingBox(), await tabs.locator("[aria-current]").boundingBox()];
      const right = (box: typeof frame) => (box?.x ?? 0) + (box?.width ?? 0);
      if ((tab?.x ?? -1) < (frame?.x ?? 0) || right(tab) > right(frame)) hidden.push(path);
    }
  });
  expect([[...heights].length, hidden]).toEqual([1, []]);
});

test("on a phone, the dates of sessions, orders and the audit log have headings", async () => {
  const another = await shop.another();
  const { owner } = await fillShop(another);
  await owner.call("POST /store/orders/1/complete");
  await owner.call("POST /store/orders", { petId: 4, shipDate: "2030-12-22T12:30:00Z" });
  const paths = ["/account", "/orders?status=all", "/audit"];
  const headings: Record<string, readonly string[]> = {};
  await visitScreens(shop.browser, another, owner, paths, async (page, path) => {
    await resize(page, { width: 390, height: 844 });
    const shown = await page.locator("main .list tbody time").evaluateAll((times) =>
      times.map((time) => {
        const cell = time.closest("[data-label]");
        const style = cell && time.ownerDocument.defaultView?.getComputedStyle(cell, "::before");
        return style?.content === "none" ? "none" : (cell?.getAttribute("data-label") ?? "none");
      }),
    );
    headings[path] = [...new Set(shown)].toSorted();
  });
  expect(headings).toEqual({
    "/account": ["Ends", "Last seen", "Signed in"],
    "/orders?status=all": ["Completed", "Due", "Placed"],
    "/audit": ["Time"],
  });
});

test("toasts are at the bottom of the page, in the middle, and beside the buttons of rows on a phone", async () => {
  const another = await shop.another();
  const { owner } = await fillShop(another);
  for (let added = 0; added < 40; added++)
    await owner.call("POST /pets", { name: `Rex ${added}`, categoryId: 1, status: "available" });
  for (const width of [390, 768, 1280, 1920])
    await withConsolePage(
      shop.browser,
      another.server,
      `/animals?name=Rex`,
      { person: owner, width },
      async (page) => {
        await choose(page, `Rex ${width % 39}`, "Remove…");
        await dialogLoaded(page);
        // From here on, time passes only until the toast appears, so that it stays while it is measured.
        await stopClock(page);
        const removed = page.waitForResponse((response) => response.request().method() === "DELETE");
        await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
        await removed;
        const toast = page.getByRole("status").locator("p").filter({ hasText: "removed" });
        await letTimePass(page, () => toast.isVisible());
        const box = async (place: Locator) => {
          const { x, y, width, height } = (await place.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
          return { left: x, right: x + width, bottom: y + height, middle: x + width / 2 };
        };
        const [shown, main] = [await box(toast), await box(page.getByRole("main"))];
        // On a very wide window, the page's content ends before the window does.
        const middle = (main.left + width) / 2;
        expect(900 - shown.bottom).toBe(16);
        if (width > 640) expect(Math.abs(shown.middle - middle)).toBeLessThan(2);
        // Rows can be scrolled to any height, so the toast is beside all of their buttons.
        for (const button of await page.locator("tbody .tail button").all())
          expect((await box(button)).left).toBeGreaterThanOrEqual(shown.right);
      },
    );
});

test("times and badges in tables are not cut off on a tablet, even in the preview of an import", async () => {
  const another = await shop.another();
  const { owner } = await fillShop(another);
  const cut: string[] = [];
  const look = async (page: Page, where: string) => {
    await resize(page, { width: 768, height: 900 });
    const found = await page.locator("main .list tbody").evaluateAll((tables) =>
      tables.flatMap((table) =>
        [...table.querySelectorAll(":is(th, td) :is(time, .badge)")]
          .filter((part) => {
            const cell = part.closest("th, td")?.getBoundingClientRect();
            const own = part.getBoundingClientRect();
            return cell && (own.left < cell.left || own.right > cell.right);
          })
          .map((part) => part.textContent ?? ""),
      ),
    );
    cut.push(...found.map((text) => `${where}: ${text}`));
  };
  await visitScreens(shop.browser, another, owner, inside, look);
  await withConsolePage(shop.browser, another.server, "/animals/import", { person: owner }, async (page) => {
    const buffer = Buffer.from(
      "name;category;status\nA name that is rather long for it;1;available\nRex;1;krank\n",
    );
    const file = { name: "animals.csv", mimeType: "text/csv", buffer };
    await page.locator("input[type=file]").setInputFiles(file);
    await row(page, "krank").waitFor();
    await look(page, "import");
  });
  expect(cut).toEqual([]);
});

/** Returns the texts of a table's rows that are cut off in one of these `parts`, and the rows that are higher than `height` pixels. */
function faultsOfRows(page: Page, parts: string, height: number): Promise<readonly string[]> {
  return page
    .locator("tbody tr")
    .evaluateAll(
      (rows, [parts, height]) =>
        rows.flatMap((row) => [
          ...[...row.querySelectorAll(parts)]
            .filter((part) => part.scrollWidth > part.clientWidth && part.clientWidth > 0)
            .map((part) => `cut: ${part.textContent}`),
          ...(row.clientHeight > height ? [`${row.clientHeight} px: ${row.textContent}`] : []),
        ]),
      [parts, height] as const,
    );
}

test("on a tablet, ordinary names are whole, and no row is higher than two lines", async () => {
  const another = await shop.another();
  const { owner } = await fillShop(another);
  await owner.call("POST /categories", {
    name: "Small animals",
    description: "Rabbits, hamsters. ".repeat(9),
  });
  await owner.call("POST /pets", { name: "Frau Schröder", categoryId: 3, status: "available" });
  await owner.call("POST /store/orders", { petId: 5, shipDate: "2026-01-22T12:30:00Z" });
  await owner.call("POST /store/orders", { petId: 4, shipDate: "2030-12-22T12:30:00Z" });
  const cut: string[] = [];
  await withConsolePage(
    shop.browser,
    another.server,
    "/animals",
    { person: owner, width: 768 },
    async (page) => {
      for (const path of ["/animals", "/orders", "/orders?status=all", "/categories"]) {
        await page.goto(consoleAddress(another.server) + path);
        await page.locator("tbody tr").first().waitFor();
        await settled(page);
        const found = await faultsOfRows(page, "th *", 72);
        cut.push(...found.map((fault) => `${path}: ${fault}`));
      }
    },
  );
  expect(cut).toEqual([]);
});

test("a table is as wide as its content needs: nothing is cut off while there is room", async () => {
  const another = await shop.another();
  const { owner } = await fillShop(another);
  await owner.call("POST /keys", { name: "command line on the till", expiresAt: "2100-01-01T00:00:00Z" });
  await withConsolePage(shop.browser, another.server, "/keys", { person: owner }, async (page) => {
    await row(page, "command line on the till").waitFor();
    const cutOff = await page
      .locator("tbody .line > div")
      .evaluateAll((all) =>
        all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
      );
    expect(cutOff).toEqual([]);
  });
});

test("on a wide window, nothing in the sample shop's lists is cut off or wrapped", async () => {
  const another = await shop.another("staging");
  const { owner } = await fillShop(another);
  await owner.call("POST /test/reset", { fixture: "shop" });
  const paths = ["/animals", "/orders", "/orders?status=all", "/categories", "/people"];
  const faults: string[] = [];
  await visitScreens(shop.browser, another, owner, paths, async (page, path) => {
    await resize(page, { width: 1920, height: 900 });
    const found = await faultsOfRows(page, ".line > div, .line [dir]", 48);
    faults.push(...found.map((fault) => `${path}: ${fault}`));
  });
  expect(faults).toEqual([]);
});

test("the screens of staging have no faults for an owner, staff and a viewer", async () => {
  const another = await shop.another("staging");
  for (const person of Object.values(await fillShop(another)))
    await expectNone([lookAtWidths], (check) => visitScreens(shop.browser, another, person, inside, check));
});

test("screens and dialogs with hostile names have no faults", async () => {
  const another = await shop.another();
  const { production: owner, staging } = await createHostileNames(another.server);
  await expectNone([lookWithAxe, lookWithSettings, lookAtWidths], (check) =>
    visitScreens(shop.browser, another, owner, inside, check),
  );
  await expectNone([lookWithAxe], (check) =>
    visitScreens(shop.browser, { ...another, environment: "staging" }, staging, inside, check),
  );
  const dialogs = await expectNone([lookAtWidths], (check) =>
    visitOpened(shop.browser, another, owner, inside, check),
  );
  // If this assertion fails, no form or button of the visited pages opens one of the dialogs. Add a step that opens it.
  expect([dialogs, dialogs.length]).toEqual([dialogs, await countDialogs()]);
});

test("dialogs, lists and refused forms with ordinary names have no faults", async () => {
  const another = await shop.another();
  const { owner } = await fillShop(another);
  await expectNone([lookWithAxe, lookWithSettings], (check) =>
    visitOpened(shop.browser, another, owner, inside, check),
  );
});
