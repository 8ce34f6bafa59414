import { describe, expect, test } from "bun:test";
import { openBrowserSession, PASSWORD } from "../wire/browser-session.ts";
import { startProcess } from "../wire/process.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";
import { OLDER_BROWSER } from "./browser.ts";
import { dialogLoaded, hold, row, signInOn, signUpPerson, withConsolePage } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

const shop = shopForTests();
const ada = shop.person();

const { open } = shop;

describe("signing in", () => {
  test("a wrong password shows the server's message and keeps the typed address", async () => {
    await open("/sign-in", {}, async (page) => {
      await signInOn(page, "ada@example.com", "not the password");
      await page.getByRole("alert").getByText("The email address or the password is wrong.").waitFor();
      expect(await page.getByLabel("Email").inputValue()).toBe("ada@example.com");
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    });
  });

  test("a common password is refused, with the reason at its field", async () => {
    await open("/sign-up", {}, async (page) => {
      await page.getByLabel("Email").fill("grace@example.com");
      await page.getByLabel("Password", { exact: true }).fill("password1");
      await page.getByRole("button", { name: "Create account" }).click();
      await page.getByText("is too easy to guess").first().waitFor();
      const field = page.getByLabel("Password", { exact: true });
      expect(await field.getAttribute("aria-invalid")).toBe("true");
      expect(await field.getAttribute("id")).toBe(await page.evaluate("document.activeElement.id"));
    });
  });

  test("a bookmark leads through the sign-in page to its own page", async () => {
    await open("/animals?status=sold", {}, async (page) => {
      await signInOn(page, "ada@example.com");
      await page.getByRole("heading", { level: 1, name: "Animals" }).waitFor();
      expect(new URL(page.url()).search).toBe("?status=sold");
    });
  });

  test("a link to the sign-in page leads to no other site", async () => {
    await open("/sign-in?next=/%09/example.com/animals", {}, async (page) => {
      await signInOn(page, "ada@example.com");
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    });
  });
});

describe("animals", () => {
  const CATEGORIES = ["9007199254740993", "-9223372036854775808", "9223372036854775807"];
  test.each([
    ["", {}],
    [", in a browser that has no exact numbers of its own", { before: OLDER_BROWSER }],
  ])("adding, listing, editing and filtering keep every digit of a 64-bit category%s", async (_, options) => {
    for (const categoryId of CATEGORIES) {
      const name = `Exact ${categoryId}${"before" in options ? " again" : ""}`;
      await open("/animals/new", { person: ada, ...options }, async (page) => {
        await page.getByLabel("Name").fill(name);
        await page.getByLabel("Category").fill(categoryId);
        await page.getByRole("button", { name: "Add animal" }).click();
        await page.getByRole("link", { name }).click();
        await page.getByRole("heading", { level: 1, name }).waitFor();
        await page.getByRole("button", { name: "Edit", exact: true }).click();
        expect(await page.getByLabel("Category").inputValue()).toBe(`Category ${categoryId}`);
        await page.getByLabel("Status").selectOption("pending");
        await page.getByRole("button", { name: "Save changes" }).click();
        await page.getByRole("status").getByText(`${name} saved`).waitFor();
        await page.goto(`${new URL(page.url()).origin}/animals?category=${categoryId}`);
        await row(page, name).getByText(`Category ${categoryId} · add a name`, { exact: true }).waitFor();
      });
      const stored = (await ada.call(`GET /pets?categoryId=${categoryId}`)).body;
      expect(stored).toContain(`"name":"${name}","categoryId":${categoryId},"status":"pending"`);
    }
  });
});

test("a dialog whose button has disappeared gives the focus to the heading when it closes", async () => {
  await open("/messages", { person: await signUpPerson(shop.server) }, async (page) => {
    const release = await hold(page, /console\/api\/keys/);
    await page.goto(new URL("/keys", page.url()).href);
    await page.getByRole("button", { name: "New key" }).click();
    await dialogLoaded(page);
    release();
    await page.getByText("No keys yet.").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
    await page.locator("h1:focus").waitFor();
  });
});

