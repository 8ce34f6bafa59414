import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseCheckedPets } from "../../src/cli/pet-files/check-pets.ts";
import { JSON_LINES } from "../../src/cli/remote/export.ts";
import { detectDialect } from "../../src/pet-files/dialect.ts";
import { fromSafeText, toSafeText } from "../../src/pet-files/safe-text.ts";
import { petSpreadsheet, TEMPLATE } from "../../src/pet-files/spreadsheet.ts";
import { CSV } from "../../src/pet-files/write-csv.ts";
import type { Pet } from "../../src/pets/contract.ts";

const UTF_8 = { encoding: "utf-8", isSure: true };

// An animal with every member of the schema. If a member is added to the schema, this code no longer compiles until it is added
// here.
const ada: Required<Pet> = {
  id: 9223372036854775807n,
  name: 'Ada "A", the 1st\r\n',
  categoryId: -1,
  status: "sold",
  externalId: "A-1001",
};

async function importedFrom(csv: string) {
  async function* chunks() {
    yield new TextEncoder().encode(csv);
  }
  const dialect = detectDialect(new TextEncoder().encode(csv), UTF_8, { format: "csv" });
  const resolve = (text: string) => ({ refusal: text });
  return Array.fromAsync(parseCheckedPets(chunks(), dialect, { resolve, onColumns() {} }));
}

const safe = petSpreadsheet(new Map([["-1", "=Cats"]]));
const writers = { csv: CSV, safe };

test("an exported file has the bytes of earlier releases", () => {
  expect(CSV.head + CSV.line(ada) + CSV.line({ id: 2, name: "", categoryId: 1 })).toBe(
    'id,name,categoryId,status,externalId\r\n9223372036854775807,"Ada ""A"", the 1st\r\n",-1,sold,A-1001\r\n2,,1,,\r\n',
  );
  expect(JSON_LINES.line({ ...ada, name: "Ada" })).toBe(
    '{"id":9223372036854775807,"name":"Ada","categoryId":-1,"status":"sold","externalId":"A-1001"}\n',
  );
});

test.each(["csv", "safe"] as const)(
  "an animal with every member is restored from its own line: %s",
  async (layout) => {
    const { id: _, ...members } = ada;
    const { head, line } = writers[layout];
    const [read] = await importedFrom(head + line(ada));
    expect(read).toMatchObject({ pet: members });
  },
);

test("a safe file has no control characters, and no cell that a spreadsheet would treat as a formula", () => {
  expect(safe.head + safe.line(ada)).toBe(
    `\ufeffID,Name (safe),Category number (safe),Category name (safe),Status,Own number (safe)\r\n9223372036854775807,"Ada ""A"", the 1st\\u000d\\u000a",'-1,'=Cats,sold,A-1001\r\n`,
  );
  const [formulas, defused] = [
    String.raw`=1 +1 -1 @A1 '=1 "=1 a;=1;-2 \u0009`,
    String.raw`'=1 '+1 '-1 '@A1 ''=1 '"=1 a;'=1;'-2 \u005cu0009`,
  ];
  expect(formulas.split(" ").map(toSafeText)).toEqual(defused.split(" "));
  expect(toSafeText("＝1")).toBe("'＝1");
  expect(toSafeText("\t=1\r\n\u001b[2J")).toBe(String.raw`\u0009=1\u000d\u000a\u001b[2J`);
  for (const harmless of ["'Tis Rex - the dog, +1", String.raw`C:\users\n`, ""])
    expect(toSafeText(harmless)).toBe(harmless);
});

test("in a safe file no text is a number or a date that a spreadsheet would change, and ordinary numbers and names stay as they are", () => {
  const changed = [
    "00123",
    "123456789012",
    "12E5",
    "1-2",
    "3/4",
    "1.5",
    ".5",
    "10%",
    "€5",
    "12:30",
    "7 Dwarfs",
  ];
  const named = ["MAR1", "May 5", "sept. 2024", "Dez-3", "März 7", "true", "WAHR", "'007", ' "007'];
  for (const text of [...changed, ...named]) {
    expect(toSafeText(text)).toBe(`'${text}`);
    expect(fromSafeText(`'${text}`)).toBe(text);
  }
  const kept = [
    "0",
    "123",
    "12345678901",
    "A-1001",
    "Rex 2",
    "Marlin 5",
    "Maya",
    "May",
    "Truelove",
    "'Tis 5",
    "'12",
  ];
  for (const text of kept.slice(0, -1)) expect(toSafeText(text)).toBe(text);
  for (const text of kept) expect(fromSafeText(text)).toBe(text);
});

test("a template is filled in, and a file with a column of defused categories keeps its names as a spreadsheet saves it", async () => {
  expect(await importedFrom(`${TEMPLATE}'=Ada,1,sold,\r\n`)).toMatchObject([
    { pet: { name: "'=Ada", categoryId: 1, status: "sold" } },
  ]);
  // The exported file as a spreadsheet program in Germany saves it: with semicolons, and without the byte order mark.
  const saved = (safe.head + safe.line({ ...ada, name: "=1" })).slice(1).replaceAll(",", ";");
  expect(await importedFrom(saved)).toMatchObject([{ pet: { name: "=1", categoryId: -1, status: "sold" } }]);
});

test("names are restored unchanged from a safe file and from an ordinary one", async () => {
  const aName = fc
    .array(
      fc.constantFrom(
        ..."='\"+-@;,\\ \t\r\n\u001b\u0085＝\u200bu09aeé🦊",
        "u0009",
        "\\u005c",
        "0",
        "12",
        "May",
        "true",
      ),
      {
        maxLength: 9,
      },
    )
    .map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(fc.array(aName, { minLength: 1, maxLength: 20 }), async (names) => {
      for (const { head, line } of [safe, CSV]) {
        const read = await importedFrom(head + names.map((name) => line({ ...ada, name })).join(""));
        expect(read).toMatchObject(names.map((name) => ({ pet: { name } })));
      }
      for (const name of names.map(toSafeText)) expect(name).not.toMatch(/(^|;)[\s"]*[=+\-@＝]|\p{Cc}/u);
    }),
    { numRuns: 300 },
  );
});
