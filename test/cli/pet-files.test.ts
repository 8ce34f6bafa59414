import { expect, test } from "bun:test";
import fc from "fast-check";
import { targetsOf } from "../../src/pet-files/columns.ts";
import { detectDialect } from "../../src/pet-files/dialect.ts";
import { detectEncoding, toUtf8 } from "../../src/pet-files/encoding.ts";
import { readJsonArray } from "../../src/pet-files/parse-pets.ts";

async function* inChunks(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const aSize = fc.integer({ min: 1, max: 9 });

test("a heading that is a member's own name goes before any other that may stand for it", () => {
  for (const [headings, targets] of [
    ["Tiername,Name,Art,Category Name,Category ID", ",name,,categoryId,"],
    ["ANIMAL,category_id,Availability", "name,categoryId,status"],
    ["Tiername,Kategorie-Nr.,Verfügbar", "name,categoryId,status"],
    ["tier,Categoría,verfuegbarkeit", "name,,status"],
    ["Name,name,Kategorie", "name,,categoryId"],
  ])
    expect(targetsOf(headings?.split(",") ?? []).join()).toBe(targets ?? "");
});

test("the items of a JSON array are the same in chunks of any size, with strings that hold brackets", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue(), { maxLength: 5 }),
      fc.constantFrom(0, 2),
      aSize,
      async (items, indent, size) => {
        const bytes = new TextEncoder().encode(JSON.stringify(items, undefined, indent));
        const read = await Array.fromAsync(readJsonArray(inChunks(bytes, size), 10_000));
        expect(read.map((item) => JSON.parse(new TextDecoder().decode(item.bytes)))).toEqual(
          items.map((item) => JSON.parse(JSON.stringify(item))),
        );
      },
    ),
    { numRuns: 200 },
  );
});

test("an encoding is found, and read, in chunks of any size", async () => {
  const text = "Bärbel;Große Hündin;€\n";
  for (const [encoding, bytes] of [
    ["utf-8", Buffer.from(text)],
    ["utf-8", Buffer.from(`\ufeff${text}`)],
    ["utf-16le", Buffer.from(`\ufeff${text}`, "utf16le")],
    ["utf-16le", Buffer.from(text, "utf16le")],
    ["utf-16be", Buffer.from(`\ufeff${text}`, "utf16le").swap16()],
    ["utf-16be", Buffer.from(text, "utf16le").swap16()],
    ["windows-1252", Buffer.from(text.replace("€", "\u0080"), "latin1")],
  ] as const)
    await fc.assert(
      fc.asyncProperty(aSize, async (size) => {
        // A byte order mark cut in two is not recognized; files and pipes are read in longer pieces.
        const chunks = () => inChunks(bytes, size + 2);
        expect(await detectEncoding(chunks())).toBe(encoding);
        const decoded = await Array.fromAsync(toUtf8(chunks(), encoding));
        expect(Buffer.concat(decoded).toString().replace("\ufeff", "")).toBe(text);
      }),
    );
});

test("UTF-8 with a damaged byte stays UTF-8, and so do bytes that Windows-1252 has no character for", async () => {
  for (const bytes of [Buffer.from([0xc3, 0xa4, 0xff]), Buffer.from([0x8d]), Buffer.from("€ä".slice(0, 1))])
    expect(await detectEncoding([bytes])).toBe("utf-8");
});

test("the separator is the one that gives the known columns, whatever stands in the cells", async () => {
  for (const [head, separator] of [
    ["Name;Kategorie;Preis, netto, brutto\n", ";"],
    ['"Name;x",Category\n', ","],
    ["Rex;Cats;1,5\n", ";"],
    ["Rex,Cats\n", ","],
    ["Name\tArt\r\n", "\t"],
    ['sep=;\r\n"a,b",c\n', ";"],
    ["Ada, of the zoo, the 1st\tCats\n", "\t"],
    ["", "\t"],
  ]) {
    const found = await detectDialect(new TextEncoder().encode(head), { format: "csv" });
    expect([head, found.separator]).toEqual([head, separator]);
  }
});

test("a workbook is refused by its first bytes, with what to do", async () => {
  for (const head of ["PK\x03\x04\x14\0\x06\0", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"])
    expect(detectDialect(Buffer.from(head, "latin1"), { format: "csv" })).rejects.toThrow("Save it as CSV");
  expect((await detectDialect(Buffer.from("PK,name\n"), { format: undefined })).format).toBe("csv");
});
