import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { expectNoFaults, heading, hold, row, stopClock, waitUntil } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// While the next page is loading its data, the previous page stays visible. The same applies to the next list.

const shop = shopForTests();
const ada = shop.person();

const scrollTop = (page: Page) => page.evaluate<number>("scrollY");
const focused = (page: Page) =>
  page.evaluate<string>("document.activeElement.localName + ' ' + document.activeElement.textContent");

async function addAnimals(): Promise<void> {
  for (let number = 1; number <= 40; number++)
    await ada.call("POST /pets", { name: `Fish ${number}`, categoryId: 1, status: "available" });
  const { id } = (await ada.call("POST /pets", { name: "Ordered", categoryId: 2, status: "available" })).json;
  await ada.call("POST /store/orders", { petId: id });
}

test("the current page stays unchanged until the next page, or the previous one, has its data", async () => {
  await addAnimals();
  await shop.open("/animals", { person: ada, width: 1280 }, async (page) => {
    const left = page.locator("main[aria-hidden]");
    await row(page, "Fish 1").last().waitFor();
    await page.getByLabel("Name or number").fill("fi");
    await page.getByText("40 animals shown").last().waitFor();
    await page.evaluate("scrollTo(0, 300)");
    const release = await hold(page, /store\/orders/);
    await page.getByRole("link", { name: "Orders", exact: true }).click();
    // When a person opens a page, a screen reader announces it at once and says what the page is still waiting for.
    await waitUntil(page, async () => (await focused(page)) === "h1 Orders");
    expect(await page.title()).toBe("Orders · petstore");
    const note = page.getByText("Loading the orders…");
    await waitUntil(page, () =>
      note.evaluate((element) =>
        element
          .getAnimations()
          .every(({ playState }: { readonly playState: string }) => playState === "finished"),
      ),
    );
    expect(await note.isVisible()).toBe(true);
    expect([await left.getByText("Fish 40").isVisible(), await scrollTop(page)]).toEqual([true, 300]);
    expect(await left.getByLabel("Name or number").inputValue()).toBe("fi");
    await page.locator("main[inert]").waitFor();
    await expectNoFaults(page);
    release();
    await row(page, "Ordered").waitFor();
    expect([await left.count(), await scrollTop(page), await focused(page)]).toEqual([0, 0, "h1 Orders"]);
    await page.goBack();
    await row(page, "Fish 40").waitFor();
    await waitUntil(page, async () => (await scrollTop(page)) === 300);
    expect(await left.count()).toBe(0);
  });
});

test("the previous page takes no clicks from the first frame on", async () => {
  await shop.open("/animals", { person: ada, width: 1280 }, async (page) => {
    const box = await row(page, "Fish 40").getByRole("button", { name: "Sell" }).boundingBox();
    const release = await hold(page, /store\/orders/);
    // This is the first frame after the navigation. The previous page becomes inert only later.
    const hit = page.evaluate(`(() => {
      const { x, y } = ${JSON.stringify(box)};
      [...document.querySelectorAll("#navigation a")].find(({ textContent }) => textContent.trim() === "Orders").click();
      return new Promise((found) => requestAnimationFrame(() => found(document.elementFromPoint(x + 5, y + 5).localName)));
    })()`);
    expect(await hit).toBe("main");
    release();
    await row(page, "Ordered").waitFor();
  });
});

test("the previous page takes no keys from the first one on", async () => {
  await shop.open("/animals", { person: ada, width: 1280 }, async (page) => {
    await page.getByRole("link", { name: "Fish 40" }).focus();
    const release = await hold(page, /\.js$/);
    // The clock is stopped, so that the keys come before the previous page becomes inert by itself, even on a busy machine.
    await stopClock(page);
    await page.keyboard.press("Enter");
    await page.locator("main[aria-hidden]").waitFor();
    for (const key of ["Tab", "Enter", "Tab", "Enter"]) await page.keyboard.press(key);
    expect(await page.locator("main[aria-hidden] :focus").count()).toBe(0);
    await page.clock.resume();
    release();
    await heading(page, "Fish 40");
    expect((await ada.read("/pets?name=Fish 40"))[0].status).toBe("available");
  });
});

