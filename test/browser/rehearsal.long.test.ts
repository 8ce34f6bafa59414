import { expect, test } from "bun:test";
import { expectNoFaults, heading, row } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// Tests the console's Rehearsal screen, which only staging has: a test clock, a reset and simulated errors.

const shop = shopForTests();
const person = shop.person("ada@example.com", "staging");
const staging = { environment: "staging", person } as const;

test("a strip on every screen says that the clock was moved, until it is reset", async () => {
  await shop.open("/", staging, async (page) => {
    const banner = page.getByRole("complementary", { name: "Environment" });
    await banner.getByRole("link", { name: "Rehearsal" }).click();
    await page.getByText("The test clock shows the real time.").waitFor();
    await page.getByRole("button", { name: "Set the clock" }).click();
    await page.getByText("Date is required").waitFor();
    await page.getByLabel("Date").fill("2030-12-05");
    await page.keyboard.press("Enter");
    await banner.getByText("Staging uses a test clock").waitFor();
    expect(await person.read("/test/clock")).toMatchObject({ moved: true });
    await page.getByRole("button", { name: "+1 day" }).click();
    await banner.getByText(/6 Dec|Dec 6/).waitFor();
    await page.getByRole("link", { name: "Animals", exact: true }).click();
    await heading(page, "Animals");
    await banner.getByText("Staging uses a test clock").waitFor();
    await banner.getByRole("link", { name: "Rehearsal" }).click();
    await page.getByRole("button", { name: "Use real time" }).click();
    await page.getByText("The test clock shows the real time.").waitFor();
    await banner.getByText("Staging uses a test clock").waitFor({ state: "detached" });
    expect(await person.read("/test/clock")).toMatchObject({ moved: false });
  });
});

test("a reset asks for confirmation, and changes nothing if it is declined", async () => {
  await person.call("POST /pets", { name: "Kept", categoryId: 1 });
  await shop.open("/rehearsal", staging, async (page) => {
    const button = page.getByRole("button", { name: "Reset to sample shop…" });
    await button.focus();
    await page.keyboard.press("Enter");
    await expectNoFaults(page);
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    expect(await person.read("/pets")).toHaveLength(1);
    await button.click();
    await page.getByRole("dialog").getByRole("button", { name: "Reset staging" }).click();
    await page.getByRole("status").getByText("Staging was reset").waitFor();
    expect(await person.read("/pets?limit=100")).toHaveLength(25);
    await page.getByRole("link", { name: "Animals", exact: true }).click();
    await row(page, "Señor Bigotes").waitFor();
  });
});

for (const theme of ["light", "dark"] as const) {
  test(`it is accessible and fits a phone, ${theme}`, async () => {
    await person.call("PUT /test/clock", { now: "2030-12-05T00:00:00Z" });
    await shop.open("/rehearsal", { ...staging, theme, width: 320 }, async (page) => {
      await page.getByText("Staging uses a test clock").waitFor();
      await page.getByRole("button", { name: "Use real time" }).waitFor();
      await page.getByText("Petstore-Simulate: unavailable; times=2").waitFor();
      await expectNoFaults(page);
    });
  });
}
