import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { type BrowserSession, signUp } from "../wire/browser-session.ts";
import { shopForTests } from "./shop.ts";

// Two people at work at the same time, each in a browser.

setDefaultTimeout(120_000);

const shop = shopForTests();
let ada: BrowserSession;
let ben: BrowserSession;
beforeAll(async () => {
  ada = await signUp(shop.server, "ada@example.com");
  ben = await signUp(shop.server, "ben@example.com");
});

const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });

test("each sees what the other changes without a reload, and loses nothing typed", async () => {
  await ada.call("POST /pets", { name: "Rex", categoryId: 1, status: "available" });
  await shop.open("/animals", { person: ben }, async (list) => {
    await row(list, "Rex").getByText("Available").waitFor();
    await shop.open("/animals/1", { person: ada }, async (form) => {
      await form.getByLabel("Status").selectOption("pending");
      await form.getByRole("button", { name: "Save changes" }).click();
      await row(list, "Rex").getByText("Pending").waitFor();
      await form.getByLabel("Name").fill("Rex the First");

      await list.getByRole("link", { name: "Edit Rex" }).click();
      await list.getByLabel("Status").selectOption("sold");
      await list.getByRole("button", { name: "Save changes" }).click();
      const notice = form.getByRole("region", { name: "Changed elsewhere" });
      await notice.getByText(/^ben@example.com changed this animal (now|\d+ sec)/).waitFor();
      await notice.getByText("Status: Pending → Sold").waitFor();
      expect(await form.getByLabel("Name").inputValue()).toBe("Rex the First");
      expect(await form.getByLabel("Status").inputValue()).toBe("pending");
      await notice.getByRole("button", { name: "Show it here, and keep what I typed" }).click();
      await notice.waitFor({ state: "detached" });
      expect(await form.getByLabel("Name").inputValue()).toBe("Rex the First");
      expect(await form.getByLabel("Status").inputValue()).toBe("sold");
      await form.getByRole("button", { name: "Save changes" }).click();

      await list.getByText("ada@example.com changed this animal").first().waitFor();
      const history = list.getByRole("region", { name: "History" }).getByRole("listitem");
      await history
        .first()
        .getByText(/name “.Rex.” → “.Rex the First.”/)
        .waitFor();
      expect(await notice.count()).toBe(0);
    });
  });
  const stored = (await ada.call("GET /pets/1")).body;
  expect(stored).toBe('{"id":1,"name":"Rex the First","categoryId":1,"status":"sold"}');
});
