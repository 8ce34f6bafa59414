import { expect, test } from "bun:test";
import { freePort } from "../postgres/server.ts";
import { PASSWORD, signUp } from "../wire/browser-session.ts";
import { startIdentityProvider } from "../wire/identity-provider.ts";
import { startServer } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";
import { openBrowser } from "./browser.ts";
import { expectNoFaults, heading, withConsolePage } from "./console-page.ts";

// Tests sign-in with an identity provider in a real browser. The browser is sent to the provider and returns from it.

test("a person links the account, signs out of both sites, signs in with the provider, and removes the link", async () => {
  // The port must be known before the service starts, because the identity provider is configured with it.
  const port = freePort();
  await using closing = new AsyncDisposableStack();
  const provider = await startIdentityProvider([`http://localhost:${port}/sign-in/return`]);
  closing.defer(provider.stop);
  const env = { ...provider.env, PETSTORE_PRODUCTION_PORT: String(port) };
  const server = await startServer({ store: await freshEmbeddedStore(), env });
  closing.defer(async () => void (await server.stop()));
  const browser = await openBrowser();
  closing.defer(() => browser.close());
  const person = await signUp(server, "ada@example.com");
  await withConsolePage(browser, server, "/account", { person }, async (page) => {
    const linking = page.getByRole("form", { name: "Link 127.0.0.1" });
    await linking.getByLabel("Your password").fill(PASSWORD);
    await linking.getByRole("button", { name: "Link 127.0.0.1" }).click();
    await page.getByText("Linked to").waitFor();
    await expectNoFaults(page);
    expect(new URL(page.url()).search).toBe("");

    await page.getByRole("button", { name: "Sign out" }).click();
    await heading(page, "Sign in");
    await expectNoFaults(page);
    await page.getByRole("button", { name: "Sign in with 127.0.0.1" }).click();
    await heading(page, "Overview");

    await page.goto(new URL("/account", page.url()).href);
    const unlinking = page.getByRole("form", { name: "Unlink" });
    await unlinking.getByLabel("Your password").fill(PASSWORD);
    await unlinking.getByRole("button", { name: "Unlink" }).click();
    await page.getByText("Account unlinked").waitFor();
    await linking.waitFor();
  });
});
