import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { ADDRESSES } from "../../src/console/page.ts";
import { openBrowserSession, PASSWORD, signUp } from "../wire/browser-session.ts";
import { startServer } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";
import { consoleAddress, signInOn, withConsolePage } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// An owner invites a colleague, who signs in as viewer, presses everything that is offered, and is refused nothing.

const EMAIL = "vera@example.com";

const shop = shopForTests();

const heading = (page: Page, name: string) =>
  page.getByRole("heading", { level: 1, name, exact: true }).waitFor();

test("an owner invites a colleague, who signs in as viewer in another browser", async () => {
  const owner = await signUp(shop.server, "owner@example.com");
  let link = "";
  await shop.open("/", { person: owner }, async (page) => {
    await page.getByRole("link", { name: "People" }).click();
    await page.getByLabel("Email").fill(EMAIL);
    await page.getByLabel("Role", { exact: true }).selectOption("viewer");
    await page.getByRole("button", { name: "Make link" }).click();
    const dialog = page.getByRole("dialog", { name: "Invitation" });
    await dialog.getByRole("button", { name: "Copy link" }).click();
    await dialog.getByText(/Copied|Selected/).waitFor();
    await dialog.getByText("It works until").waitFor();
    link = (await page.getByTestId("link").textContent()) ?? "";
    await dialog.getByRole("button", { name: "I have copied the link" }).click();
    const open = page.getByRole("table", { name: "Open invitations" });
    await open.getByRole("row").filter({ hasText: EMAIL }).getByText("Viewer").waitFor();
  });
  await shop.open(link.replace(consoleAddress(shop.server), ""), {}, async (page) => {
    await page.getByText("You are invited as viewer.").waitFor();
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await heading(page, "Overview");
    await page.goto(`${consoleAddress(shop.server)}/account`);
    await page.getByRole("button", { name: "Sign out" }).click();
    await heading(page, "Sign in");
    await signInOn(page, EMAIL);
    await heading(page, "Overview");
  });
  await shop.open("/people", { person: owner }, async (page) => {
    const row = page.getByRole("row").filter({ hasText: EMAIL });
    await row.getByText(/ago|now/).waitFor();
    expect(await row.textContent()).toContain("Viewer");
    for (const action of ["Remove owner@example.com", "Change the role of owner@example.com"]) {
      await page.getByRole("button", { name: action }).click();
      const dialog = page.getByRole("dialog");
      if (action.startsWith("Change")) await dialog.getByLabel("Role", { exact: true }).selectOption("staff");
      await dialog.getByRole("button", { name: /Remove account|Save role/ }).click();
      await dialog
        .getByText("owner@example.com is the last owner. Make another account an owner first.")
        .waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    }
  });
});

test("where sign-up is closed, an owner is shown the command that makes accounts", async () => {
  const store = await freshEmbeddedStore();
  const before = await startServer({ store });
  const owner = await signUp(before, "owner@example.com");
  await before.stop();
  const closed = await startServer({ store, env: { PETSTORE_SIGN_UP: "closed" } });
  await withConsolePage(shop.browser, closed, "/people", { person: owner }, async (page) => {
    await page.getByText("petstore accounts create EMAIL").waitFor();
    expect(await page.getByRole("button", { name: "Make link" }).count()).toBe(0);
  });
  await closed.stop();
});

/** Buttons that end the session or the account; they are not pressed. */
const LEAVING = /Sign out|Delete account|End session/;

test("a viewer presses every button and follows every link of every page, and none is refused", async () => {
  await fillStore();
  const viewer = openBrowserSession(shop.server);
  await viewer.call("POST /session", { email: EMAIL, password: PASSWORD });
  await viewer.call("POST /keys", { name: "price display", access: "read" });
  await shop.open("/", { person: viewer }, async (page) => {
    const refused: string[] = [];
    page.on("response", (response) => {
      if (response.status() === 403) refused.push(`${response.request().method()} ${response.url()}`);
    });
    const links = new Set<string>();
    const pressed: string[] = [];
    for (const address of ADDRESSES.map((path) => path.replace(":id", "1"))) {
      await visit(page, address);
      for (const link of await page.locator("main a[href^='/'], nav a[href^='/']").all())
        links.add((await link.getAttribute("href")) ?? "");
      const count = await buttons(page).count();
      for (let index = 0; index < count; index++) {
        const name = await press(page, address, index);
        if (name !== undefined) pressed.push(`${address}: ${name}`);
        expect({ address, name, refused }).toEqual({ address, name, refused: [] });
      }
    }
    expect(pressed).toContain("/keys: Generate key");
    for (const link of links) {
      await page.goto(consoleAddress(shop.server) + link);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      expect([link, await page.getByRole("heading", { level: 1 }).first().textContent()]).not.toEqual([
        link,
        "Not allowed",
      ]);
    }
    console.log(`a viewer pressed ${pressed.length} buttons and followed ${links.size} links`);
    for (const [path, who] of [
      ["/animals/new", "staff and owners"],
      ["/people", "owners"],
      ["/audit", "owners"],
      ["/webhooks", "owners"],
      ["/webhooks/1", "owners"],
    ] as const) {
      await visit(page, path);
      await heading(page, "Not allowed");
      await page.getByText(`This page is for ${who}.`).waitFor();
    }
    expect(refused).toEqual([]);
  });
});

async function fillStore(): Promise<void> {
  const owner = openBrowserSession(shop.server);
  await owner.call("POST /session", { email: "owner@example.com", password: PASSWORD });
  for (const name of ["Fluffy", "Rex", "Tofu"])
    await owner.call("POST /pets", { name, categoryId: 1, status: "available" });
  await owner.call("POST /categories", { name: "Cats" });
  await owner.call("POST /store/orders", { petId: 1, shipDate: "2020-01-02T12:00:00Z" });
  await owner.call("POST /messages", { message: "hello" });
  await owner.call("POST /webhooks", { url: "https://example.com/", types: ["pet.created"] });
}

const buttons = (page: Page): Locator => page.locator("main button:enabled:visible");

async function visit(page: Page, address: string): Promise<void> {
  await page.goto(consoleAddress(shop.server) + address);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.locator("main .loading, main [aria-busy=true]").first().waitFor({ state: "detached" });
}

/** Presses a button of a fresh page, with every field filled, and the buttons of its dialog. */
async function press(page: Page, address: string, index: number): Promise<string | undefined> {
  await visit(page, address);
  const button = buttons(page).nth(index);
  if ((await button.count()) === 0) return undefined;
  const name = (await button.getAttribute("aria-label")) ?? (await button.textContent()) ?? "";
  if (LEAVING.test(name)) return undefined;
  for (const field of await page
    .locator("main input:is([type=text], [type=email], :not([type])):visible")
    .all())
    await field.fill("x@example.com");
  await button.click();
  const confirm = page.locator("dialog[open] .actions button").last();
  if ((await confirm.count()) > 0) await confirm.click();
  await page.waitForLoadState("networkidle");
  return name;
}
