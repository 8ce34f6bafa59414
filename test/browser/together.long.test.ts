import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { BrowserSession } from "../wire/browser-session.ts";
import { axe } from "./browser.ts";
import { consoleAddress, expectNoFaults } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// Two people in two browsers change one animal: no change is lost silently.

const shop = shopForTests();
const ada = shop.person();
const eve = shop.person("eve@example.com");

const open = (person: BrowserSession, path: string, steps: (page: Page) => Promise<void>) =>
  shop.open(path, { person, width: 360 }, steps);
const petWith = async (id: number) => JSON.parse((await ada.call(`GET /pets?id=${id}`)).body)[0];

async function addPet(name: string): Promise<number> {
  const { body } = await ada.call("POST /pets", { name, categoryId: 1, status: "available" });
  return JSON.parse(body).id;
}

/** Ada types into the animal's page; Eve changes it on hers. */
async function bothEdit(
  id: number,
  type: (page: Page) => Promise<unknown>,
  change: (page: Page) => Promise<void>,
  then: (page: Page) => Promise<void>,
): Promise<void> {
  await open(ada, `/animals/${id}`, async (page) => {
    await type(page);
    await open(eve, `/animals/${id}`, change);
    await then(page);
  });
}

const save = (page: Page) => page.getByRole("button", { name: /^Save/ }).click();
const saved = (page: Page) => page.getByRole("status").getByText("saved").waitFor();
const conflictOf = (page: Page) => page.getByRole("region", { name: "Changed elsewhere" });

