import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { BEHIND_PROXY, openBrowserSession, PASSWORD, signUp } from "../wire/browser-session.ts";
import { petstore } from "../wire/process.ts";
import { startServer } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";
import {
  type ConsolePageOptions,
  choose,
  consoleAddress,
  dialogLoaded,
  expectNoFaults,
  heading,
  row,
  signInOn,
  waitUntil,
  withConsolePage,
} from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// Tests what owners, staff and viewers see in a real browser: invitations, roles, reset links, and the pages that each role can
// open.

const shop = shopForTests();
const owner = shop.person("owner@example.com");
beforeAll(async () => {
  await owner.call("POST /pets", { name: "Fluffy", categoryId: 1, status: "available" });
});

const open = (path: string, options: ConsolePageOptions, steps: (page: Page) => Promise<void>) =>
  shop.open(path, options, steps);
const linkOf = async (page: Page) =>
  ((await page.getByTestId("link").textContent()) ?? "").replace(consoleAddress(shop.server), "");

test("an owner invites a viewer, who creates the account and can change nothing; the owner makes them staff", async () => {
  const email = "vera@example.com";
  let link = "";
  await open("/people", { person: owner, width: 360 }, async (page) => {
    await page.getByRole("button", { name: "Invite" }).click();
    await dialogLoaded(page);
    await page.keyboard.type(email);
    await page.getByLabel("Role", { exact: true }).selectOption("viewer");
    await page.getByRole("button", { name: "Create invitation link" }).click();
    const dialog = page.getByRole("dialog", { name: "Your link" });
    await dialog.getByRole("button", { name: "Copy link" }).click();
    await dialog.getByText(/Copied|selected/).waitFor();
    await dialog.getByText("It works once, until").waitFor();
    await expectNoFaults(page);
    link = await linkOf(page);
    await page.getByRole("button", { name: "I have copied the link" }).click();
    await page.getByRole("row").filter({ hasText: email }).waitFor();
    await expectNoFaults(page);
  });
  await open(link, { width: 360 }, async (page) => {
    await page.getByText("You've been invited as viewer.").waitFor();
    expect(await page.getByLabel("Email").inputValue()).toBe(email);
    await expectNoFaults(page);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await heading(page, "Overview");
    for (const [path, title] of [
      ["animals", "Animals"],
      ["categories", "Categories"],
      ["orders", "Orders"],
      ["messages", "Messages"],
    ] as const) {
      await page.goto(`${consoleAddress(shop.server)}/${path}`);
      await heading(page, title);
      await waitUntil(page, () => page.evaluate("document.querySelector('main [aria-busy=true]') === null"));
      const buttons = page.locator("main button").filter({ hasNotText: /Export|⋯/ });
      expect([path, await buttons.count()]).toEqual([path, 0]);
      const text = (await page.locator("main").textContent()) ?? "";
      expect([path, text]).toEqual([path, expect.not.stringMatching(/Place one|Add the first|Send one/)]);
    }
    await page.goto(`${consoleAddress(shop.server)}/animals/1`);
    await heading(page, "Fluffy");
    await page.goto(`${consoleAddress(shop.server)}/keys`);
    await page.getByRole("button", { name: "New key" }).click();
    await dialogLoaded(page);
    expect(await page.getByLabel("Access").locator("option").allTextContents()).toHaveLength(1);
  });
  await open(link, {}, async (page) => {
    await page.getByText("This link is not valid").waitFor();
  });
  await open("/people", { person: owner }, async (page) => {
    await choose(page, email, "Role…");
    await page.getByRole("dialog").getByLabel("Role", { exact: true }).selectOption("staff");
    await page.getByRole("button", { name: "Save role" }).click();
    await page.getByRole("row").filter({ hasText: email }).filter({ hasText: "Staff" }).waitFor();
    await choose(page, "owner@example.com", "Role…");
    await page.getByRole("dialog").getByLabel("Role", { exact: true }).selectOption("staff");
    await page.getByRole("button", { name: "Save role" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("owner@example.com is the last owner").waitFor();
    await page.keyboard.press("Escape");
    await choose(page, "owner@example.com", "Remove…");
    await dialog.getByRole("button", { name: "Remove account" }).click();
    await dialog.getByText("owner@example.com is the last owner").waitFor();
  });
  const vera = openBrowserSession(shop.server);
  await vera.call("POST /session", { email, password: PASSWORD });
  await open("/animals", { person: vera }, async (page) => {
    await page.getByRole("link", { name: "Add an animal" }).waitFor();
  });
});

test("a reset link sets a new password, and the person signs in with it", async () => {
  const email = "rita@example.com";
  const rita = await signUp(shop.server, email);
  let link = "";
  await open("/people", { person: owner }, async (page) => {
    await choose(page, email, "Password-reset link…");
    await page.getByRole("button", { name: "Create link" }).click();
    link = await linkOf(page);
    for (let press = 0; press < 3; press++) await page.keyboard.press("Escape");
    await page.getByRole("alert").getByText("You haven't copied the link").waitFor();
    expect(await linkOf(page)).toBe(link);
  });
  await open(link, { width: 360 }, async (page) => {
    await heading(page, "Set a new password");
    await expectNoFaults(page);
    await page.getByLabel("New password", { exact: true }).fill("eight calm herons");
    await page.getByRole("button", { name: "Set password" }).click();
    await heading(page, "Sign in");
    await signInOn(page, email, "eight calm herons");
    await heading(page, "Overview");
  });
  expect((await rita.call("GET /pets")).status).toBe(401);
});

test("an owner can cancel an invitation, remove an account, and see everybody's keys and the audit log", async () => {
  const email = "kim@example.com";
  const kim = await signUp(shop.server, email);
  await kim.call("POST /keys", { name: "kim's till" });
  await owner.call("POST /invitations", { email: "late@example.com", role: "staff" });
  await open("/people", { person: owner }, async (page) => {
    await page.getByRole("button", { name: "Cancel invitation of late@example.com" }).click();
    await page.getByRole("row").filter({ hasText: "late@example.com" }).waitFor({ state: "detached" });
  });
  await open("/keys", { person: owner }, async (page) => {
    expect(await page.getByText("kim's till").count()).toBe(0);
    await page.getByRole("link", { name: "All", exact: true }).click();
    await page.getByRole("row").filter({ hasText: "kim's till" }).filter({ hasText: email }).waitFor();
    await choose(page, "kim's till", "Revoke…");
    await page.getByRole("button", { name: "Revoke key" }).click();
    await page.getByRole("row").filter({ hasText: "kim's till" }).filter({ hasText: "Revoked" }).waitFor();
  });
  await open("/people", { person: owner }, async (page) => {
    await choose(page, email, "Remove…");
    await page.getByRole("button", { name: "Remove account" }).click();
    await page.getByRole("row").filter({ hasText: email }).waitFor({ state: "detached" });
  });
  expect((await kim.call("GET /pets")).status).toBe(401);
  await open("/audit", { person: owner, width: 360 }, async (page) => {
    await page.getByRole("row").filter({ hasText: "Account removed" }).filter({ hasText: email }).waitFor();
    await row(page, "Signed in").filter({ hasText: email }).first().waitFor();
    await row(page, "Invitation withdrawn").filter({ hasText: "from 127.0.0.1" }).waitFor();
    await expectNoFaults(page);
  });
});

test("until there is an owner, the first page says where the owner's link is and has no form", async () => {
  const store = await freshEmbeddedStore();
  const server = await startServer({ store, env: { PETSTORE_SIGN_UP: "" } });
  for (const path of ["/", "/sign-up"])
    await withConsolePage(shop.browser, server, path, { width: 360 }, async (page) => {
      await heading(page, "No owner yet");
      const lines = await page.locator("main h1 ~ p, main header ~ p").allTextContents();
      expect(lines).toEqual([
        "Open the owner's link. It was printed in the terminal where petstore was started.",
        "To get a new link, run petstore accounts invite on that machine or in the container.",
      ]);
      expect(await page.locator("form, input").count()).toBe(0);
      await expectNoFaults(page);
    });
  const { out } = await petstore(store, ["accounts", "invite"]);
  await withConsolePage(shop.browser, server, `/invitation#${out.trim().split("#")[1]}`, {}, async (page) => {
    await heading(page, "Create the owner's account");
    await page.getByText("This is the store's first account.").waitFor();
    await page.getByLabel("Email").fill("owner@example.com");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await heading(page, "Overview");
  });
  await withConsolePage(shop.browser, server, "/", {}, async (page) => heading(page, "Sign in"));
  await server.stop();
});

test("unless sign-up is open, no page offers to create an account", async () => {
  const store = await freshEmbeddedStore();
  const start = (signUp: string) =>
    startServer({ store, env: { ...BEHIND_PROXY, PETSTORE_SIGN_UP: signUp } });
  const before = await start("open");
  const person = await signUp(before, "owner@example.com");
  await before.stop();
  const invited = await start("invite");
  for (const path of ["/sign-in", "/sign-up"])
    await withConsolePage(shop.browser, invited, path, {}, async (page) => {
      await page.getByText("You need an invitation to create an account.").waitFor();
      expect(await page.getByRole("link", { name: "Create an account" }).count()).toBe(0);
      expect(await page.getByRole("button", { name: "Create account" }).count()).toBe(0);
    });
  await invited.stop();
  const closed = await start("closed");
  await withConsolePage(shop.browser, closed, "/people", { person }, async (page) => {
    await page.getByText("petstore accounts create EMAIL").waitFor();
    expect(await page.getByRole("button", { name: "Invite" }).count()).toBe(0);
  });
  await closed.stop();
});
