import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { send } from "../wire/send.ts";
import { expectNoFaults, heading } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// Tests how the console's pages show changes and who made them.

const shop = shopForTests();
const ada = shop.person();

const made = async (request: string, body?: unknown) => (await ada.call(request, body)).json;
const lines = (page: Page, heading: string) =>
  page.getByRole("region", { name: heading }).getByRole("listitem");
/** Returns the lines of an animal's history without their times, such as `Sold Rex, you`. */
const linesOf = async (page: Page, heading: string) => {
  await lines(page, heading).first().waitFor();
  const texts = await lines(page, heading).allInnerTexts();
  return texts.map((text) =>
    text
      .replace(/,[^,]*$/, "")
      .replace("\n", ", ")
      .replace(/[\u2068\u2069]/g, ""),
  );
};

test("an animal's page has its history in words, and older changes on request; the overview has the latest changes", async () => {
  const { token } = await made("POST /keys", { name: "till" });
  const { id } = await made("POST /pets", { name: "Rex", categoryId: 1 });
  const key = (method: string, path: string, body: unknown) =>
    send(method, shop.server.production + path, { key: token, body: JSON.stringify(body) });
  await key("PATCH", `/pets/${id}`, { status: "available" });
  const { id: orderId } = await made("POST /store/orders", { petId: id });
  await ada.call(`POST /store/orders/${orderId}/complete`);
  await ada.call(`PATCH /pets/${id}`, { name: "Max", categoryId: 2 });
  const told = [
    "Renamed Rex → Max, moved to Category 2, you",
    "Sold, you",
    "Set to Available, the key “till”",
    "Added, you",
  ];

  await shop.open(`/animals/${id}`, { person: ada, width: 360 }, async (page) => {
    await page.getByText("Set to Available").waitFor();
    expect(await linesOf(page, "History")).toEqual(told);
    const time = lines(page, "History").first().locator("time");
    expect(await time.getAttribute("title")).toContain("(20");
    await expectNoFaults(page);

    for (let round = 0; round < 40; round++)
      await ada.call(`PATCH /pets/${id}`, { name: round % 2 ? "Max" : "Moritz" });
    await page.reload();
    expect(await linesOf(page, "History")).toHaveLength(40);
    await page.getByRole("button", { name: "Show older" }).click();
    await page.getByText("Set to Available").waitFor();
    expect((await linesOf(page, "History")).slice(40)).toEqual(told);
    expect(await page.getByRole("button", { name: "Show older" }).count()).toBe(0);

    await lines(page, "History").getByRole("link", { name: "Sold" }).click();
    await heading(page, `Orders for animal ${id}`);
  });

  const turned = { name: "Rex\u202egnp.exe", categoryId: 1, status: "available" };
  const { id: other } = await made("POST /pets", turned);
  const undone = await made("POST /store/orders", { petId: other });
  await ada.call(`DELETE /store/orders/${undone.id}`);
  const ordered = await key("POST", "/store/orders", { petId: other });
  await ada.call(`POST /store/orders/${ordered.json.id}/complete`);
  await shop.open(`/animals/${other}`, { person: ada }, async (page) => {
    await heading(page, "Rex«U+202E»gnp.exe");
    const words = ["Sold, you", "Ordered, the key “till”", "Order cancelled, you", "Added, you"];
    expect(await linesOf(page, "History")).toEqual(words);
  });

  await ada.call(`PATCH /pets/${id}`, { name: "أرنب" });
  await ada.call(`DELETE /pets/${id}`);
  await shop.open("/", { person: ada }, async (page) => {
    expect((await linesOf(page, "Latest changes")).slice(0, 3)).toEqual([
      ...["Removed أرنب, you", "Renamed أرنب from Max, you", "Sold Rex«U+202E»gnp.exe, you"],
    ]);
  });
});

test("Undo gives an animal the values before a change, and a removed animal can be added again", async () => {
  const { id } = await made("POST /pets", { name: "Rex", categoryId: 1, status: "available" });
  await ada.call(`PATCH /pets/${id}`, { name: "Xer", externalId: "R-17" });
  await shop.open(`/animals/${id}`, { person: ada, width: 360 }, async (page) => {
    const renamed = lines(page, "History").filter({ hasText: /[Rr]enamed .Rex/u });
    await renamed.getByRole("button", { name: /^Undo/ }).click();
    await page.getByText("Change of Rex undone").waitFor();
    await heading(page, "Rex");
    await renamed.getByRole("button").waitFor({ state: "detached" });
    expect((await ada.read(`/pets?id=${id}`))[0]).not.toHaveProperty("externalId");
    await expectNoFaults(page);
    await ada.call(`DELETE /pets/${id}`);
    await page.getByText(/Rex.? was removed/u).waitFor();
    await page.getByText("By you,").waitFor();
    await expectNoFaults(page);
    await page.getByRole("button", { name: "Add again" }).dblclick();
    await heading(page, "Rex");
    const [added, before] = await ada.read("/pets?limit=2");
    expect([added.name, added.status, before.id === id]).toEqual(["Rex", "available", false]);
    expect(added.id).toBe(id + 1);
  });
});

test("the activity list shows the changes of a day, an author or an animal, and an import as one line", async () => {
  for (let index = 0; index < 12; index++) await made("POST /pets", { name: `Fish ${index}`, categoryId: 3 });
  for (const theme of ["light", "dark"] as const)
    await shop.open("/", { person: ada, width: 390, theme }, async (page) => {
      await page.getByRole("link", { name: "See all" }).click();
      await heading(page, "Activity");
      await expectNoFaults(page);
      await lines(page, "Today")
        .first()
        .getByRole("link", { name: /^\d+ animals$/ })
        .click();
      await lines(page, "Today").filter({ hasText: "Added Fish 11" }).waitFor();
      await page.getByLabel("By").selectOption({ label: "The key “till”" });
      await lines(page, "Today").filter({ hasText: "Added Fish 11" }).waitFor({ state: "detached" });
      await lines(page, "Today").filter({ hasText: "Set to Available" }).waitFor();
      for (const text of await linesOf(page, "Today")) expect(text).toEndWith("the key “till”");
      await page.getByLabel("By").selectOption({ label: "Anyone" });
      await page.getByLabel("Day", { exact: true }).fill("2026-01-02");
      await page.getByText("No changes found").waitFor();
      await expectNoFaults(page);
    });
});
