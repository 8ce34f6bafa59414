import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { freePort } from "../postgres/server.ts";
import { signUp } from "../wire/browser-session.ts";
import { startServer } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";
import { openPage } from "./browser.ts";
import { consoleAddress, expectNoFaults, heading, withConsolePage } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// Tests that a signed-in person gets from production to staging with one click, and back with another click.

const NOT_SIGNED_IN = "Signing in from production failed.";

const shop = shopForTests();
const ada = shop.person();

const navigation = (page: Page) => page.getByRole("navigation", { name: "Console" });
const link = (page: Page, name: string) => navigation(page).getByRole("link", { name });

test("a click opens staging, signed in with the same account, and a click leads back to production's own session", async () => {
  await shop.open("/animals", { person: ada }, async (page, { requests }) => {
    await link(page, "Staging").click();
    await page.waitForURL(`${consoleAddress(shop.server, "staging")}/`);
    await heading(page, "Overview");
    await link(page, "Account ada@example.com").waitFor();
    await expectNoFaults(page);
    await link(page, "Production").click();
    await page.waitForURL(`${consoleAddress(shop.server)}/`);
    await link(page, "Account ada@example.com").waitFor();
    expect(await ada.read("/account/sessions")).toMatchObject([
      { environment: "staging", isCurrent: false },
      { environment: "production", isCurrent: true },
    ]);
    await link(page, "Account ada@example.com").click();
    await page.getByRole("row").filter({ hasText: "Staging" }).waitFor();
    // No requested address may contain the sign-in token, because addresses end up in logs and in the browser's history.
    expect(requests.filter((request) => /\/session\/transfer$/.test(request))).toHaveLength(1);
    expect(requests.filter((request) => /[0-9A-Za-z]{43}/.test(request))).toEqual([]);
  });
});

test("staging can be opened by keyboard, and Back shows the previous page", async () => {
  await shop.open("/categories", { person: ada }, async (page) => {
    await link(page, "Staging").focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(`${consoleAddress(shop.server, "staging")}/`);
    await link(page, "Account ada@example.com").waitFor();
    await page.goBack();
    await heading(page, "Categories");
    await link(page, "Staging").click();
    await page.waitForURL(`${consoleAddress(shop.server, "staging")}/`);
    await heading(page, "Overview");
  });
});

test("a double click, or a form that is submitted twice, signs in to staging like a single click", async () => {
  await shop.open("/", { person: ada }, async (page) => {
    await link(page, "Staging").dblclick();
    await page.waitForURL(`${consoleAddress(shop.server, "staging")}/`);
    await link(page, "Account ada@example.com").waitFor();
  });
});

test("the page stays and says that staging is not running", async () => {
  const staging = `http://localhost:${freePort()}`;
  const server = await startServer({
    store: await freshEmbeddedStore(),
    env: { PETSTORE_STAGING_URL: `${staging}/v1`, PETSTORE_STAGING_PORT: String(freePort()) },
  });
  const person = await signUp(server, "ada@example.com");
  const expected = /ERR_CONNECTION_REFUSED/;
  await withConsolePage(shop.browser, server, "/categories", { person, expected }, async (page) => {
    await link(page, "Staging").click();
    await page.getByText(`Staging doesn't answer at ${staging}. Staging may not be running.`).waitFor();
    await expectNoFaults(page);
    await heading(page, "Categories");
  });
  await server.stop();
});

test("where only staging has https, the click opens its first page, and no form is sent", async () => {
  const staging = "https://staging.example";
  const server = await startServer({
    store: await freshEmbeddedStore(),
    env: { PETSTORE_STAGING_URL: `${staging}/v1`, PETSTORE_STAGING_PORT: String(freePort()) },
  });
  const person = await signUp(server, "ada@example.com");
  const expected = /^foreign: https:/;
  await withConsolePage(
    shop.browser,
    server,
    "/categories",
    { person, expected },
    async (page, { requests }) => {
      const body = "<title>Staging</title>";
      await page.route(`${staging}/**`, (route) => route.fulfill({ body, contentType: "text/html" }));
      await link(page, "Staging").click();
      await page.waitForURL(`${staging}/`);
      expect(requests.filter((request) => request.includes(staging))).toEqual([`GET ${staging}/`]);
    },
  );
  await server.stop();
});

