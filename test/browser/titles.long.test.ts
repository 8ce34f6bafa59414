import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { ADDRESSES } from "../../src/console/page.ts";
import { openBrowserSession, PASSWORD, signUp } from "../wire/browser-session.ts";
import { consoleAddress } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// Tests the names and icons that appear in a tab, in a bookmark and in an installed console.

const OWNER = "owner@example.com";

const shop = shopForTests();
beforeAll(async () => {
  await signUp(shop.server, OWNER);
});

/** The page titles, keyed by path. If a page is added to the service, the test fails until the title of that page is added here. */
const TITLES: Readonly<Record<(typeof ADDRESSES)[number] | "/animals/new" | "/animals/9", string>> = {
  "/": "Overview",
  "/animals": "Animals",
  "/animals/import": "Import animals",
  "/animals/:id": "Fluffy · Animals",
  "/animals/new": "Add an animal · Animals",
  "/animals/9": "Animal 9 · Animals",
  "/categories": "Categories",
  "/orders": "Orders",
  "/messages": "Messages",
  "/keys": "API keys",
  "/developers": "Developers",
  "/activity": "Activity",
  "/deprecated-calls": "Deprecated calls",
  "/account": "Account",
  "/sign-in": "Overview",
  "/sign-in/return": "Sign in",
  "/sign-up": "Overview",
  "/webhooks": "Webhooks",
  "/webhooks/:id": "Webhook 1 · Webhooks",
  "/people": "People",
  "/audit": "Audit log",
  "/invitation": "Create your account",
  "/reset-password": "Set a new password",
};
const OUTSIDE = {
  "/": "Sign in",
  "/animals": "Sign in",
  "/sign-in": "Sign in",
  "/sign-in/return": "Sign in",
  "/sign-up": "Create an account",
  "/invitation": "Create your account",
  "/reset-password": "Set a new password",
} as const;

test.each(["production", "staging"] as const)("every page of %s has its own title", async (environment) => {
  const person = openBrowserSession(shop.server, environment);
  await person.call("POST /session", { email: OWNER, password: PASSWORD });
  await person.call("POST /pets", { name: "Fluffy", categoryId: 1 });
  await person.call("POST /webhooks", { url: "https://example.com/", types: ["pet.created"] });
  async function expectTitle(page: Page, title: string): Promise<void> {
    const [name = ""] = title.split(" · ");
    await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
    const prefix = environment === "staging" ? "Staging · " : "";
    expect(await page.title()).toBe(`${prefix}${title} · petstore`);
  }
  async function expectTitles(page: Page, titles: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, title] of Object.entries(titles)) {
      await page.goto(consoleAddress(shop.server, environment) + path.replace(":id", "1"));
      await expectTitle(page, title);
    }
  }
  await shop.open("/", { environment, person }, async (page) => {
    await expectTitles(page, TITLES);
    await page.evaluate(
      "history.pushState(null, '', '/nowhere'); dispatchEvent(new PopStateEvent('popstate'))",
    );
    await expectTitle(page, "Page not found");
  });
  await shop.open("/", { environment }, (page) => expectTitles(page, OUTSIDE));
});

test.each(["production", "staging"] as const)(
  "a browser can install the console of %s",
  async (environment) => {
    await shop.open("/sign-in", { environment }, async (page) => {
      const devtools = await page.context().newCDPSession(page);
      const { errors, data = "" } = await devtools.send("Page.getAppManifest");
      expect(errors).toEqual([]);
      const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
      expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
      const { name, icons } = JSON.parse(data);
      expect(name).toBe(environment === "staging" ? "Staging · petstore" : "petstore");
      const valuesOf = (selector: string, name: string) =>
        page.locator(selector).evaluateAll((all, of) => all.map((one) => one.getAttribute(of) ?? ""), name);
      const folder = `${consoleAddress(shop.server, environment)}/console/assets/`;
      const files = [
        ...(await valuesOf("link[href]", "href")),
        ...icons.map(({ src }: { src: string }) => src),
      ];
      for (const address of files) {
        const file = await fetch(new URL(address, folder));
        const kind = address.split(".").at(-1) ?? "";
        expect([address, file.status, file.headers.get("content-type")]).toEqual([address, 200, TYPES[kind]]);
        expect(file.headers.get("cache-control")).toContain("immutable");
      }
      const [light, dark] = await valuesOf("meta[name=theme-color]", "content");
      expect(await Bun.file(TOKENS).text()).toContain(`--ground: light-dark(${light}, ${dark})`);
    });
  },
);

const TOKENS = Bun.fileURLToPath(new URL("../../src/site/web/base.css", import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
  webmanifest: "application/manifest+json",
};
