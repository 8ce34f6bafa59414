import { describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { signIn } from "../wire/browser-session.ts";
import { axe } from "./browser.ts";
import { choose, consoleAddress, expectNoFaults } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// Tests what happens if two people, or two windows of one person, do something at the same time. No change is lost silently.

const shop = shopForTests();
const ada = shop.person();
const eve = shop.person("eve@example.com");

const open = (path: string, steps: (page: Page) => Promise<void>) =>
  shop.open(path, { person: ada, width: 360 }, steps);
const petWith = async (id: number) => (await ada.read(`/pets?id=${id}`))[0];

/**
 * Ada types into the form of an animal while Eve changes or removes that animal. If Ada's page receives no live events, Ada learns
 * of the change only when she saves.
 */
async function bothEdit(
  id: number,
  hasStream: boolean,
  type: (page: Page) => Promise<unknown>,
  change: object | undefined,
  then: (page: Page, conflict: Locator) => Promise<void>,
): Promise<void> {
  await open(`/animals/${id}`, async (page) => {
    if (!hasStream) await page.route(/events\?after=/, () => {});
    await page.reload();
    await edit(page);
    await type(page);
    await eve.call(`${change === undefined ? "DELETE" : "PATCH"} /pets/${id}`, change);
    await then(page, conflictOf(page));
  });
}

const edit = (page: Page) => page.getByRole("button", { name: "Edit", exact: true }).click();
const name = (page: Page) => page.getByLabel("Name", { exact: true });
const status = (page: Page) => page.getByLabel("Status (");
const save = (page: Page) => page.getByRole("button", { name: "Save changes" }).click();
const saved = (page: Page) => page.getByRole("status").getByText("saved").waitFor();
const conflictOf = (page: Page) => page.getByRole("region", { name: "Changed while you were editing" });

describe.each([
  ["while the form is open", true],
  ["when it is saved", false],
])("two browsers edit one animal, which is noticed %s", (_, hasStream) => {
  test("if they change different members, both changes are kept without a question", async () => {
    const id = await ada.pet({ name: "Rex" });
    await bothEdit(
      id,
      hasStream,
      (page) => name(page).fill("Rex of Ada"),
      { status: "pending" },
      async (page, conflict) => {
        if (hasStream) {
          await conflict.getByRole("listitem").getByText("Status: Available → Pending").waitFor();
          await conflict.getByText(/eve@example.com, (now|\d+ sec)/).waitFor();
          expect(await name(page).inputValue()).toBe("Rex of Ada");
          expect(await status(page).inputValue()).toBe("pending");
          expect(await conflict.getByRole("button").count()).toBe(0);
          expect((await axe(page, "dialog[open]")).found).toEqual([]);
        }
        await save(page);
        await saved(page);
        await page.getByRole("dialog").waitFor({ state: "detached" });
        expect(await page.locator(":focus").textContent()).toBe("Edit");
      },
    );
    expect(await petWith(id)).toMatchObject({ name: "Rex of Ada", status: "pending" });
  });

  test("if they change the same members, the later person chooses a value for each before anything is overwritten", async () => {
    const id = await ada.pet({ name: "Bella" });
    await bothEdit(
      id,
      hasStream,
      async (page) => {
        await name(page).fill("Bella of Ada");
        await status(page).selectOption("pending");
      },
      { name: "Bella of Eve", status: null },
      async (page, conflict) => {
        if (hasStream) await conflict.waitFor();
        await save(page);
        await page.getByText("Name was also changed by somebody else: choose which value to keep").waitFor();
        await expectNoFaults(page);
        expect(await page.locator(":focus").inputValue()).toBe("Bella of Ada");
        const changes = conflict.getByRole("listitem").locator("> span:first-child");
        expect(await changes.allTextContents()).toEqual([
          "Name: Bella → Bella of Eve",
          "Status: Available → No status",
        ]);
        await page.keyboard.press("Enter");
        expect(await petWith(id)).toMatchObject({ name: "Bella of Eve" });
        await conflict.getByRole("radio", { name: "Keep theirs: No status" }).check();
        expect(await status(page).inputValue()).toBe("");
        await conflict.getByRole("radio", { name: "Keep yours: Pending" }).check();
        expect(await status(page).inputValue()).toBe("pending");
        await conflict.getByRole("radio", { name: "Keep theirs: No status" }).check();
        await conflict.getByRole("radio", { name: "Keep yours: Bella of Ada" }).check();
        await expectNoFaults(page);
        await save(page);
        await saved(page);
      },
    );
    const kept = await petWith(id);
    expect([kept.name, kept.status]).toEqual(["Bella of Ada", undefined]);
  });

  test("if one removes it, the other page says so and keeps the typed input", async () => {
    const id = await ada.pet({ name: "Going" });
    await bothEdit(
      id,
      hasStream,
      (page) => name(page).fill("Going of Ada"),
      undefined,
      async (page, conflict) => {
        if (!hasStream) await save(page);
        await conflict
          .getByText("Somebody removed this animal while you were editing. Your text is kept.")
          .waitFor();
        await conflict.getByText("eve@example.com").waitFor();
        expect(await name(page).inputValue()).toBe("Going of Ada");
      },
    );
    expect(await petWith(id)).toBeUndefined();
  });
});

test("a restored draft of an animal that others have changed leads to the same choice", async () => {
  const id = await ada.pet({ name: "Drafted" });
  await open(`/animals/${id}`, async (page) => {
    await edit(page);
    await name(page).fill("Drafted by Ada");
    await page.goto(`${consoleAddress(shop.server)}/animals`);
    await eve.call(`PATCH /pets/${id}`, { name: "Drafted by Eve" });
    await page.goto(`${consoleAddress(shop.server)}/animals/${id}`);
    await conflictOf(page).getByText("Name: Drafted → Drafted by Eve").waitFor();
    expect(await name(page).inputValue()).toBe("Drafted by Ada");
    await save(page);
    await page.getByText("Name was also changed by somebody else").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Drafted by Eve" }).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    await edit(page);
    expect(await name(page).inputValue()).toBe("Drafted by Eve");
  });
  expect((await petWith(id)).name).toBe("Drafted by Eve");
});

test("disabling a webhook keeps the members that others have changed at the same time", async () => {
  const hook = { url: "https://one.example.com", types: ["pet.created"] };
  const { id } = (await ada.call("POST /webhooks", hook)).json;
  await open(`/webhooks/${id}`, async (page) => {
    await choose(page, `webhook ${id}`, "Edit…");
    await page.getByLabel("Status", { exact: true }).selectOption("disabled");
    await page.getByLabel("Animal removed").check();
    await ada.call(`PATCH /webhooks/${id}`, { url: "https://two.example.com" });
    await save(page);
    await saved(page);
    await page.getByText("Disabled", { exact: true }).waitFor();
  });
  const stored = await ada.read(`/webhooks/${id}`);
  expect(stored).toMatchObject({
    url: "https://two.example.com",
    types: ["pet.created", "pet.deleted"],
    status: "disabled",
  });
});

test.each<[what: string, prepare: () => Promise<Ended>]>([
  ["a session", endedSession],
  ["an invitation", endedInvitation],
  ["an order", endedOrder],
])("ending %s that another window has already ended succeeds", async (_, prepare) => {
  const { path, press, end, outcome } = await prepare();
  await open(path, async (page) => {
    await page.route("**/console/api/**", async (route) => {
      // The other window is a moment ahead of this window's request.
      if (route.request().method() === "DELETE") await end();
      await route.continue();
    });
    await press(page);
    await page.getByRole("status").getByText(outcome).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });
});

interface Ended {
  readonly path: string;
  readonly press: (page: Page) => Promise<void>;
  readonly end: () => Promise<unknown>;
  readonly outcome: string;
}

async function endedSession(): Promise<Ended> {
  await signIn(shop.server, "ada@example.com");
  const sessions: { id: string; isCurrent: boolean }[] = await ada.read("/account/sessions");
  const other = sessions.find(({ isCurrent }) => !isCurrent);
  return {
    path: "/account",
    press: (page) => page.getByRole("button", { name: /^Sign out on/ }).click(),
    end: () => ada.call(`DELETE /account/sessions/${other?.id}`),
    outcome: "Signed out",
  };
}

async function endedInvitation(): Promise<Ended> {
  const invitation = { email: "twice@example.com", role: "staff" };
  const { id } = (await ada.call("POST /invitations", invitation)).json;
  return {
    path: "/people",
    press: (page) => page.getByRole("button", { name: "Cancel invitation of twice@example.com" }).click(),
    end: () => ada.call(`DELETE /invitations/${id}`),
    outcome: "Invitation of twice@example.com cancelled",
  };
}

async function endedOrder(): Promise<Ended> {
  const petId = await ada.pet({ name: "Ordered" });
  const { id } = (await ada.call("POST /store/orders", { petId })).json;
  return {
    path: `/orders?for=${petId}`,
    async press(page) {
      await choose(page, "the order of Ordered", "Cancel order…");
      await page.getByRole("button", { name: "Cancel order", exact: true }).click();
    },
    end: () => ada.call(`DELETE /store/orders/${id}`),
    outcome: `Order ${id} cancelled`,
  };
}
