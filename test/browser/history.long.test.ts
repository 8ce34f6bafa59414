import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { send } from "../wire/send.ts";
import { expectNoFaults, heading } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// Changes and their authors, on the console's pages.

const shop = shopForTests();
const ada = shop.person();

const made = async (request: string, body?: unknown) => (await ada.call(request, body)).json;
const lines = (page: Page, heading: string) =>
  page.getByRole("region", { name: heading }).getByRole("listitem");
/** Lines without their times. */
const linesOf = async (page: Page, heading: string) => {
  await lines(page, heading).first().waitFor();
  const texts = await lines(page, heading).allInnerTexts();
  return texts.map((text) => text.replace(/ · [^·]*$/, "").replace(/[\u2068\u2069]/g, ""));
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
    "Renamed Rex → Max, moved to Category 2 · you",
    "Sold · you",
    "Set to Available · the key “till”",
    "Added · you",
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
    const words = ["Sold · you", "Ordered · the key “till”", "Order cancelled · you", "Added · you"];
    expect(await linesOf(page, "History")).toEqual(words);
  });

  await ada.call(`PATCH /pets/${id}`, { name: "أرنب" });
  await ada.call(`DELETE /pets/${id}`);
  await shop.open("/", { person: ada }, async (page) => {
    expect((await linesOf(page, "Latest changes")).slice(0, 3)).toEqual([
      ...["Removed · أرنب · you", "Renamed Max → أرنب · أرنب · you", "Sold · Rex«U+202E»gnp.exe · you"],
    ]);
  });
});
