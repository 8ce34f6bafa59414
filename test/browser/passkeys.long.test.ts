import { expect, test } from "bun:test";
import { PASSWORD, signUp } from "../wire/browser-session.ts";
import { expectNoFaults, heading, row, signInOn } from "./console-page.ts";
import { addDevice } from "./passkey-device.ts";
import { shopForTests } from "./shop.ts";

// Tests passkeys in a real browser, with Chromium's virtual authenticator.

const shop = shopForTests();

test("a person adds a passkey, signs in with it, and removes it; the password still works", async () => {
  const email = "ada@example.com";
  const person = await signUp(shop.server, email);
  await shop.open("/account", { person, width: 360 }, async (page) => {
    const device = await addDevice(page);
    const form = page.getByRole("form", { name: "Add a passkey" });
    async function add(name: string, password: string): Promise<void> {
      await form.getByLabel("Passkey name").fill(name);
      await form.getByLabel("Your password").fill(password);
      await form.getByRole("button", { name: "Add passkey" }).click();
    }
    await expectNoFaults(page);
    await add("my phone", "not it at all");
    await form.getByText("Your password is not this account's password").waitFor();
    await add("my phone", PASSWORD);
    await row(page, "my phone").waitFor();
    await expectNoFaults(page);
    await add("the same phone", PASSWORD);
    await form.getByText("This device already has a passkey for this account.").waitFor();

    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await heading(page, "Sign in");
    await expectNoFaults(page);
    const signIn = page.getByRole("button", { name: "Use a passkey" });
    await device.recognize(false);
    await signIn.click();
    await page.getByText("Your device did not confirm that it is you.").waitFor();
    await expectNoFaults(page);
    await device.recognize(true);
    await signIn.click();
    await heading(page, "Overview");

    await page.goto(new URL("/account", page.url()).href);
    await page.getByText("Signed in as").waitFor();
    await page.getByRole("button", { name: "Remove passkey my phone" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove passkey" }).click();
    await page.getByText("Passkey removed").waitFor();
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await heading(page, "Sign in");
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByText("The passkey was not accepted.").waitFor();
    await signInOn(page, email);
    await heading(page, "Overview");
  });
});

test("after a sign-in with a password, a passkey is offered on a suitable device until somebody declines", async () => {
  const email = "offered@example.com";
  await signUp(shop.server, email);
  await shop.open("/sign-in", { width: 320 }, async (page) => {
    await addDevice(page);
    const offer = page.getByRole("complementary", { name: "Passkey" });
    async function signIn(): Promise<void> {
      await signInOn(page, email);
      await heading(page, "Overview");
    }
    async function signOut(): Promise<void> {
      await page.getByRole("button", { name: "Sign out", exact: true }).click();
      await heading(page, "Sign in");
      expect(await offer.count()).toBe(0);
    }
    await signIn();
    const link = offer.getByRole("link", { name: "Add a passkey" });
    await link.waitFor();
    await expectNoFaults(page);
    await link.click();
    await heading(page, "Account");
    expect(await offer.count()).toBe(0);
    expect(await page.getByLabel("Passkey name").inputValue()).toMatch(/^Chrome|^Headless/);
    await signOut();
    await signIn();
    await offer.getByRole("button", { name: "Not now" }).click();
    await offer.waitFor({ state: "detached" });
    await page.goto(new URL("/account", page.url()).href);
    await heading(page, "Account");
    await signOut();
    await signIn();
    await page.waitForLoadState("networkidle");
    expect(await offer.count()).toBe(0);
  });
});

test("a browser without passkeys shows no button for them, and says where they work", async () => {
  const person = await signUp(shop.server, "older@example.com");
  const before = "delete window.PublicKeyCredential;";
  await shop.open("/sign-in", { before }, async (page) => {
    expect(await page.getByRole("button", { name: "Use a passkey" }).count()).toBe(0);
  });
  await shop.open("/account", { person, before }, async (page) => {
    await page.getByText("Passkeys work only at an https address, or at http://localhost.").waitFor();
  });
});
