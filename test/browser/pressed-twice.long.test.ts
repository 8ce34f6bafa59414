import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { signIn } from "../wire/browser-session.ts";
import { choose, clickTwice, type Environment, pressEnterTwice, stopClock } from "./console-page.ts";
import { settled } from "./console-screens.ts";
import { shopForTests } from "./shop.ts";

// Tests that a button acts only once if it is pressed twice, even if a different button takes its place after the first press.

const shop = shopForTests();
const ada = shop.person();
const eve = shop.person("eve@example.com", "staging");

interface Case {
  /** Prepares the store for one test case. Resolves to the path of the page to open. */
  readonly prepare: () => Promise<string>;
  /** Makes the tested button appear, if the page does not show it from the beginning. */
  readonly open?: (page: Page) => Promise<void>;
  readonly button: (page: Page) => Locator;
  /** By default, the page is one of production's console, opened by Ada. Staging's console is opened by Eve. */
  readonly environment?: Environment;
  /** True if the button stays in its place and ignores presses for a moment. The test stops the page's clock in this moment. */
  readonly stays?: boolean;
  /** The text that the page shows after the button has acted. */
  readonly outcome: string | RegExp;
}

let number = 0;
const made = async (request: string, body?: unknown) => (await ada.call(request, body)).json;
const addPet = async (members: object = {}): Promise<number> =>
  (await made("POST /pets", { name: "Rex", categoryId: ++number, status: "available", ...members })).id;
const inDialog = (page: Page, name: string) =>
  page.getByRole("dialog").getByRole("button", { name, exact: true });
const inBar = (page: Page, name: string | RegExp) =>
  page.getByRole("region", { name: "Selected animals" }).getByRole("button", { name });

const CASES: Readonly<Record<string, Case>> = {
  "Undo of a change in an animal's history": {
    async prepare() {
      const id = await addPet();
      await ada.call(`PATCH /pets/${id}`, { name: "Xer" });
      return `/animals/${id}`;
    },
    button: (page) => page.getByRole("button", { name: /^Undo this change/ }).first(),
    outcome: "Change of Rex undone",
  },
  "Add again of a removed animal": {
    async prepare() {
      const id = await addPet();
      await ada.call(`DELETE /pets/${id}`);
      return `/animals/${id}`;
    },
    button: (page) => page.getByRole("button", { name: "Add again" }),
    outcome: "Rex added",
  },
  "Make available": {
    async prepare() {
      await addPet({ status: "pending" });
      return `/animals?category=${number}`;
    },
    async open(page) {
      await page.getByRole("button", { name: "Sell Rex" }).waitFor();
      await page.getByRole("button", { name: "More for Rex" }).click();
    },
    button: (page) => page.locator("[popover]:popover-open").getByText("Make available"),
    outcome: "Rex is available",
  },
  "Undo of a bulk change": {
    async prepare() {
      await addPet();
      return `/animals?category=${number}`;
    },
    async open(page) {
      await page.getByRole("checkbox", { name: "Select Rex" }).check();
      await inBar(page, "Set status").click();
      await inBar(page, "No status").click();
      await page.locator(".bulk-bar button:not([aria-disabled])", { hasText: "Undo" }).waitFor();
    },
    button: (page) => inBar(page, "Undo"),
    outcome: /^1 animal restored/,
  },
  "Undo import": {
    prepare: async () => "/animals/import",
    async open(page) {
      const buffer = Buffer.from("name,categoryId\nOne,1\nTwo,1\n");
      const file = { name: `animals-${++number}.csv`, mimeType: "text/csv", buffer };
      await page.locator("input[type=file]").setInputFiles(file);
      await page.getByRole("button", { name: "Import 2 animals" }).click();
      await page
        .getByRole("button", { name: /^Undo import of/ })
        .first()
        .click();
    },
    button: (page) => inDialog(page, "Undo import"),
    outcome: /^Import undone: 2 animals removed/,
  },
  "Send again of a webhook's delivery": {
    async prepare() {
      const { id } = await made("POST /webhooks", { url: `https://hooks.example.com/${++number}` });
      await ada.call(`POST /webhooks/${id}/test`);
      return `/webhooks/${id}`;
    },
    open: (page) =>
      page
        .getByRole("button", { name: /^Attempts/ })
        .first()
        .click(),
    button: (page) => inDialog(page, "Send again"),
    outcome: "Queued to be sent again",
  },
  "Send a test of a webhook": {
    prepare: async () =>
      `/webhooks/${(await made("POST /webhooks", { url: `https://hooks.example.com/${++number}` })).id}`,
    button: (page) => page.getByRole("button", { name: "Send a test" }),
    stays: true,
    outcome: "Test queued",
  },
  "Sign out of a device, with another one below": {
    async prepare() {
      for (const _ of [1, 2]) await signIn(shop.server, "ada@example.com");
      return "/account";
    },
    button: (page) => page.getByRole("button", { name: /^Sign out on/ }).first(),
    outcome: "Signed out",
  },
  "+1 day of the test clock": {
    environment: "staging",
    async prepare() {
      await eve.call("PUT /test/clock", { now: "2030-12-05T00:00:00Z" });
      return "/rehearsal";
    },
    button: (page) => page.getByRole("button", { name: "+1 day" }),
    stays: true,
    outcome: "The test clock is set",
  },
  "Use real time": {
    environment: "staging",
    async prepare() {
      await eve.call("PUT /test/clock", { now: "2030-12-05T00:00:00Z" });
      return "/rehearsal";
    },
    button: (page) => page.getByRole("button", { name: "Use real time" }),
    outcome: "The test clock shows the real time",
  },
  "Save of a webhook that is to be disabled": {
    prepare: async () =>
      `/webhooks/${(await made("POST /webhooks", { url: `https://hooks.example.com/${++number}` })).id}`,
    async open(page) {
      await page.getByRole("button", { name: /^More for webhook/ }).click();
      await page.locator("[popover]:popover-open").getByText("Edit…").click();
      await page.getByRole("dialog").getByLabel("Status").selectOption("disabled");
    },
    button: (page) => inDialog(page, "Save changes"),
    outcome: "The webhook saved",
  },
  "Cancel invitation, with another one below": {
    async prepare() {
      for (const one of [1, 2])
        await made("POST /invitations", { email: `${++number}-${one}@example.com`, role: "staff" });
      return "/people";
    },
    button: (page) => page.getByRole("button", { name: /^Cancel invitation/ }).first(),
    outcome: /^Invitation of .* cancelled$/,
  },
  "Revoke of a key, with another one below": {
    async prepare() {
      for (const name of ["one", "two"]) await made("POST /keys", { name: `${name} ${++number}` });
      return "/keys";
    },
    open: (page) => choose(page, `two ${number}`, "Revoke…"),
    button: (page) => inDialog(page, "Revoke key"),
    outcome: /revoked$/,
  },
};

