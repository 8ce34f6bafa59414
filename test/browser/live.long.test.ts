import { expect, test } from "bun:test";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { Locator, Page } from "playwright-core";
import { accountId, BEHIND_PROXY, signUp } from "../wire/browser-session.ts";
import { petstore } from "../wire/process.ts";
import { startServer } from "../wire/server.ts";
import {
  type ConsolePageOptions,
  choose,
  dialogLoaded,
  expectNoFaults,
  heading,
  row,
  signInOn,
  waitUntil,
} from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// Tests that the console's pages show changes while they are open.

const shop = shopForTests();
const ada = shop.person();
const ben = shop.person("ben@example.com");

const open = (path: string, steps: (page: Page) => Promise<void>, options: ConsolePageOptions = {}) =>
  shop.open(path, { person: ada, width: 360, ...options }, steps);
const made = async (request: string, body: unknown) => (await ada.call(request, body)).json;
/** Makes the browser tab report that it is hidden, or visible again. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`Object.defineProperty(document, "hidden", { get: () => ${isHidden}, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"))`);
}

test("two people see each other's changes without a reload", async () => {
  await ada.call("POST /pets", { name: "Rex", categoryId: 50, status: "available" });
  await shop.open("/animals", { person: ben }, async (list) => {
    await row(list, "Rex").getByText("Available").waitFor();
    await shop.open("/animals/1", { person: ada }, async (form) => {
      await form.getByRole("button", { name: "Edit", exact: true }).click();
      await form.getByLabel("Status").selectOption("pending");
      await form.getByRole("button", { name: "Save changes" }).click();
      await row(list, "Rex").getByText("Pending").waitFor();

      await list.getByRole("link", { name: "Rex", exact: true }).click();
      await list.getByRole("button", { name: "Edit", exact: true }).click();
      await list.getByLabel("Name").fill("Rex the First");
      await list.getByRole("button", { name: "Save changes" }).click();
      await heading(form, "Rex the First");
      const history = form.getByRole("region", { name: "History" }).getByRole("listitem");
      await history
        .first()
        .getByText(/^Renamed .?Rex.? → .?Rex the First.?$/)
        .waitFor();
    });
  });
  const stored = (await ada.call("GET /pets/1")).body;
  expect(stored).toBe('{"id":1,"name":"Rex the First","categoryId":50,"status":"pending"}');
});

test("changes by others move no row, because new animals wait behind a button", async () => {
  for (const name of ["First", "Second", "Third"]) await ada.call("POST /pets", { name, categoryId: 7 });
  const [three, two] = await ada.read("/pets?categoryId=7");
  await open("/animals?category=7", async (page) => {
    await row(page, "First").waitFor();
    const place = async () => JSON.stringify(await row(page, "First").boundingBox());
    const before = await place();
    await ada.call(`DELETE /pets/${two.id}`);
    await row(page, "Second").getByText("Removed").waitFor();
    await ada.call(`PATCH /pets/${three.id}`, { categoryId: 8 });
    await page.locator("tr.is-inactive", { hasText: "Third" }).getByText("Category 8").waitFor();
    await ada.call("POST /pets", { name: "Elsewhere", categoryId: 9 });
    for (const name of ["Four", "Five"]) await ada.call("POST /pets", { name, categoryId: 7 });
    await page.getByRole("button", { name: "2 new animals" }).waitFor();
    await page.locator("[aria-live=polite]").getByText("1 gone").waitFor({ state: "attached" });
    expect([await page.getByRole("row").count(), await place()]).toEqual([4, before]);
    expect(before).not.toBe("null");
    await page.getByRole("button", { name: "2 new animals" }).click();
    await row(page, "Five").waitFor();
    expect(await page.getByRole("rowheader").allInnerTexts()).toEqual(["Five", "Four", "First"]);
    expect(await page.evaluate("document.activeElement.tagName")).toBe("H1");
  });
});

test("a page that was loaded in a hidden tab is updated live once it is visible and somebody signs in", async () => {
  const { id } = await made("POST /pets", { name: "Behind", categoryId: 99 });
  const before = `Object.defineProperty(document, "hidden", { get: () => true, configurable: true })`;
  await open(
    "/animals",
    async (page) => {
      await setHidden(page, false);
      await signInOn(page, "ada@example.com");
      await row(page, "Behind").waitFor();
      await ada.call(`PATCH /pets/${id}`, { status: "sold" });
      await row(page, "Behind").getByText("Sold").waitFor();
    },
    { person: undefined, before },
  );
});

test("a visible window has one stream whatever page it shows, and a hidden window has none", async () => {
  const before = `{
    const streams = [];
    globalThis.EventSource = class extends EventSource { constructor(address) { super(address); streams.push(this); } };
    globalThis.countStreams = () => streams.filter(({ readyState }) => readyState !== EventSource.CLOSED).length;
  }`;
  await open(
    "/",
    async (page) => {
      const count = (number: number) =>
        waitUntil(page, async () => (await page.evaluate("countStreams()")) === number);
      await count(1);
      for (const name of ["Animals", "Orders", "Categories"]) {
        await page.getByRole("link", { name, exact: true }).first().click();
        await heading(page, name);
        expect(await page.evaluate("countStreams()")).toBe(1);
      }
      await setHidden(page, true);
      await count(0);
      await setHidden(page, false);
      await count(1);
    },
    { width: 1280, before },
  );
});

test("changes made during a restart of the server appear afterwards", async () => {
  const { id } = await made("POST /pets", { name: "Lasting", categoryId: 99 });
  await open(
    "/animals",
    async (page) => {
      await row(page, "Lasting").waitFor();
      const { store, ...addresses } = shop.server;
      const ports = (["production", "staging", "messages"] as const).map((name) => [
        `PETSTORE_${name.toUpperCase()}_PORT`,
        new URL(addresses[name]).port,
      ]);
      await shop.server.stop();
      shop.server = await startServer({ store, env: { ...BEHIND_PROXY, ...Object.fromEntries(ports) } });
      await ada.call(`PATCH /pets/${id}`, { status: "sold" });
      await row(page, "Lasting").getByText("Sold").waitFor();
    },
    { expected: /events|ERR_/ },
  );
});

test("the page notices that its session was ended elsewhere, and restores the typed text after the next sign-in", async () => {
  const eve = await signUp(shop.server, "eve@example.com");
  await open(
    "/categories",
    async (page) => {
      await page.getByRole("button", { name: "New category" }).click();
      await dialogLoaded(page);
      await page.keyboard.type("Cats");
      await eve.call("DELETE /session");
      await signInOn(page, "eve@example.com");
      await page.getByRole("button", { name: "New category" }).click();
      expect(await page.getByLabel("Name").inputValue()).toBe("Cats");
    },
    { person: eve },
  );
});

test("orders, categories and the overview are also updated live", async () => {
  const { id: petId } = await made("POST /pets", { name: "Ordered", categoryId: 99, status: "available" });
  await open("/", async (page) => {
    await page.getByText("Added Ordered").waitFor();
    const { id: orderId } = await made("POST /store/orders", { petId });
    await page.getByText("Ordered Ordered").waitFor();
    await page.getByRole("region", { name: "Figures" }).getByText("Open orders").waitFor();
    await page.goto(`${new URL(page.url()).origin}/orders?status=all`);
    await row(page, "Ordered").getByText("Open").waitFor();
    await page.getByRole("button", { name: "New order" }).click();
    await page.getByLabel("Animal").fill("typed");
    await ada.call(`POST /store/orders/${orderId}/complete`);
    await row(page, "Ordered").getByText("Open").waitFor({ state: "detached" });
    expect(await page.getByLabel("Animal").inputValue()).toBe("typed");
    await expectNoFaults(page);
  });
});

test("a category's open dialog says that it was changed, then that it was removed", async () => {
  const { id } = await made("POST /categories", { name: "Cats" });
  await open("/categories", async (page) => {
    await choose(page, "Cats", "Edit…");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Felines");
    await ada.call(`PATCH /categories/${id}`, { description: "Purring" });
    const notice = dialog.getByRole("region", { name: "Changed while you were editing" });
    await notice.getByText("Description: None → Purring").waitFor();
    await expectNoFaults(page);
    expect(await dialog.getByLabel("Description").inputValue()).toBe("Purring");
    expect(await dialog.getByLabel("Name").inputValue()).toBe("Felines");
    await ada.call(`DELETE /categories/${id}`);
    await notice.getByText(/Somebody removed this category/).waitFor();
    expect(await notice.getByRole("button").count()).toBe(0);
    expect(await dialog.getByLabel("Name").inputValue()).toBe("Felines");
    await page.keyboard.press("Escape");
    await row(page, "Cats").getByText("Gone").waitFor();
    await made("POST /categories", { name: "Dogs" });
    await page.getByRole("button", { name: "1 new category" }).waitFor();
    await expectNoFaults(page);
  });
});

test.each<[path: string, lastRead: string, changed: (page: Page) => Locator]>([
  [
    "/",
    "categories?",
    (page) => page.getByRole("region", { name: "Latest changes" }).getByText("Ordered Hidden"),
  ],
  ["/animals", "last-changes?", (page) => row(page, "Hidden").getByText("Pending")],
  ["/orders", "pets?id", (page) => page.getByRole("button", { name: "1 new order" })],
  ["/categories", "used-categories", (page) => page.getByRole("button", { name: "1 new category" })],
])(
  "%s reads each list once, and again only after a change, also one while the tab was hidden",
  async (path, lastRead, changed) => {
    const { id: petId } = await made("POST /pets", { name: "Hidden", categoryId: 99, status: "available" });
    const other = await made("POST /pets", { name: "Other", categoryId: 99, status: "available" });
    await made("POST /store/orders", { petId: other.id });
    await made("POST /categories", { name: "First" });
    await shop.open(path, { person: ada }, async (page, { requests }) => {
      const reads = () =>
        requests
          .map((request) => request.split("/console/api/")[1])
          .filter((name) => name !== undefined && !/^session|^events.after/.test(name));
      await waitUntil(page, async () => reads().some((name) => name?.startsWith(lastRead)));
      await expectNoFaults(page);
      const opening = reads();
      expect(new Set(opening).size).toBe(opening.length);
      const streams = page.waitForResponse(/events.after/);
      for (const isHidden of [true, false]) await setHidden(page, isHidden);
      await streams;
      await expectNoFaults(page);
      expect(reads()).toEqual(opening);
      await setHidden(page, true);
      await made("POST /store/orders", { petId });
      await made("POST /categories", { name: path });
      await setHidden(page, false);
      await changed(page).waitFor();
    });
  },
);

test("an open tab updates its navigation and buttons when the person's role changes", async () => {
  await made("POST /pets", { name: "Ranked", categoryId: 99, status: "available" });
  await shop.open("/animals", { person: ben }, async (page) => {
    const sell = page.getByRole("button", { name: "Sell Ranked" });
    const add = page.getByRole("link", { name: "Add an animal" });
    const people = page.getByRole("navigation").getByRole("link", { name: "People" });
    await page.getByRole("checkbox", { name: "Select Ranked" }).check();
    expect((await petstore(shop.server.store, ["accounts", "role", "ben@example.com", "viewer"])).code).toBe(
      0,
    );
    await sell.waitFor({ state: "detached" });
    expect([await add.count(), await page.getByRole("region", { name: "Selected animals" }).count()]).toEqual(
      [0, 0],
    );
    await ada.call(`PATCH /accounts/${await accountId(ada, "ben@example.com")}`, { role: "owner" });
    await sell.waitFor();
    await people.waitFor();
    expect([await add.count(), await page.getByRole("alert").count()]).toEqual([1, 0]);
  });
});

test("a stream that falls silent behind a proxy is reopened after 45 seconds, and the frame says so", async () => {
  const proxy = await startSilencing(new URL(shop.server.production).port);
  const id = await ada.pet({ name: "Silenced" });
  await open("/animals", async (page) => {
    await page.clock.install();
    await page.goto(`http://localhost:${proxy.port}/animals`);
    await row(page, "Silenced").waitFor();
    await waitUntil(page, async () => proxy.streams === 1);
    proxy.isSilent = true;
    await ada.call(`PATCH /pets/${id}`, { name: "Heard of" });
    await page.clock.fastForward(46_000);
    await page.getByText("Reconnecting…").waitFor();
    proxy.isSilent = false;
    await page.clock.fastForward(31_000);
    await page.clock.resume();
    await row(page, "Heard of").waitFor();
    await page.getByText("Reconnecting…").waitFor({ state: "detached" });
  });
  proxy.stop();
});

/** Starts a proxy that can stop forwarding what the server sends, while every connection stays open. */
async function startSilencing(port: string) {
  const silenced = new Set<Socket>();
  const proxy = { port: 0, streams: 0, isSilent: false, stop: () => listener.close() };
  const listener = createServer((client) => {
    const server = connect(Number(port), "127.0.0.1");
    client.pipe(server);
    server.on("data", (bytes) => {
      if (bytes.includes("text/event-stream")) proxy.streams++;
      if (proxy.isSilent) silenced.add(server);
      if (!silenced.has(server)) client.write(bytes);
    });
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one.on("error", () => {}).on("close", () => other.destroy());
  });
  await new Promise<void>((listening) => void listener.listen(0, "127.0.0.1", listening));
  proxy.port = (listener.address() as AddressInfo).port;
  return proxy;
}