test("an API key is created with an access level and an expiry", async () => {
  await open("/keys", { person: ada }, async (page) => {
    // While the list loads, the same button is above the list.
    await page.getByText("No keys yet.").waitFor();
    await page.getByRole("button", { name: "New key" }).click();
    await dialogLoaded(page);
    await page.keyboard.type("price display");
    await page.getByLabel("Access").selectOption("read");
    await page.getByLabel("Expires").fill("2099-12-24");
    await page.getByRole("button", { name: "Generate key" }).click();
    await page.getByRole("button", { name: "I have copied the key" }).click();
    await row(page, "price display").waitFor();
    // The button that opened the dialog has disappeared, because the list is no longer empty. Therefore, the page's heading gets
    // the focus.
    await page.locator("h1:focus", { hasText: "API keys" }).waitFor();
  });
  const [key] = await ada.read("/keys");
  expect(key).toMatchObject({ name: "price display", access: "read" });
  expect(new Date(key.expiresAt)).toEqual(new Date("2099-12-24T00:00"));
});

describe("the account", () => {
  async function signInTwice() {
    const person = await signUpPerson(shop.server);
    const { account } = await person.read("/session");
    const other = openBrowserSession(shop.server);
    await other.call("POST /session", { email: account.email, password: PASSWORD });
    return { person, other };
  }

  test("signs out other browsers when its password changes", async () => {
    const { person, other } = await signInTwice();
    await open("/account", { person }, async (page) => {
      await page.getByLabel("Current password").fill("not the password");
      await page.getByLabel("New password").fill("eight calm herons");
      await page.getByRole("button", { name: "Change password" }).click();
      await page.getByText("is not this account's password").first().waitFor();
      await page.getByLabel("Current password").fill(PASSWORD);
      await page.getByRole("button", { name: "Change password" }).click();
      await page.getByRole("status").getByText("Password changed").waitFor();
    });
    expect((await other.call("GET /pets")).status).toBe(401);
    expect((await person.call("GET /pets")).status).toBe(200);
  });

  test("lists its other sessions, which can be ended", async () => {
    const { person, other } = await signInTwice();
    await open("/account", { person }, async (page) => {
      await page.getByRole("button", { name: /Sign out on/ }).click();
      await page.getByRole("status").getByText("Signed out").waitFor();
    });
    expect((await other.call("GET /pets")).status).toBe(401);
  });

  test("signing out leads to the sign-in page, and Back shows nothing", async () => {
    const person = await signUpPerson(shop.server);
    await open("/animals", { person }, async (page) => {
      await page.getByRole("link", { name: "Account" }).click();
      await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
      await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
      await page.goBack();
      await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    });
    expect((await person.call("GET /pets")).status).toBe(401);
  });

  test("can be deleted with its password, which ends its sessions", async () => {
    const person = await signUpPerson(shop.server);
    await open("/account", { person }, async (page) => {
      const form = page.locator("details");
      await form.getByText("Delete account").first().click();
      await form.getByLabel("Password", { exact: true }).fill("not the password");
      await form.getByRole("button", { name: "Delete account" }).click();
      await form.getByText("is not this account's password").first().waitFor();
      await form.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await form.getByRole("button", { name: "Delete account" }).click();
      await page.getByRole("heading", { level: 1, name: /Sign in|Create/ }).waitFor();
    });
    expect((await person.call("GET /pets")).status).toBe(401);
  });
});

test("when the server is killed, the open form says so, keeps its input, and saves after the restart", async () => {
  const store = await freshEmbeddedStore();
  const first = await startProcess({ store });
  const person = await signUpPerson(first);
  const { port } = new URL(first.production);
  await withConsolePage(
    shop.browser,
    first,
    "/animals/new",
    { person, expected: /^failed:|ERR_/ },
    async (page) => {
      await page.getByLabel("Name").fill("Survivor");
      await page.getByLabel("Category").fill("9007199254740993");
      // The code of the category search comes from the server, too.
      await page.getByRole("option", { name: "9007199254740993" }).waitFor();
      await first.kill();
      await page.getByRole("button", { name: "Add animal" }).click();
      const alert = page.getByRole("alert");
      await alert.getByText("Your text is kept.").waitFor();
      expect(await page.getByLabel("Name").inputValue()).toBe("Survivor");

      const second = await startProcess({ store, env: { PETSTORE_PRODUCTION_PORT: port } });
      await page.getByRole("button", { name: "Add animal" }).click();
      await page.getByRole("status").getByText("Survivor added").waitFor();
      const pets = (await openBrowserSession(second, "production", person.cookie()).call("GET /pets")).body;
      expect(pets.replace(/,"etag":[^}]+/, "")).toBe(
        '[{"id":1,"name":"Survivor","categoryId":9007199254740993,"status":"available"}]',
      );
      await second.stop();
    },
  );
});