interface Press {
  readonly press: (page: Page, button: Locator, hasActed: () => Promise<void>) => Promise<void>;
}

const PRESSES: Readonly<Record<string, Press["press"]>> = {
  "a double click": (_, button) => button.dblclick(),
  "a double click whose first click has already acted": (_, button, hasActed) => clickTwice(button, hasActed),
  "Enter twice": (_, button) => pressEnterTwice(button),
  async "Enter held down"(page, button, hasActed) {
    await button.focus();
    // Pressing a key that is already down imitates the repetition of a held key.
    for (let repeat = 0; repeat < 5; repeat++) await page.keyboard.down("Enter");
    await hasActed();
    for (let repeat = 0; repeat < 5; repeat++) await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
  },
};

for (const [name, { prepare, open, button, environment, stays, outcome }] of Object.entries(CASES))
  test.each(Object.entries(PRESSES))(`${name} acts once: %s`, async (_, press) => {
    const options = environment === "staging" ? { person: eve, environment } : { person: ada };
    await shop.open(await prepare(), options, async (page, { requests }) => {
      await open?.(page);
      await button(page).waitFor();
      // Whatever is still loading may move the button. For example, a dialog grows when its content arrives.
      await settled(page);
      // Only the first call waits for the text, because a toast disappears after some seconds.
      let said: Promise<void> | undefined;
      const hasSaid = () => (said ??= page.getByText(outcome).first().waitFor());
      const isInert = () => button(page).and(page.locator("[aria-disabled=true]:not(:disabled)")).waitFor();
      if (stays) await stopClock(page);
      const before = requests.length;
      await press(page, button(page), stays ? isInert : hasSaid);
      if (stays) {
        await isInert();
        await page.clock.resume();
      }
      await hasSaid();
      const changes = requests.slice(before).filter((request) => !request.startsWith("GET "));
      expect(changes).toHaveLength(1);
    });
  });
