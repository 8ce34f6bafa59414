import { beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { editInLibreOffice, SAVED_AS } from "../libreoffice.ts";
import { type RemoteUser, userWithKey } from "../wire/remote.ts";
import { shownLines } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

// Follows the steps that a shop's staff would take: export the animals, edit the file in a spreadsheet program, import it, and undo
// the import.

const shop = shopForTests();
const ada = shop.person();
let user: RemoteUser;
beforeAll(async () => {
  user = await userWithKey(shop.server);
});

const button = (page: Page, name: RegExp | string) => page.getByRole("button", { name });

/** Clicks the export button of the list of animals, and saves the file. Returns the path of the file. */
async function exported(page: Page): Promise<string> {
  const downloading = page.waitForEvent("download");
  await button(page, "Export CSV").click();
  const file = join(user.folder, "animals.csv");
  await (await downloading).saveAs(file);
  return file;
}

test("texts that look like numbers or dates survive a spreadsheet, and no line counts as changed", async () => {
  const texts = [
    ...["00123", "0", "12345678901", "123456789012", "123456789012345678", "12E5", "1-2", "3/4", "1.5", "-7"],
    ...["MAR1", "May 5", "TRUE", "'007", " 12", "10%", "12:30", "1,5", "A-1001", "=1+1", "2 Juni", "€5"],
  ];
  // An animal's `externalId` (the number that the shop gives it) must not contain a comma.
  for (const text of texts) await ada.pet({ name: text, externalId: text.replace(",", ";"), categoryId: 7 });
  await shop.open("/animals?category=7", { person: ada }, async (page) => {
    const saved = join(user.folder, "saved.csv");
    writeFileSync(saved, await editInLibreOffice(await exported(page), {}));
    for (const by of ["id", "externalId"]) {
      const { code, err } = await user.run(["pets", "import", saved, "--update", "--by", by]);
      expect([code, err]).toEqual([0, expect.stringContaining(`${texts.length} unchanged`)]);
    }
  });
});

test("category numbers of any length survive a spreadsheet beside a name that is edited", async () => {
  const numbers = ["9007199254740993", "123456789012", "-5", "12345678901", "7"];
  const lines = numbers.map((number) => `In ${number},${number}\n`);
  await user.run(["pets", "import", "-"], `name,categoryId\n${lines.join("")}`);
  await shop.open("/animals?name=In", { person: ada }, async (page) => {
    const saved = join(user.folder, "numbers.csv");
    writeFileSync(saved, await editInLibreOffice(await exported(page), { "In 7": "In seven" }));
    const { code, err } = await user.run(["pets", "import", saved, "--update"]);
    expect([code, err]).toEqual([0, expect.stringContaining("1 changed, 4 unchanged.")]);
  });
});

test.each([
  ["windows-1252", "Käthe Öhrchen", "Grüße", "Süße Maus"],
  ["windows-1250", "Łatek żółty", "Śnieżka", "Gąsior Żuraw"],
] as const)(
  "a name and a status are edited, imported and undone: %s",
  async (encoding, first, second, edited) => {
    const categoryId = SAVED_AS[encoding].encoding;
    await ada.pet({ name: first, categoryId, externalId: `00${categoryId}1` });
    await ada.pet({ name: second, categoryId, externalId: `00${categoryId}2` });
    const read = () => ada.read(`/pets?categoryId=${categoryId}`);
    const before = await read();
    await shop.open(`/animals?category=${categoryId}`, { person: ada }, async (page) => {
      const bytes = await editInLibreOffice(
        await exported(page),
        { [first]: edited, available: "sold" },
        encoding,
      );
      await page.goto(`${new URL(page.url()).origin}/animals/import`);
      const file = { name: `${encoding}.csv`, mimeType: "text/csv", buffer: bytes };
      await page.getByLabel("File", { exact: true }).setInputFiles(file);
      await page.getByLabel("Encoding").selectOption(encoding);
      await page.getByText(`${first} → ${edited}`).waitFor();
      expect(await shownLines(page, "Changes")).toEqual([
        `${second}|Status: Available → Sold|2`,
        `${first}|Name: ${first} → ${edited}|3`,
      ]);
      await button(page, /^Change 2 animals/).click();
      await page.getByText("2 changed", { exact: true }).first().waitFor();
      await button(page, `Undo import of ${encoding}.csv`).first().click();
      await page.getByRole("dialog").getByRole("button", { name: "Undo import", exact: true }).click();
      await page.getByText("Import undone: 0 animals removed, 2 restored.").last().waitFor();
    });
    expect(await read()).toEqual(before);
  },
);
