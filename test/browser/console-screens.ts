import type { Browser, Locator, Page } from "playwright-core";
import type { Role } from "../../src/contract/operation.ts";
import { type BrowserSession, openBrowserSession, PASSWORD } from "../wire/browser-session.ts";
import type { Server } from "../wire/server.ts";
import { consoleAddress, type Environment, signUpPerson, withConsolePage } from "./console-page.ts";
import { addDevice } from "./passkey-device.ts";

// Visits every screen of the console, and opens all dialogs and lists of its forms, buttons and comboboxes.

const WEB = Bun.fileURLToPath(new URL("../../src/console/web/", import.meta.url));

export interface Shop {
  readonly server: Server;
  readonly environment: Environment;
}

/**
 * Returns the paths of all the console's screens. For a screen that shows a single record, such as an animal, the path of one
 * example is returned.
 */
export async function screenPaths(): Promise<{ inside: readonly string[]; outside: readonly string[] }> {
  const source = await Bun.file(`${WEB}app.tsx`).text();
  const named = [...source.matchAll(/"(\/[a-z/-]*)"/g)].map(([, path = ""]) => path);
  const kinds = /\^\\\/\(([a-z|]+)\)\\\/\(\[/.exec(source)?.[1] ?? "";
  const paths = [...new Set([...named, ...kinds.split("|").map((kind) => `/${kind}/1`)])];
  const isOutside = (path: string) => /^\/(sign-in|sign-up|invitation|reset-password)$/.test(path);
  return { inside: paths.filter((path) => !isOutside(path)), outside: paths.filter(isOutside) };
}

export async function countDialogs(): Promise<number> {
  const files = [...new Bun.Glob("**/*.tsx").scanSync(WEB)].filter(
    // Three dialogs have separate tests: Find, Rehearsal, and undoing an import. The dialog for editing an animal is not counted,
    // because it has the same name as the dialog for editing a category.
    (file) => !/components\/.*dialog|^(find|rehearsal)\/|undo-import|pet-page/.test(file),
  );
  const sources = await Promise.all(files.map((file) => Bun.file(WEB + file).text()));
  const dialogs =
    /<((?:Form|Copy|Delete|Remove|Edit|Loading)?Dialog)\b(?:<[^>]*>)?[^>]*?\s(?:title|kind)=(.*)/g;
  return new Set([...sources.join("").matchAll(dialogs)].map(([, ...dialog]) => dialog.join(" "))).size;
}

/**
 * Fills the store with a few animals, categories, orders, keys, messages and webhooks, and creates an owner, a member of staff and
 * a viewer.
 */
export async function fillShop({ server, environment }: Shop): Promise<Record<Role, BrowserSession>> {
  const owner = await signUpPerson(server, environment);
  for (const name of ["Cats", "Dogs"]) await owner.call("POST /categories", { name, description: "Furry." });
  for (const [index, name] of ["Fluffy", "Rex", "Bella", "Captain Whiskers"].entries()) {
    const status = ["available", "pending", "sold", "available"][index];
    await owner.call("POST /pets", { name, categoryId: (index % 2) + 1, status });
  }
  await owner.call("POST /store/orders", { petId: 1, shipDate: "2030-01-01T12:00:00Z" });
  await owner.call("POST /messages", { message: "Fluffy is ready." });
  await owner.call("POST /keys", { name: "till", expiresAt: "2100-01-01T00:00:00Z" });
  await owner.call("POST /webhooks", { url: "https://hooks.example.com/petstore" });
  await owner.call("POST /invitations", { email: "later@example.com", role: "staff" });
  return { owner, staff: await invite("staff"), viewer: await invite("viewer") };

  async function invite(role: Role): Promise<BrowserSession> {
    const person = openBrowserSession(server, environment);
    const email = `${role}@example.com`;
    const { link } = (await owner.call("POST /invitations", { email, role })).json;
    await person.call("POST /invitation/accept", { token: link.split("#")[1], email, password: PASSWORD });
    return person;
  }
}

/** A check of the screen or dialog that the page shows. `where` is the name of the screen or dialog, such as `/keys: Revoke`. */
type Check = (page: Page, where: string) => Promise<void>;

/** Waits until everything on the page is loaded and laid out. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(`new Promise((done) => {
    const isBusy = () => document.querySelector("[aria-busy=true], .loading") !== null;
    const look = (calm) => requestAnimationFrame(() => (calm === 0 ? done() : look(isBusy() ? 2 : calm - 1)));
    look(2);
  })`);
}

/** Opens each screen of the console as a signed-in person, and runs the check on it. */
export async function visitScreens(
  browser: Browser,
  shop: Shop,
  person: BrowserSession | undefined,
  paths: readonly string[],
  check: Check,
): Promise<void> {
  const { server, environment } = shop;
  await withConsolePage(browser, server, "/sign-in", { environment, person }, async (page) => {
    for (const path of paths) {
      await openScreen(page, shop, path);
      await check(page, path);
    }
  });
}

async function openScreen(page: Page, { server, environment }: Shop, path: string): Promise<void> {
  await page.goto(consoleAddress(server, environment) + path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await settled(page);
}

/** Buttons that sign the person out. The test does not press them, because it could not open any other screen afterwards. */
const LEAVING = /^Sign out/;
const SELECT_ALL = "main thead input[type=checkbox]";
const OPENERS = "main button[type=button]:visible, main summary:visible";
const ITEMS = "[popover]:popover-open button";
const DIALOG_FORM = "dialog[open] form:not(:has(.danger))";
const OPENED = "dialog[open], [popover]:popover-open, [aria-expanded=true], details[open]";
const FILLABLE = "input:not([type=checkbox], [type=radio], [type=file], [role=combobox]), textarea";
/**
 * The texts that the test types into form fields, keyed by the type of the field. Fields of other types get a text that is valid
 * both as a name and as an address.
 */
const TYPED: Readonly<Record<string, string>> = { email: "nobody@example.com", password: PASSWORD };
const TEXT = "https://hooks.example.com/";

/**
 * Submits every form on the console's screens and in their dialogs, first empty and then filled in. Also opens everything that a
 * button, a menu or a combobox opens. Returns the titles of the dialogs.
 */
export async function visitOpened(
  browser: Browser,
  shop: Shop,
  person: BrowserSession,
  paths: readonly string[],
  check: Check,
): Promise<readonly string[]> {
  const dialogs = new Set<string>();
  await visitScreens(browser, shop, person, paths, async (page, path) => {
    if (path === paths[0]) await addDevice(page);
    const pressed = new Set<string>();
    for (const isSelecting of [false, true]) await pressButtons(page, path, isSelecting, pressed);
    // A submitted form can add new buttons to the page, for example one for each passkey. They are pressed afterwards.
    await submitForms(page, path);
    await pressButtons(page, path, false, pressed);
    await openScreen(page, shop, path);
    for (const combobox of await page.locator("main input[role=combobox]:visible").all()) {
      await combobox.press("ArrowDown");
      await show(page, `${path}: ${await combobox.getAttribute("id")}`);
    }
  });
  return [...dialogs];

  async function pressButtons(page: Page, path: string, isSelecting: boolean, pressed: Set<string>) {
    const arrange = async () => {
      await openScreen(page, shop, path);
      if (!isSelecting) return;
      await page.locator(SELECT_ALL).check();
      // The code of the bar for selected animals is loaded only when the first animal is selected.
      await page.getByRole("region", { name: "Selected animals" }).waitFor();
    };
    if (isSelecting && (await page.locator(SELECT_ALL).count()) === 0) return;
    await arrange();
    const where = isSelecting ? `${path}: all selected` : path;
    if (isSelecting) await check(page, where);
    for (const text of new Set(await page.locator(OPENERS).allTextContents())) {
      if (LEAVING.test(text) || pressed.has(text)) continue;
      pressed.add(text);
      await arrange();
      const index = (await page.locator(OPENERS).allTextContents()).lastIndexOf(text);
      if (index === -1) continue;
      const open = () => page.locator(OPENERS).nth(index).click();
      await open();
      const items = await page.locator(ITEMS).allTextContents();
      await showWithForm(`${where}: ${text}`, open);
      for (const item of items) {
        const choose = async () => {
          await open();
          await page.locator(ITEMS).getByText(item, { exact: true }).click();
        };
        await arrange();
        await choose();
        await showWithForm(`${where}: ${item}`, choose);
      }
    }

    /**
     * Checks the dialog or list that was opened. If it contains a form, also submits the form twice, empty and filled in, and
     * checks the results.
     */
    async function showWithForm(opened: string, open: () => Promise<void>) {
      await show(page, opened);
      for (const isFilled of [false, true]) {
        const form = page.locator(DIALOG_FORM);
        if ((await form.count()) === 0) continue;
        if (isFilled) await fill(form);
        await form.locator("[type=submit]").click();
        await show(page, `${opened}, ${isFilled ? "filled" : "as it is"}`);
        if (isFilled) continue;
        await arrange();
        await open();
        await settled(page);
      }
    }
  }

  async function submitForms(page: Page, path: string): Promise<void> {
    const forms = await page.locator("main form").count();
    for (let index = 0; index < 2 * forms; index++) {
      await openScreen(page, shop, path);
      const form = page.locator("main form").nth(index >> 1);
      const isFilled = index % 2 === 1;
      if (isFilled) await fill(form);
      const submit = form.locator("[type=submit]:visible");
      if ((await submit.count()) === 0) continue;
      await submit.first().click();
      await settled(page);
      if (isFilled) await show(page, `${path}: form ${index >> 1}`);
      else await check(page, `${path}: form ${index >> 1} as it is`);
    }
  }

  async function show(page: Page, where: string): Promise<void> {
    await settled(page);
    if ((await page.locator(OPENED).count()) === 0) return;
    for (const dialog of await page.locator("dialog[open] article").all()) {
      const title = await dialog.locator("h2").textContent();
      // The dialogs of an animal and of a category can have the same title. The first two words of the dialog's text tell them
      // apart.
      const texts = await dialog.locator("> p").allTextContents();
      dialogs.add([title, ...(texts[0] ?? "").split(" ", 2)].join(" "));
    }
    await check(page, where);
  }
}

async function fill(form: Locator): Promise<void> {
  for (const field of await form.locator(FILLABLE).all()) {
    if (!(await field.isVisible()) || (await field.inputValue()) !== "") continue;
    const type = (await field.getAttribute("type")) ?? "text";
    if (!["date", "datetime-local", "number"].includes(type)) await field.fill(TYPED[type] ?? TEXT);
  }
  for (const choice of await form.locator("fieldset input[type=checkbox]").all()) await choice.check();
}
