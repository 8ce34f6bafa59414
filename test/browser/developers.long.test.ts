import { describe, expect, test } from "bun:test";
import { freePort } from "../postgres/server.ts";
import { until } from "../until.ts";
import type { BrowserSession } from "../wire/browser-session.ts";
import { createDestination } from "../wire/deliveries.ts";
import { send } from "../wire/send.ts";
import { choose, expectNoFaults } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// Tests the developers' area in a real browser: its notices, and API keys from their creation to their revocation.

const DAY_MS = 86_400_000;

const shop = shopForTests({ PETSTORE_WEBHOOKS_PRIVATE: "allow" });
const owner = shop.person("owner@example.com");
const ada = shop.person();
const { open } = shop;

async function makeKey(person: BrowserSession, name: string, days?: number) {
  const expiresAt = days === undefined ? null : new Date(Date.now() + days * DAY_MS).toISOString();
  const { token, key } = (await person.call("POST /keys", { name, expiresAt })).json;
  return { token: String(token), id: String(key.id) };
}

test("developers are shown what needs attention: a key about to expire, and calls of what is deprecated", async () => {
  await open("/developers", { person: ada }, async (page) => {
    await page.getByText("Nothing needs attention.").waitFor();
  });
  const { token } = await makeKey(ada, "old till", 14);
  await send("GET", `${shop.server.production}/pets/1`, { key: token });
  await open("/developers", { person: ada, width: 360 }, async (page) => {
    await page.getByRole("listitem").filter({ hasText: "The key old till expires" }).waitFor();
    await expectNoFaults(page);
    await page.getByRole("link", { name: "1 call", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Deprecated calls" }).waitFor();
    await page.getByRole("row").filter({ hasText: "old till" }).waitFor();
    await expectNoFaults(page);
  });
  await open("/deprecated-calls", { person: owner }, async (page) => {
    await page.getByRole("row").filter({ hasText: "old till" }).waitFor();
  });
});

test("an owner sees webhooks that are disabled or refuse deliveries", async () => {
  const receiver = createDestination(204);
  const made = async (url: string) =>
    (await owner.call("POST /webhooks", { url, types: ["pet.created"] })).json.id;
  const disabled = await made(receiver.url);
  await owner.call(`PATCH /webhooks/${disabled}`, { status: "disabled" });
  const failing = await made(`http://127.0.0.1:${freePort()}/refused`);
  await owner.call("POST /pets", { name: "Rex", categoryId: 1 });
  await until(async () =>
    (await owner.read("/developers")).webhooks.some(({ id }: { id: number }) => id === failing),
  );
  await open("/developers", { person: owner, width: 360 }, async (page) => {
    const notice = (text: string) => page.getByRole("listitem").filter({ hasText: text });
    await notice("is disabled: events are not sent to it.").getByRole("link").waitFor();
    await expectNoFaults(page);
    await notice("refuses deliveries, or can't be reached.").getByRole("link").click();
    await page.getByRole("heading", { level: 1, name: `Webhook ${failing}` }).waitFor();
    await page.getByRole("button", { name: "Attempts to deliver delivery" }).first().waitFor();
  });
  await open("/developers", { person: ada }, async (page) => {
    await page.getByRole("listitem").filter({ hasText: "old till" }).waitFor();
    expect(await page.getByText("webhook").count()).toBe(0);
  });
  await receiver.stop();
});

describe("an API key", () => {
  test("about to expire is rotated: the new key can be copied once, and both keys work during the overlap", async () => {
    const { token } = await makeKey(ada, "price display", 14);
    let replacement = "";
    await open("/keys", { person: ada, width: 360 }, async (page) => {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      const row = page.getByRole("row").filter({ hasText: "price display" });
      const redacted = `${token.slice(0, 13)}…${token.slice(-4)}`;
      await row.filter({ hasText: "14 days left" }).getByText(redacted).waitFor();
      await choose(page, "price display", "Replace…");
      await page.getByLabel("The old key works for").selectOption("1");
      await expectNoFaults(page);
      await page.getByRole("dialog").getByRole("button", { name: "Replace key" }).click();
      await page.getByRole("heading", { name: "Your new key" }).waitFor();
      for (let press = 0; press < 3; press++) await page.keyboard.press("Escape");
      await page.getByRole("alert").getByText("You haven't copied the key").waitFor();
      await page.getByRole("button", { name: "Copy key", exact: true }).click();
      await page.getByText("Copied", { exact: true }).waitFor();
      replacement = await page.evaluate<string>("navigator.clipboard.readText()");
      expect(await page.getByTestId("key").textContent()).toBe(replacement);
      await page.getByRole("button", { name: "I have copied the key" }).click();
      await row.getByText("Replaced").waitFor();
      await row.getByText(`${replacement.slice(0, 13)}…${replacement.slice(-4)}`).waitFor();
      expect(await row.count()).toBe(2);
      await expectNoFaults(page);
    });
    for (const key of [token, replacement])
      expect((await send("GET", `${shop.server.production}/pets`, { key })).status).toBe(200);
  });

  test("of another person is not replaced by an owner, who sees its requests", async () => {
    const { token } = await makeKey(ada, "warehouse");
    await send("GET", `${shop.server.production}/pets?name=secret`, { key: token });
    await send("GET", `${shop.server.production}/pets?limit=x`, { key: token });
    await open("/keys?of=all", { person: owner }, async (page) => {
      const row = page.getByRole("row").filter({ hasText: "warehouse" });
      await row.getByText("ada@example.com").waitFor();
      await row.getByRole("button").click();
      expect(await row.locator(".menu button").allTextContents()).toEqual(["Requests", "Revoke…"]);
      await row.getByText("Requests").click();
      const latest = page.getByRole("table", { name: "Latest requests" }).getByRole("row");
      await latest.nth(2).waitFor();
      expect(await latest.count()).toBe(3);
      await page
        .getByRole("table", { name: "Refused requests" })
        .getByText("400 invalid_parameter")
        .waitFor();
      expect(await page.getByRole("dialog").textContent()).not.toContain("secret");
      await expectNoFaults(page);
    });
  });
});
