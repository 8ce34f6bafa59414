import { beforeAll, expect, test } from "bun:test";
import type { ADDRESSES } from "../../src/console/page.ts";
import { openBrowserSession, PASSWORD, signUp } from "../wire/browser-session.ts";
import { consoleAddress, type Environment } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// Names and icons of a tab, a bookmark and an installed console.

const OWNER = "owner@example.com";

const shop = shopForTests();
beforeAll(async () => {
  await signUp(shop.server, OWNER);
});

/** Title of each address that the server knows; a new address fails the test until its title is here. */
const TITLES: Readonly<Record<(typeof ADDRESSES)[number], string>> = {
  "/": "Overview",
  "/animals": "Animals",
  "/animals/import": "Import animals",
  "/animals/:id": "Fluffy · Animals",
  "/categories": "Categories",
  "/orders": "Orders",
  "/messages": "Messages",
  "/keys": "API keys",
  "/developers": "Developers",
  "/deprecated-calls": "Deprecated calls",
  "/account": "Account",
  "/sign-in": "Overview",
  "/sign-up": "Overview",
  "/webhooks": "Webhooks",
  "/webhooks/:id": "Webhook 1 · Webhooks",
  "/people": "People",
  "/audit": "Audit list",
  "/invitation": "Create your account",
  "/reset-password": "Set a new password",
};
const OUTSIDE = {
  "/": "Sign in",
  "/animals": "Sign in",
  "/sign-in": "Sign in",
  "/sign-up": "Create an account",
  "/invitation": "Create your account",
  "/reset-password": "Set a new password",
} as const;

test.each(["production", "staging"] as const)("every page of %s has its own title", async (environment) => {
  const person = openBrowserSession(shop.server, environment);
  await person.call("POST /session", { email: OWNER, password: PASSWORD });
  await person.call("POST /pets", { name: "Fluffy", categoryId: 1 });
  await person.call("POST /webhooks", { url: "https://example.com/", types: ["pet.created"] });
  const full = (title: string) =>
    environment === "staging" ? `Staging · ${title} · petstore` : `${title} · petstore`;
  const more = { "/animals/new": "Add an animal · Animals", "/animals/9": "Animal 9 · Animals" };
  await shop.open("/", { environment, person }, async (page) => {
    for (const [path, title] of Object.entries({ ...TITLES, ...more })) {
      await page.goto(consoleAddress(shop.server, environment) + path.replace(":id", "1"));
      const [heading = ""] = title.split(" · ");
      await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
      expect([path, await page.title()]).toEqual([path, full(title)]);
    }
    await page.evaluate(
      "history.pushState(null, '', '/nowhere'); dispatchEvent(new PopStateEvent('popstate'))",
    );
    await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
    expect(await page.title()).toBe(full("Page not found"));
  });
  await shop.open("/", { environment }, async (page) => {
    for (const [path, title] of Object.entries(OUTSIDE)) {
      await page.goto(consoleAddress(shop.server, environment) + path);
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      expect([path, await page.title()]).toEqual([path, full(title)]);
    }
  });
});

test.each(["production", "staging"] as const)(
  "a browser can install the console of %s",
  async (environment: Environment) => {
    await shop.open("/sign-in", { environment }, async (page) => {
      const devtools = await page.context().newCDPSession(page);
      const { errors, data = "" } = await devtools.send("Page.getAppManifest");
      expect(errors).toEqual([]);
      const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
      expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
      const { name, icons } = JSON.parse(data);
      expect(name).toBe(environment === "staging" ? "Staging · petstore" : "petstore");
      const links = await page
        .locator("link[href]")
        .evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
      const folder = `${consoleAddress(shop.server, environment)}/console/assets/`;
      for (const address of [...links, ...icons.map(({ src }: { src: string }) => folder + src)]) {
        const file = await fetch(new URL(address, folder));
        const kind = address.split(".").at(-1) ?? "";
        expect([address, file.status, file.headers.get("content-type")]).toEqual([address, 200, TYPES[kind]]);
        expect(file.headers.get("cache-control")).toContain("immutable");
      }
      const colors = page.locator("meta[name=theme-color]");
      const [light, dark] = await colors.evaluateAll((all) =>
        all.map((meta) => meta.getAttribute("content")),
      );
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
