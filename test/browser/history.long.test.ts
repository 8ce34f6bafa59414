import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { send } from "../wire/send.ts";
import { expectNoFaults } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// Changes and their authors, on the console's pages.

const shop = shopForTests();
const ada = shop.person();

const made = async (request: string, body?: unknown) => JSON.parse((await ada.call(request, body)).body);
const linesOf = async (page: Page, heading: string) => {
  const list = page.getByRole("region", { name: heading }).getByRole("listitem");
  await list.first().waitFor();
  return (await list.allInnerTexts()).map((text) =>
    text.replace(/^.*? · /, "").replace(/[\u2068\u2069]/g, ""),
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
  await made("POST /categories", { name: "Dogs" });
  const lines = [
    "ada@example.com · name “Rex” → “Max”, category Dogs → 2",
    `ada@example.com · Pending → Sold · order ${orderId} completed`,
    `ada@example.com · Available → Pending · order ${orderId} placed`,
    "key till · No status → Available",
    "ada@example.com · added",
  ];

  await shop.open(`/animals/${id}`, { person: ada, width: 360 }, async (page) => {
    await page.getByText(/category .?Dogs.? → .?2/).waitFor();
    expect(await linesOf(page, "History")).toEqual(lines);
    const [time] = await page.getByRole("region", { name: "History" }).locator("time").all();
    expect(await time?.textContent()).toMatch(/now|sec/);
    expect(await time?.getAttribute("title")).toContain("(20");
    await expectNoFaults(page);

    for (let round = 0; round < 10; round++)
      await ada.call(`PATCH /pets/${id}`, { name: round % 2 ? "Max" : "Moritz" });
    await page.reload();
    expect(await linesOf(page, "History")).toHaveLength(10);
    await page.getByRole("button", { name: "Show older" }).click();
    await page.getByText("No status → Available").waitFor();
    expect((await linesOf(page, "History")).slice(10)).toEqual(lines);
    expect(await page.getByRole("button", { name: "Show older" }).count()).toBe(0);

    await page
      .getByRole("link", { name: `order ${orderId}` })
      .first()
      .click();
    await page.getByRole("heading", { level: 1, name: `Orders for animal ${id}` }).waitFor();
  });

  await ada.call(`PATCH /pets/${id}`, { name: "أرنب" });
  await shop.open("/", { person: ada }, async (page) => {
    const line = page.getByRole("region", { name: "Latest changes" }).getByRole("listitem").first();
    const link = await line.getByRole("link", { name: "أرنب" }).boundingBox();
    const words = line.locator("bdi").last();
    const after = (await words.boundingBox())?.x;
    expect(after).toBeGreaterThan((link?.x ?? 0) + (link?.width ?? 0));
  });

  await ada.call(`DELETE /pets/${id}`);
  await shop.open("/", { person: ada }, async (page) => {
    const [first, second, third] = await linesOf(page, "Latest changes");
    expect([first, second]).toEqual(["ada@example.com · أرنب removed", expect.stringContaining("أرنب name")]);
    expect(third).toContain("Moritz");
  });
});