describe("two browsers edit one animal", () => {
  test("different members: the later one is told who changed what, and saves both", async () => {
    const id = await addPet("Rex");
    await bothEdit(
      id,
      (page) => page.getByLabel("Name", { exact: true }).fill("Rex of Ada"),
      async (page) => {
        await page.getByLabel("Status (").selectOption("sold");
        await save(page);
        await saved(page);
      },
      async (page) => {
        await save(page);
        const conflict = conflictOf(page);
        await conflict.getByText("You changed other fields: saving keeps both.").waitFor();
        await conflict.getByRole("listitem").getByText("Status: Available → Sold").waitFor();
        await conflict.getByText("eve@example.com").waitFor();
        expect(await conflict.getByRole("radio").count()).toBe(0);
        expect(await page.getByLabel("Status (").inputValue()).toBe("sold");
        expect((await axe(page)).found).toEqual([]);
        await save(page);
        await saved(page);
      },
    );
    expect(await petWith(id)).toMatchObject({ name: "Rex of Ada", status: "sold" });
  });

  test("the same members: the later one chooses for each", async () => {
    const id = await addPet("Bella");
    await bothEdit(
      id,
      async (page) => {
        await page.getByLabel("Name", { exact: true }).fill("Bella of Ada");
        await page.getByLabel("Status (").selectOption("pending");
      },
      async (page) => {
        await page.getByLabel("Name", { exact: true }).fill("Bella of Eve");
        await page.getByLabel("Status (").selectOption("sold");
        await save(page);
        await saved(page);
      },
      async (page) => {
        await save(page);
        const conflict = conflictOf(page);
        await conflict.getByText("Choose what to keep, then save.").waitFor();
        await expectNoFaults(page);
        const changes = conflict.getByRole("listitem").locator("> span:first-child");
        expect(await changes.allTextContents()).toEqual([
          "Name: Bella → Bella of Eve",
          "Status: Available → Sold",
        ]);
        const mine = conflict.getByRole("radio", { name: "Keep mine: Bella of Ada" });
        expect(await mine.evaluate((radio) => radio === radio.ownerDocument.activeElement)).toBe(true);
        expect((await mine.boundingBox())?.width).toBeLessThan(24);
        expect(await petWith(id)).toMatchObject({ name: "Bella of Eve", status: "sold" });
        await conflict.getByRole("radio", { name: "Take theirs: Bella of Eve" }).check();
        expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Bella of Eve");
        await mine.check();
        expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Bella of Ada");
        await conflict.getByRole("radio", { name: "Take theirs: Sold" }).check();
        await page.getByRole("button", { name: "Save over it" }).waitFor();
        await page.keyboard.press("Enter");
        await saved(page);
        expect(await petWith(id)).toMatchObject({ name: "Bella of Ada", status: "sold" });
        await page.getByLabel("Name", { exact: true }).fill("Bella again");
        await save(page);
        await page.getByRole("status").getByText("Bella again saved").waitFor();
      },
    );
  });

  test("the later one may drop what was typed", async () => {
    const id = await addPet("Otto");
    await bothEdit(
      id,
      (page) => page.getByLabel("Name", { exact: true }).fill("Otto of Ada"),
      async (page) => {
        await page.getByLabel("Name", { exact: true }).fill("Otto of Eve");
        await save(page);
        await saved(page);
      },
      async (page) => {
        await conflictOf(page).getByRole("button", { name: "Show it here, and keep what I typed" }).click();
        await conflictOf(page).getByRole("radio", { name: "Keep mine: Otto of Ada" }).waitFor();
        await conflictOf(page).getByRole("button", { name: "Take theirs, and drop what I typed" }).click();
        for (const name of ["Otto of Eve", "Otto of Eve, reloaded"]) {
          expect([name, await page.getByLabel("Name", { exact: true }).inputValue()]).toEqual([
            name,
            "Otto of Eve",
          ]);
          expect(await conflictOf(page).count()).toBe(0);
          await page.reload();
          await page.getByRole("heading", { level: 1, name: "Otto of Eve" }).waitFor();
        }
      },
    );
    expect((await petWith(id)).name).toBe("Otto of Eve");
  });

  test("one sells it while the other edits: the sale stands, and the name is saved", async () => {
    const id = await addPet("Wanted");
    await bothEdit(
      id,
      (page) => page.getByLabel("Name", { exact: true }).fill("Wanted of Ada"),
      async (page) => {
        await page.getByRole("button", { name: "Sell Wanted" }).click();
        await page.getByRole("button", { name: /^Undo/ }).waitFor();
      },
      async (page) => {
        await save(page);
        await conflictOf(page).getByText("Status: Available → Pending").waitFor();
        await save(page);
        await saved(page);
      },
    );
    expect((await petWith(id)).name).toBe("Wanted of Ada");
    expect((await petWith(id)).status).not.toBe("available");
  });

  test("one removes it while the other edits: that is said, and what was typed stays", async () => {
    const id = await addPet("Going");
    await bothEdit(
      id,
      (page) => page.getByLabel("Name", { exact: true }).fill("Going of Ada"),
      async (page) => {
        await page.getByRole("button", { name: "Remove…" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
        await page.getByRole("heading", { level: 1, name: "Animals" }).waitFor();
      },
      async (page) => {
        await save(page);
        const alert = page.getByRole("alert");
        await alert.getByText("was removed since you opened it. What you typed is still here.").waitFor();
        await alert.getByText("eve@example.com").waitFor();
        expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Going of Ada");
      },
    );
    expect(await petWith(id)).toBeUndefined();
  });
});

test("a draft of what others have changed meanwhile leads to the same choice", async () => {
  const id = await addPet("Drafted");
  await open(ada, `/animals/${id}`, async (page) => {
    await page.getByLabel("Name", { exact: true }).fill("Drafted by Ada");
    await page.goto(`${consoleAddress(shop.server)}/animals`);
    await eve.call(`PATCH /pets/${id}`, { name: "Drafted by Eve" });
    await page.goto(`${consoleAddress(shop.server)}/animals/${id}`);
    await page.getByText("Draft from").waitFor();
    await conflictOf(page).getByText("Name: Drafted → Drafted by Eve").waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Drafted by Ada");
    await page.getByRole("button", { name: "Save over it" }).waitFor();
    await page.getByRole("button", { name: "Discard" }).click();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Drafted by Eve");
    expect(await conflictOf(page).count()).toBe(0);
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Drafted by Eve" }).waitFor();
    expect(await page.getByText("Draft from").count()).toBe(0);
    expect(await conflictOf(page).count()).toBe(0);
  });
});

test("a webhook that was changed meanwhile is not disabled unseen, and its page shows what it is now", async () => {
  const { body } = await ada.call("POST /webhooks", {
    url: "https://one.example.com",
    types: ["pet.created"],
  });
  const { id } = JSON.parse(body);
  await open(ada, `/webhooks/${id}`, async (page) => {
    await page.getByLabel("Animal removed").check();
    await ada.call(`PATCH /webhooks/${id}`, { url: "https://two.example.com" });
    await page.getByRole("button", { name: "Disable" }).click();
    await page.getByRole("alert").getByText("The webhook was not changed. ").waitFor();
    expect(await page.getByLabel("Address").inputValue()).toBe("https://two.example.com");
    await page.getByRole("button", { name: "Disable" }).click();
    await page.getByText("Disabled", { exact: true }).waitFor();
    await ada.call(`PATCH /webhooks/${id}`, { url: "https://three.example.com" });
    await save(page);
    await conflictOf(page)
      .getByText("Address: https://two.example.com → https://three.example.com")
      .waitFor();
    await save(page);
    await saved(page);
  });
  const stored = JSON.parse((await ada.call(`GET /webhooks/${id}`)).body);
  expect(stored).toMatchObject({
    url: "https://three.example.com",
    types: ["pet.created", "pet.deleted"],
    status: "disabled",
  });
});
