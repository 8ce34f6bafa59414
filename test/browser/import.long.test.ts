import { beforeAll, expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { signUp } from "../wire/browser-session.ts";
import { HEAD, lines, stored } from "../wire/pet-lines.ts";
import { type RemoteUser, userWithKey } from "../wire/remote.ts";
import { SPREADSHEET_FILES } from "../wire/spreadsheet-files.ts";
import { axe } from "./browser.ts";
import { type ConsolePageOptions, expectNoFaults, shownLines, signInOn } from "./console-page.ts";
import { shopForTests } from "./shop.ts";

const shop = shopForTests();
const ada = shop.person();
/** A user of the command line, whose API key belongs to Ada's account. */
let user: RemoteUser;
beforeAll(async () => {
  const { token } = (await ada.call("POST /keys", { name: "till" })).json;
  user = await userWithKey(shop.server, { PETSTORE_KEY: token });
  // Creates categories with the numbers 1, 2 and 3, which the tests refer to.
  for (const name of ["Cats", "Twins", "Twins"]) await ada.call("POST /categories", { name });
});

const open = (steps: (page: Page) => Promise<void>, options: ConsolePageOptions = {}) =>
  shop.open("/animals/import", { person: ada, ...options }, steps);
const sorted = (text: string) => text.trim().split("\n").sort();
const button = (page: Page, name: RegExp | string) => page.getByRole("button", { name });

const choose = (page: Page, name: string, text: string | Uint8Array) =>
  page
    .getByLabel("File", { exact: true })
    .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

const LINES = "**/console/api/pet-lines";

/** Lets an import send `count` lines, and then holds its next request until the test releases it. */
async function holdAfter(page: Page, count: number) {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let seen = 0;
  await page.route(LINES, async (route) => {
    if (seen >= count) {
      reached.resolve();
      await released.promise;
    }
    seen += route.request().postDataJSON().lines.length;
    // The request no longer exists if the browser has already left the page. The error that this causes is ignored.
    await route.continue().catch(() => {});
  });
  return { reached: reached.promise, release: released.resolve };
}

async function summary(page: Page): Promise<string> {
  await button(page, "Import another file").waitFor({ timeout: 300_000 });
  return page.locator("progress + p").innerText();
}

test("2,000 lines, cancelled, continued, reloaded, and finished by the command line, are added once each", async () => {
  const text = HEAD + lines(2_000, 1);
  const file = join(user.folder, "many.csv");
  writeFileSync(file, text);
  await open(async (page) => {
    async function begin(): Promise<void> {
      await choose(page, "many.csv", text);
      await button(page, "Import 2,000 animals").waitFor();
      expect(await shownLines(page, "Lines")).toHaveLength(50);
    }
    async function cancel(): Promise<void> {
      const held = await holdAfter(page, 300);
      await button(page, "Import 2,000 animals").click();
      await held.reached;
      await button(page, "Cancel").click();
      held.release();
      await page
        .getByText(/^Stopped after [\d,]+ of 2,000 lines\. Choose Continue to add the rest/)
        .waitFor();
    }
    await begin();
    await cancel();
    const held = await holdAfter(page, 500);
    await button(page, "Continue").click();
    await held.reached;
    await page.reload();
    held.release();
    await begin();
    await cancel();
    const begun = (await stored(shop.server, user, 1)).length;
    const { added, alreadyThere } = JSON.parse((await user.run(["pets", "import", file, "--json"])).out);
    expect([added, alreadyThere]).toEqual([2_000 - begun, begun]);
    await button(page, "Continue").click();
    expect(await summary(page)).toBe("0 added, 2,000 already added earlier");
    expect(await stored(shop.server, user, 1)).toEqual(sorted(lines(2_000, 1)));
  });
});

test("an import stops when the session ends or the network fails, and later continues where it stopped", async () => {
  const text = HEAD + lines(1_000, 3);
  const bob = await signUp(shop.server, "bob@example.com");
  await open(
    async (page) => {
      await choose(page, "signed-out.csv", text);
      const first = await holdAfter(page, 100);
      await button(page, "Import 1,000 animals").click();
      await first.reached;
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Import animals");
      await bob.call("DELETE /session");
      first.release();
      await signInOn(page, "bob@example.com");
      await page.getByText(/^Stopped after/).waitFor();
      const second = await holdAfter(page, 400);
      await button(page, "Continue").click();
      await second.reached;
      await page.route(LINES, (route) => route.abort());
      second.release();
      await page.getByRole("alert").getByText("The server could not be reached.").waitFor();
      await page.unroute(LINES);
      await button(page, "Continue").click();
      expect(await summary(page)).toMatch(/^[\d,]+ added, [\d,]+ already added earlier$/);
      expect(await stored(shop.server, user, 3)).toEqual(sorted(lines(1_000, 3)));
    },
    { person: bob, expected: /console\/api\/pet-lines|ERR_/ },
  );
});

test("each line that is refused is named with its reason, before and after, and can be corrected and imported", async () => {
  const text =
    'Name;x,Kind,status,Category\n"Ada, the 1st",dog,Available,cats\nBob,dog,lost,4\nC"x,dog,,4\nDora,dog,,Birds\n,dog,sold,9223372036854775807\nEve,dog,,twins\nFay,4\n';
  await open(async (page) => {
    await choose(page, "wrong.csv", text);
    await page.getByText("has no name").first().waitFor();
    expect(await button(page, "Import 0 animals").isDisabled()).toBe(true);
    await page.getByLabel("Name;x").selectOption("Name");
    await page.getByText("1 animal has no name. 4 rows will be skipped.").waitFor();
    expect(await shownLines(page, "Lines")).toEqual([
      "Ada, the 1st|Cats|Available|2|",
      'Bob|Category 4|lost|3|"lost" isn\'t a status: use available, pending or sold.',
      "No name|||4|has a quote in a cell that does not begin with a quote",
      "Dora|Birds (new)|No status|5|",
      "No name|Category 9223372036854775807|Sold|6|",
      'Eve|twins||7|names the category "twins", but several categories have this name: give the identifier of the category',
      "No name|||8|has 2 cells, but the first line has 4",
    ]);
    expect((await axe(page)).found).toEqual([]);
    await button(page, "Import 3 animals").click();
    expect(await summary(page)).toBe("3 added, 4 lines refused");
    const [nameless] = await ada.read("/pets?categoryId=9223372036854775807");
    expect([nameless.name, nameless.status]).toEqual(["", "sold"]);
    const [named] = await ada.read("/pets?categoryId=1&status=available&limit=1");
    expect(named.name).toBe("Ada, the 1st");

    await button(page, "Correct them here").click();
    await button(page, "Import 1 animal").waitFor();
    const refused = page.getByRole("textbox", { name: "Lines" });
    const left = await refused.inputValue();
    expect(left.split("\n")).toEqual([
      "Name;x,Kind,status,Category,line,reason",
      'Bob,dog,lost,4,3,"""lost"" isn\'t a status: use available, pending or sold."',
      '"C""x",dog,,4,4,has a quote in a cell that does not begin with a quote',
      'Eve,dog,,twins,7,"names the category ""twins"", but several categories have this name: give the identifier of the category"',
      'Fay,4,,,8,"has 2 cells, but the first line has 4"',
      "",
    ]);
    await refused.fill(left.replace("lost", "sold").replace("twins", "2"));
    await button(page, "Import 3 animals").click();
    expect(await summary(page)).toBe("3 added, 1 line refused");
    expect((await ada.call("GET /pets?categoryId=2")).body).toContain('"Eve"');
  });
});

test("without headings the columns are guessed; JSON Lines need none", async () => {
  await open(
    async (page) => {
      await choose(page, "replaced.csv", "Never,1,\n");
      await button(page, "Import 1 animal").waitFor();
      await button(page, "Choose another file").click();
      const records = '{"id":70000000,"name":"Jason","categoryId":9007199254740993}\n[]\n';
      await choose(page, "records.jsonl", records);
      await page.getByText("is not a JSON object").first().waitFor();
      await button(page, "Import 1 animal").click();
      expect(await summary(page)).toBe("1 added, 1 line refused");
      expect((await ada.call("GET /pets?categoryId=9007199254740993")).body).toContain("Jason");
      await button(page, "Import another file").click();
      await page.getByRole("textbox", { name: "Lines (optional)" }).fill("Rex,Cats,\nRex,Cats,\n");
      await button(page, "Import 2 animals").waitFor();
      expect(await page.getByLabel("Column 2").inputValue()).toBe("categoryId");
      await expectNoFaults(page);
      await button(page, "Import 2 animals").click();
      expect(await summary(page)).toBe("2 added");
    },
    { width: 320 },
  );
});

/** Chooses a file as soon as the file field exists, half a second before the browser paints the page. */
const CHOOSE_AT_ONCE = `requestAnimationFrame = (paint) => setTimeout(paint, 0);
const soon = setTimeout;
setTimeout = (call, ms, ...values) => soon(call, ms > 100 ? ms : 500, ...values);
new MutationObserver((_, observer) => {
  const field = document.getElementById("import-file");
  if (field === null) return;
  observer.disconnect();
  const transfer = new DataTransfer();
  transfer.items.add(new File(["name,category\\nRex,4"], "at-once.csv"));
  field.files = transfer.files;
  field.dispatchEvent(new Event("change", { bubbles: true }));
}).observe(document, { childList: true, subtree: true });`;

test("a file that is chosen before the page has been painted is read", async () => {
  await open((page) => button(page, "Import 1 animal").waitFor(), { before: CHOOSE_AT_ONCE });
});

const [excel] = SPREADSHEET_FILES;

test(`${excel?.program}: read without a choice, and finished by the command line`, async () => {
  const { file = "", bytes = new Uint8Array() } = excel ?? {};
  const { id } = (await ada.call("POST /categories", { name: "Katzen" })).json;
  await open(async (page) => {
    await choose(page, file, bytes);
    await page.getByText(`${file}: 3 lines, separated by ";", Windows-1252`).waitFor();
    expect(await page.getByLabel("Verfügbarkeit").inputValue()).toBe("status");
    expect(await page.getByLabel("Preis").inputValue()).toBe("");
    await button(page, "Import 3 animals").click();
    expect(await summary(page)).toBe("3 added");
    const { body } = await ada.call(`GET /pets?categoryId=${id}`);
    expect(body).toContain(`"name":"Bärbel","categoryId":${id},"status":"available"`);
    expect((await ada.call("GET /pets?categoryId=9007199254740993")).body).toContain('"Zwei\\nZeilen"');
  });
  const path = join(user.folder, file);
  writeFileSync(path, bytes);
  const { added, alreadyThere } = JSON.parse((await user.run(["pets", "import", path, "--json"])).out);
  expect([added, alreadyThere]).toEqual([0, 3]);
});

test("if a file's encoding is uncertain, the import asks which names are right, and shows them as chosen", async () => {
  const text = readFileSync(join(import.meta.dir, "../cli/encodings/poland.csv"), "latin1");
  const bytes = Buffer.from(text.replace("Nazwa;Kategoria", "Name;Category"), "latin1");
  await open(async (page) => {
    await choose(page, "poland.csv", bytes);
    await page.getByText('poland.csv: 3 lines, separated by ";", Windows-1252').waitFor();
    await page.getByText("£atek, ¿ó³ty, Œnie¿ka").waitFor();
    expect(await button(page, /^Import \d/).isDisabled()).toBe(true);
    expect((await axe(page)).found).toEqual([]);
    await page.getByLabel("Encoding").selectOption("windows-1250");
    await page.getByText("Łatek, żółty, Śnieżka").waitFor();
    await page.getByText('poland.csv: 3 lines, separated by ";", Windows-1250').waitFor();
    await button(page, "Import 3 animals").click();
    expect(await summary(page)).toBe("3 added");
    expect((await ada.call("GET /pets?limit=3")).body).toContain('"name":"Łatek"');
  });
});

test("nothing can be imported while a file is read again with another encoding", async () => {
  const { id } = (await ada.call("POST /pets", { name: "Piesek", categoryId: 7 })).json;
  await open(async (page) => {
    await choose(page, "again.csv", Buffer.from(`id,name,categoryId\n${id},\xa3atek,7\n`, "latin1"));
    await page.getByLabel("Encoding").selectOption("windows-1252");
    await page.getByText("Piesek → £atek").waitFor();
    await page.getByRole("button", { name: /^Change 1/, disabled: false }).waitFor();
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route("**/console/api/pets?*", async (route) => {
      asked.resolve();
      await answered.promise;
      await route.continue();
    });
    await page.getByLabel("Encoding").selectOption("windows-1250");
    await asked.promise;
    expect(await button(page, /^Change 1/).isDisabled()).toBe(true);
    answered.resolve();
    await page.getByText("Piesek → Łatek").waitFor();
    expect(await button(page, /^Change 1/).isEnabled()).toBe(true);
  });
});

test("choices are shown at once, and all choices made while a file is read again are kept", async () => {
  const { id } = (await ada.call("POST /pets", { name: "Mine", categoryId: 808 })).json;
  await open(async (page) => {
    await choose(page, "choices.csv", `id,name,categoryId\n${id},Theirs,909\n,New,808\n`);
    const box = page.getByRole("checkbox", { name: /^Also update/ });
    await box.waitFor();
    const answered = Promise.withResolvers<void>();
    await page.route("**/console/api/pets?*", async (route) => {
      await answered.promise;
      // The page has stopped reading the first file, because another file was chosen. The held request has been aborted, so
      // continuing it fails.
      await route.continue().catch(() => {});
    });
    await box.check();
    await page.getByLabel("Default status").selectOption("sold");
    expect(await page.getByLabel("Default status").inputValue()).toBe("sold");
    answered.resolve();
    await page.getByRole("button", { name: "Change 1 animal, add 1", disabled: false }).waitFor();
    expect(await box.isChecked()).toBe(true);
    expect(await shownLines(page, "Lines")).toEqual(["New|Category 808|Sold|3"]);
  });
});

test("a file without animals, and a file that is not text, are refused with what to do", async () => {
  const noAnimals = "The file has no animals. Add a line for each animal, and choose the file again.";
  const noText =
    "The file is not plain text. Open the file in a spreadsheet program, save it as CSV, and import the CSV file.";
  const files = {
    "empty.csv": ["", noAnimals],
    "mark.csv": ["\ufeff", noAnimals],
    "heading.csv": [HEAD, noAnimals],
    "renamed.csv": [
      "PK\x03\x04",
      "The file is a workbook or an archive. Save the file as CSV, and import the CSV file.",
    ],
    "zeros.csv": ["\0".repeat(2_000), noText],
    "list.pdf": ["%PDF-1.7\n1 0 obj\n", noText],
    "till.xls": ["<html><body><table>\n", noText],
  };
  for (const [name, [text = "", reason = ""]] of Object.entries(files))
    await open(async (page) => {
      await choose(page, name, text);
      const alert = page.getByRole("alert");
      await alert.waitFor();
      expect([name, await alert.innerText()]).toEqual([name, reason]);
      expect(await button(page, /^Import \d/).count()).toBe(0);
    });
});

test("a file that is removed after it was chosen is reported, and adds the rest when it is imported again", async () => {
  const path = join(user.folder, "removed.csv");
  const text = `${HEAD}Kept,72,\n"Torn,72,\n`;
  writeFileSync(path, text);
  const reported = (page: Page) =>
    page.getByRole("alert").getByText("The browser can't read this file. If it was changed,").waitFor();
  await open(async (page) => {
    const field = page.getByLabel("File", { exact: true });
    await field.setInputFiles(path);
    await button(page, "Import 1 animal").waitFor();
    rmSync(path);
    await button(page, "Import 1 animal").click();
    await reported(page);
    await page.getByText("Stopped after 0 of 2 lines. Import the file again to add the rest.").waitFor();
    expect(await button(page, "Continue").count()).toBe(0);
    await button(page, "Import another file").click();
    writeFileSync(path, text);
    await field.setInputFiles(path);
    await button(page, "Import 1 animal").click();
    expect(await summary(page)).toBe("1 added, 1 line refused");
    rmSync(path);
    await button(page, "Correct them here").click();
    await reported(page);
    expect(await ada.read("/pets?categoryId=72")).toHaveLength(1);
  });
});

test("an import waits for a rate limit; importing the same file again adds nothing unless the person asks for copies", async () => {
  await open(async (page) => {
    let refusals = 0;
    await page.route(LINES, (route) =>
      refusals++ < 3
        ? route.fulfill({ status: 429, headers: { "Retry-After": "1" }, body: "" })
        : route.continue(),
    );
    await choose(page, "limited.csv", HEAD + lines(20, 5));
    await button(page, "Import 20 animals").click();
    expect(await summary(page)).toBe("20 added");
    expect(refusals).toBeGreaterThan(3);
    await button(page, "Import another file").click();
    await choose(page, "limited.csv", HEAD + lines(20, 5));
    await button(page, "Import 20 animals").click();
    expect(await summary(page)).toBe("0 added, 20 already added earlier");
    await button(page, "Add them again").click();
    await page.getByText("20 added", { exact: true }).first().waitFor();
  });
});

test("an edited export updates: the comparison is shown, somebody else's change is kept, and animals with another name and category are asked about", async () => {
  const add = async (pet: object) => (await ada.call("POST /pets", pet)).json.id as number;
  const [nala, rex, tom, mine] = [
    await add({ name: "Nala", categoryId: 40, status: "available" }),
    await add({ name: "Rex", categoryId: 40, status: "available" }),
    await add({ name: "Tom", categoryId: 40 }),
    await add({ name: "Mine", categoryId: 40 }),
  ];
  const text = `ID;Name (safe);Category;Status;Own number (safe)\n${nala};Nala;Edited;none;N-1\n${rex};;;sold;\n${tom};Tom;;;\n${mine};Theirs;41;;\n;New;40;;\n999999;Gone;40;;\n`;
  await open(async (page) => {
    await choose(page, "edited.csv", text);
    await page
      .getByText("1 new, 2 changed, 1 unchanged, 1 not found, 1 with another name and category")
      .waitFor();
    expect(await shownLines(page, "Changes")).toEqual([
      expect.stringMatching(
        /^Nala\|Category: Category 40 → Edited \(new\), Status: Available → No status, Own number: none → N-1\|2$/,
      ),
      "Rex|Status: Available → Sold|3",
    ]);
    expect((await axe(page)).found).toEqual([]);
    await ada.call(`PATCH /pets/${rex}`, { name: "Rex by Ben" });
    await page.getByLabel("Also update 1 animal whose name and category both differ").check();
    await button(page, "Change 3 animals, add 1").waitFor();
    await ada.call(`PATCH /pets/${rex}`, { name: "Rex by Cleo" });
    await button(page, "Change 3 animals, add 1").click();
    expect(await summary(page)).toBe("1 added, 2 changed, 1 unchanged, 2 lines refused");
    await page.getByText(`somebody else has just changed animal ${rex}: status is available`).waitFor();
    const read = async (id: number) => (await ada.read(`/pets?id=${id}`))[0];
    const [{ id: edited }] = (await ada.read("/categories?limit=100")).filter(
      ({ name }: { name: string }) => name === "Edited",
    );
    expect(await read(nala)).toMatchObject({ name: "Nala", categoryId: edited, externalId: "N-1" });
    expect(await read(rex)).toMatchObject({ name: "Rex by Cleo", status: "available" });
    expect(await read(mine)).toMatchObject({ name: "Theirs", categoryId: 41 });
    await button(page, "Import another file").click();
    await choose(page, "copies.csv", text);
    await page.getByLabel("What to do").selectOption("copies");
    await button(page, /^Import 4 animals/).waitFor();
  });
});

test("what stands below a field, a list, a text or a table does not touch it", async () => {
  await open(async (page) => {
    const gap = async (above: Locator, below: Locator) => {
      const [one, other] = [await above.boundingBox(), await below.boundingBox()];
      return (other?.y ?? 0) - (one?.y ?? 0) - (one?.height ?? 0);
    };
    await choose(
      page,
      "gaps.csv",
      "name,categoryId,status,externalId\nGap,1,available,G-1\nGap,1,krank,G-2\n",
    );
    const counts = page.getByText("1 new, 1 refused");
    await counts.waitFor();
    const gaps = [await gap(page.getByLabel("What to do"), counts)];
    await button(page, "Import 1 animal").click();
    const added = page.locator("progress + p");
    await button(page, "Import another file").waitFor();
    gaps.push(await gap(added, button(page, "Import another file")));
    gaps.push(await gap(page.locator(".list-frame"), button(page, "Correct them here")));
    await button(page, "Import another file").click();
    const note = page.getByText("You can undo an import for as long as");
    gaps.push(await gap(note, button(page, "Undo import of gaps.csv")));
    expect(gaps.filter((pixels) => pixels < 8)).toEqual([]);
  });
});

test("animals pass their own numbers on in one import, which can be undone; an exchange in a circle is refused", async () => {
  const ids: number[] = [];
  for (const externalId of ["P-1", "P-2", "P-3"])
    ids.push(await ada.pet({ name: "Passed", categoryId: 73, externalId }));
  const numbers = async () =>
    (await ada.read("/pets?categoryId=73")).map(({ externalId }: { externalId: string }) => externalId);
  const textOf = (given: readonly string[]) =>
    `id,externalId\n${given.map((number, index) => `${ids[index]},${number}\n`).join("")}`;
  await open(async (page) => {
    await choose(page, "passed.csv", textOf(["P-2", "P-3", "P-4"]));
    await button(page, "Change 3 animals").click();
    expect(await summary(page)).toBe("3 changed");
    expect(await numbers()).toEqual(["P-4", "P-3", "P-2"]);
    await button(page, "Undo import of passed.csv").first().click();
    await page.getByRole("dialog").getByRole("button", { name: "Undo import", exact: true }).click();
    await page.getByText("Import undone: 0 animals removed, 3 restored.").last().waitFor();
    expect(await numbers()).toEqual(["P-3", "P-2", "P-1"]);
    await button(page, "Import another file").click();
    await choose(page, "circle.csv", textOf(["P-2", "P-1"]));
    await page
      .getByText("takes the externalId P-1 from line 2, but these lines exchange their numbers in a circle")
      .first()
      .waitFor();
    expect(await button(page, "Import 0 animals").isDisabled()).toBe(true);
  });
});

test("an import of changes that is cancelled and continued creates its new category once, and adds each line once", async () => {
  const id = await ada.pet({ name: "Before", categoryId: 70 });
  const added = Array.from({ length: 300 }, (_, index) => `,Added ${index},Kept kinds\n`);
  await open(async (page) => {
    await choose(page, "kept.csv", `id,name,category\n${id},After,Kept kinds\n${added.join("")}`);
    await page.getByText("1 new category: Kept kinds").waitFor();
    await page.getByLabel(/^Also update 1 animal/).check();
    await button(page, "Change 1 animal, add 300").waitFor();
    const held = await holdAfter(page, 100);
    await button(page, "Change 1 animal, add 300").click();
    await held.reached;
    await button(page, "Cancel").click();
    held.release();
    await button(page, "Continue").click();
    await summary(page);
    const kinds = (await ada.read("/categories?limit=100")).filter(
      ({ name }: { name: string }) => name === "Kept kinds",
    );
    expect(kinds).toHaveLength(1);
    const names = (await stored(shop.server, user, kinds[0].id)).map((line) => line.split(",")[0]);
    expect(names).toEqual(["After", ...added.map((line) => line.split(",")[1] ?? "")].sort());
  });
});

test("a double click imports a file once, and undoes the import once", async () => {
  const text = HEAD + lines(300, 71);
  await open(async (page) => {
    await choose(page, "double.csv", text);
    await button(page, "Import 300 animals").dblclick();
    expect(await summary(page)).toBe("300 added");
    await button(page, "Undo import of double.csv").first().click();
    const dialog = page.getByRole("dialog", { name: "Undo the import of double.csv?" });
    await dialog.getByRole("button", { name: "Undo import", exact: true }).dblclick();
    await page.getByText("Import undone: 300 animals removed.").last().waitFor();
    expect(await ada.read("/pets?categoryId=71")).toEqual([]);
  });
});

test("an import is undone from its result after a question, and from another browser by its whole name", async () => {
  const file = "Tiere März – Łódź (neu).csv";
  const text = "name,category,status\nOne,50,\nTwo,Undone kinds,\nThree,50,\n";
  const ask = (page: Page) => button(page, `Undo import of ${file}`).first().click();
  const dialog = (page: Page) => page.getByRole("dialog", { name: `Undo the import of ${file}?` });
  const confirm = (page: Page) =>
    dialog(page).getByRole("button", { name: "Undo import", exact: true }).click();
  await open(async (page) => {
    await choose(page, file, text);
    await button(page, "Import 3 animals").click();
    expect(await summary(page)).toBe("3 added");
    await ask(page);
    await dialog(page).getByText("3 animals will be removed.").waitFor();
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    expect(await ada.read("/pets?categoryId=50")).toHaveLength(2);
    await ask(page);
    await confirm(page);
    await page.getByText("Import undone: 3 animals removed.").last().waitFor();
    expect(await ada.read("/pets?categoryId=50")).toEqual([]);
    expect((await ada.call("GET /categories?limit=100")).body).not.toContain("Undone kinds");
    await button(page, "Import another file").click();
    await choose(page, file, text);
    await button(page, "Import 3 animals").click();
    expect(await summary(page)).toBe("3 added");
  });
  const [one] = await ada.read("/pets?categoryId=50&name=one");
  await ada.call(`PATCH /pets/${one.id}`, { name: "One by Ben" });
  await open(async (page) => {
    await page.getByText(file).first().waitFor();
    expect((await axe(page)).found).toEqual([]);
    await page.goto(`${new URL(page.url()).origin}/activity?day=${new Date().toLocaleDateString("sv")}`);
    await page.getByRole("link", { name: "Undo import…" }).first().click();
    await dialog(page).getByText("2 animals will be removed.").waitFor();
    await dialog(page)
      .getByText(
        "1 animal will stay unchanged, because somebody has changed, ordered or removed it since the import.",
      )
      .waitFor();
    expect((await axe(page)).found).toEqual([]);
    await confirm(page);
    await page.getByText("Import undone: 2 animals removed, 1 left unchanged.").last().waitFor();
    expect(await shownLines(page, "Animals left unchanged")).toEqual([
      "One|The animal was changed, ordered or removed after the import.",
    ]);
  });
});