test("after a long list, the browser does not recalculate the styles of the list before it requests the next page", async () => {
  await shop.open("/animals", { person: ada, width: 1280 }, async (page) => {
    // The code of the next page is loaded beforehand, and the clock is stopped, so that the previous page does not become inert
    // before the request, even on a busy machine.
    await page.getByRole("link", { name: "Orders", exact: true }).click();
    await page.getByRole("table", { name: "orders" }).waitFor();
    await page.getByRole("link", { name: "Animals", exact: true }).click();
    await row(page, "Fish 40").waitFor();
    await stopClock(page);
    const cells = await page.locator(".list tbody *").count();
    const release = await hold(page, /store\/orders/);
    const devtools = await page.context().newCDPSession(page);
    const events: TraceEvent[] = [];
    devtools.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
    await devtools.send("Tracing.start", { categories: "devtools.timeline" });
    let isRequested = false;
    void page.waitForRequest(/store\/orders/).then(() => {
      isRequested = true;
    });
    await page.getByRole("link", { name: "Orders", exact: true }).click();
    while (!isRequested) await page.clock.runFor(20);
    const complete = new Promise((resolve) => devtools.once("Tracing.tracingComplete", resolve));
    await devtools.send("Tracing.end");
    await complete;
    release();
    const click = events.find(({ args }) => args.data?.type === "click")?.ts ?? Number.NaN;
    const request = events.find(({ args }) => args.data?.url?.includes("store/orders"))?.ts ?? Number.NaN;
    const recalculated = events
      .filter(({ name, ts }) => name === "UpdateLayoutTree" && ts > click && ts < request)
      .map(({ args }) => args.elementCount ?? 0);
    expect(recalculated).not.toEqual([]);
    expect(Math.max(...recalculated)).toBeLessThan(cells / 2);
  });
});

interface TraceEvent {
  readonly name: string;
  readonly ts: number;
  readonly args: {
    readonly elementCount?: number;
    readonly data?: { readonly type?: string; readonly url?: string };
  };
}

test("after two quick navigations, the last loaded page stays until the second destination has loaded", async () => {
  await shop.open("/animals", { person: ada, width: 390 }, async (page) => {
    await row(page, "Ordered").waitFor();
    const release = [await hold(page, /store\/orders/), await hold(page, /categories/)];
    const go = async (name: string) => {
      await page.getByRole("button", { name: "Menu" }).click();
      await page.getByRole("link", { name, exact: true }).click();
      await waitUntil(page, async () => (await focused(page)) === `h1 ${name}`);
    };
    await go("Orders");
    await go("Categories");
    expect(await page.locator("main[aria-hidden]").getByText("Ordered").isVisible()).toBe(true);
    expect(await page.locator("main").count()).toBe(2);
    for (const one of release) one();
    await page.locator("main[aria-hidden]").waitFor({ state: "detached" });
    await heading(page, "Categories");
    await page.getByRole("table", { name: "categories" }).waitFor();
  });
});

test("a menu or a dialog that is opened before a new page is painted stays open", async () => {
  await shop.open("/orders", { person: ada, width: 390 }, async (page) => {
    const menu = page.getByRole("button", { name: "Menu" });
    await menu.click();
    await page.getByRole("link", { name: "Animals", exact: true }).click();
    await row(page, "Fish 40").waitFor();
    await menu.click();
    // The code of the next page is already loaded. While the clock is stopped, the page draws no frame.
    await stopClock(page);
    await page.getByRole("link", { name: "Orders", exact: true }).click();
    await page.locator("h1:focus", { hasText: "Orders" }).waitFor();
    await menu.click();
    await page.clock.resume();
    await row(page, "Ordered").waitFor();
    expect(await menu.getAttribute("aria-expanded")).toBe("true");
    await menu.click();
    await stopClock(page);
    await page.getByRole("link", { name: "Complete", exact: true }).click();
    await page.getByRole("button", { name: "New order" }).click();
    await page.clock.resume();
    await page.getByRole("button", { name: "Place order" }).waitFor();
  });
});

test("the overview requests its latest changes without waiting for its figures", async () => {
  await shop.open("/orders", { person: ada }, async (page) => {
    const release = await hold(page, /\/overview\?/);
    const requested = page.waitForRequest(/\/activity\?/);
    await page.getByRole("link", { name: "Overview", exact: true }).click();
    await requested;
    release();
    await page.getByRole("region", { name: "Latest changes" }).waitFor();
  });
});

test("a tab or a filter keeps the rows until the new ones are there", async () => {
  await shop.open("/animals", { person: ada }, async (page) => {
    await row(page, "Ordered").waitFor();
    const release = await hold(page, /pets\?.*status=pending/);
    await page.getByRole("link", { name: /^Pending/ }).click();
    await page.locator("[aria-busy=true]").waitFor();
    expect(await row(page, "Fish 40").isVisible()).toBe(true);
    expect(await focused(page)).toMatch(/^a Pending/);
    release();
    await page.getByText("1 animal shown").last().waitFor();
    expect(await page.getByRole("rowheader").allInnerTexts()).toEqual(["Ordered"]);
  });
});