test("a session that has ended asks to sign in to production, and opens nothing", async () => {
  const person = await signUp(shop.server, "leaving@example.com");
  await shop.open("/categories", { person }, async (page) => {
    // The session ends while the click's request is on its way. Otherwise the page may notice it before the click.
    await page.route("**/session/transfer-token", async (route) => {
      await person.call("DELETE /session");
      await route.continue();
    });
    await link(page, "Staging").click();
    await heading(page, "Sign in");
    expect(new URL(page.url()).origin).toBe(consoleAddress(shop.server));
  });
});

test("a stranger's page cannot sign anybody in to the stranger's account", async () => {
  const mallory = await signUp(shop.server, "mallory@example.com");
  const script = "<script>document.forms[0].submit()</script>";
  // A form in a sandboxed frame is sent with the header `Origin: null`.
  const framed = (form: string) => form.replaceAll('"', "&quot;").replace("<form", "<form target=_top");
  const bodies = [
    (form: string) => form + script,
    (form: string) => `<meta name="referrer" content="no-referrer">${form}${script}`,
    (form: string) =>
      `<iframe sandbox="allow-forms allow-scripts allow-top-navigation" srcdoc="${framed(form)}${script}"></iframe>`,
  ];
  let body = "";
  const evil = Bun.serve({
    port: 0,
    fetch: () => new Response(body, { headers: { "Content-Type": "text/html" } }),
  });
  const watched = await openPage(shop.browser);
  for (const bodyWith of bodies) {
    // Each page gets its own sign-in token, because a token is valid for only 30 seconds.
    const { url, token } = (await mallory.call("POST /session/transfer-token")).json;
    body = bodyWith(
      `<form method="post" action="${url}"><input name="token" value="${token}"><input name="page" value="/"></form>`,
    );
    // The page submits its form while it is still loading, so its `load` event may never come.
    await watched.page.goto(`http://127.0.0.1:${evil.port}/`, { waitUntil: "commit" });
    await watched.page.waitForURL(`${consoleAddress(shop.server, "staging")}/sign-in?from=production`);
    await watched.page.getByText(NOT_SIGNED_IN).waitFor();
    // The token is still valid, because the service refused the page's request before using it.
    const used = await fetch(url, {
      method: "POST",
      headers: {
        Origin: consoleAddress(shop.server),
        "Content-Type": "application/x-www-form-urlencoded",
      },
      body: `token=${token}&page=/`,
      redirect: "manual",
    });
    expect(used.headers.get("Location")).toBe("/");
  }
  await expectNoFaults(watched.page);
  expect(await watched.page.context().cookies()).toEqual([]);
  await watched.close();
  await evil.stop(true);
});

test("the two consoles may be different sites", async () => {
  const [production, staging] = [freePort(), freePort()];
  // Browsers resolve every host name that ends in `.localhost` to this machine.
  const origins = {
    production: `http://pets.localhost:${production}`,
    staging: `http://staging.localhost:${staging}`,
  };
  const server = await startServer({
    store: await freshEmbeddedStore(),
    env: {
      PETSTORE_PRODUCTION_PORT: String(production),
      PETSTORE_STAGING_PORT: String(staging),
      PETSTORE_PRODUCTION_URL: `${origins.production}/v1`,
      PETSTORE_STAGING_URL: `${origins.staging}/v1`,
    },
  });
  const person = await signUp(server, "ada@example.com");
  const addresses = { ...server, production: origins.production, staging: origins.staging };
  const expected = /^foreign: http:\/\/(pets|staging)\.localhost:/;
  await withConsolePage(shop.browser, addresses, "/", { person, expected }, async (page) => {
    for (let round = 0; round < 2; round++) {
      await link(page, "Staging").click();
      await page.waitForURL(`${origins.staging}/`);
      await link(page, "Account ada@example.com").waitFor();
      await page.reload();
      await link(page, "Production").click();
      await page.waitForURL(`${origins.production}/`);
      await link(page, "Account ada@example.com").waitFor();
    }
    const cookies = await page.context().cookies();
    expect(cookies.map(({ name, domain, sameSite }) => [name, domain, sameSite]).sort()).toEqual([
      ["petstore-production", "pets.localhost", "Strict"],
      ["petstore-staging", "staging.localhost", "Strict"],
    ]);
  });
  await server.stop();
});

test("an empty shop's link leads into staging's sample shop, signed in", async () => {
  const person = await signUp(shop.server, "first@example.com");
  await shop.open("/animals", { person }, async (page) => {
    await page.getByRole("link", { name: "Try a sample shop in staging" }).click();
    await page.waitForURL(`${consoleAddress(shop.server, "staging")}/rehearsal`);
    await heading(page, "Rehearsal");
  });
});
