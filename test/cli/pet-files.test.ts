import { expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { targetsOf } from "../../src/pet-files/columns.ts";
import { detectDialect } from "../../src/pet-files/dialect.ts";
import { detectEncoding, toUtf8 } from "../../src/pet-files/encoding.ts";
import { readJsonArray, readRecords } from "../../src/pet-files/parse-pets.ts";
import { sampleNames } from "../../src/pet-files/sample-names.ts";

async function* inChunks(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const aSize = fc.integer({ min: 1, max: 9 });

test("a column with a member's exact name wins over its synonyms", () => {
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
        // Each piece of the file has at least three bytes, because a byte order mark that is cut in two is not recognized. Real
        // files and pipes are read in longer pieces anyway.
        const chunks = () => inChunks(bytes, size + 2);
        expect(await detectEncoding(chunks, "")).toEqual({ encoding, isSure: true });
        const decoded = await Array.fromAsync(toUtf8(chunks(), encoding));
        expect(Buffer.concat(decoded).toString().replace("\ufeff", "")).toBe(text);
      }),
    );
});

const UTF_8 = { encoding: "utf-8", isSure: true };

test("UTF-8 with a damaged byte stays UTF-8; a byte that is a letter only elsewhere is asked about", async () => {
  for (const bytes of [Buffer.from([0xc3, 0xa4, 0xff]), Buffer.from("€ä".slice(0, 1))])
    expect(await detectEncoding(() => [bytes], "")).toEqual(UTF_8);
  for (const byte of [0x8d, 0xff])
    expect(await detectEncoding(() => [Uint8Array.of(byte)], "")).toEqual({
      encoding: "windows-1252",
      isSure: false,
    });
});

test("an encoding is guessed without a question only if similar encodings give the same plausible words", async () => {
  const sure = [
    "Bärbel;Große Hündin;12,50 €",
    "MÜLLER – Łódź".slice(0, 6),
    "Ángel, Chloé",
    "„Katze“ für 5 €",
  ];
  for (const text of sure) {
    const bytes = Buffer.from(
      text
        .replaceAll("€", "\u0080")
        .replaceAll("„", "\u0084")
        .replaceAll("“", "\u0093")
        .replaceAll("–", "\u0096"),
      "latin1",
    );
    expect([text, (await detectEncoding(() => [bytes], "pl")).isSure]).toEqual([text, true]);
  }
  // None of these texts shows clearly which encoding it has. The first two are encoded as on a Mac. The next two consist of letters
  // that are in both Windows encodings. The accents in the last two are used in only one country.
  for (const text of [
    "K\u008atzchen",
    "mB\u008arbel",
    "\u00f3\u00e9",
    "\u00f3",
    "Ma\u00f1ana",
    "Citro\u00ebn \u00e0",
  ]) {
    const found = await detectEncoding(() => [Buffer.from(text, "latin1")], "pl_PL.UTF-8");
    expect([text, found]).toEqual([text, { encoding: "windows-1250", isSure: false }]);
  }
});

/**
 * Text files made with `iconv -f utf-8 -t …`. Each is listed with the language of its user, its encoding, and three of the names in
 * it.
 */
const COUNTRIES = [
  ["poland", "pl", "windows-1250", "Łatek, żółty, Śnieżka"],
  ["czechia", "cs-CZ", "windows-1250", "Řehoř, Černíček, Žofka"],
  ["russia", "ru_RU.UTF-8", "windows-1251", "Мурка, Шарик, Щукарь"],
  ["greece", "el", "windows-1253", "Αζόρ, Ψιψίνα, Φλοξ"],
  ["turkey", "tr-TR", "windows-1254", "Şimşek, Pamuk Işık, Gümüş"],
  ["israel", "he", "windows-1255", "שוקו, מיצי, לאקי"],
  ["japan", "ja", "shift_jis", "ソラ, ポチ, 金魚の赤ちゃん"],
  ["china", "zh-CN", "gbk", "旺财, 咪咪, 金鱼"],
] as const;

test.each(COUNTRIES)(
  "for a file from %s, the import asks and suggests an encoding by the language (%s: %s)",
  async (country, language, encoding, names) => {
    const file = Bun.file(join(import.meta.dir, "encodings", `${country}.csv`));
    const bytes = await file.bytes();
    const chunks = () => inChunks(bytes, 5);
    const found = await detectEncoding(chunks, language);
    expect(found).toEqual({ encoding, isSure: false });
    expect((await detectEncoding(chunks, "")).isSure).toBe(false);
    const dialect = detectDialect(bytes, found, { format: "csv" });
    // Most of the column headings are in a language that the import does not know.
    const read = new Set(await sampleNames(chunks(), dialect));
    expect(read.size).toBe(3);
    const text = Buffer.concat(await Array.fromAsync(toUtf8(chunks(), encoding))).toString();
    for (const name of names.split(", ")) expect(text).toContain(name);
  },
);

test("a German file is read without a question, and a file from a Mac is not", async () => {
  const bytesOf = (name: string) => Bun.file(join(import.meta.dir, "encodings", `${name}.csv`)).bytes();
  const german = await bytesOf("germany");
  expect(await detectEncoding(() => [german], "pl")).toEqual({ encoding: "windows-1252", isSure: true });
  const mac = await bytesOf("mac");
  expect((await detectEncoding(() => [mac], "de")).isSure).toBe(false);
  const dialect = detectDialect(mac, { encoding: "macintosh", isSure: true }, { format: "csv" });
  expect(await sampleNames(inChunks(mac, 7), dialect)).toEqual(["Kätzchen", "Mäuschen", "Bär"]);
});

test("bytes that are invalid in the given encoding are refused with their line", async () => {
  const bytes = Buffer.from("Name,Category\nok,1\nbad \u0080,1\n", "latin1");
  const dialect = detectDialect(bytes, { encoding: "big5", isSure: true }, { format: "csv" });
  const records = await Array.fromAsync(readRecords(inChunks(bytes, 4), dialect));
  expect(records.map(({ fault }) => fault)).toEqual([undefined, undefined, "is not valid Big5"]);
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
    const found = detectDialect(new TextEncoder().encode(head), UTF_8, { format: "csv" });
    expect([head, found.separator]).toEqual([head, separator]);
  }
});

test("a workbook is refused by its first bytes, with what to do", async () => {
  for (const head of ["PK\x03\x04\x14\0\x06\0", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"])
    expect(() => detectDialect(Buffer.from(head, "latin1"), UTF_8, { format: "csv" })).toThrow(
      "Save the file as CSV",
    );
  expect(detectDialect(Buffer.from("PK,name\n"), UTF_8, { format: undefined }).format).toBe("csv");
});

test("a file that is not plain text is refused, but a control character in a cell concerns only its line", async () => {
  const picture = Buffer.from(Array.from({ length: 1_000 }, (_, index) => (index * 73) % 256));
  for (const [encoding, head] of [
    ["windows-1252", picture],
    ["utf-8", "\0".repeat(20)],
    ["utf-8", "%PDF-1.7\n"],
    ["utf-8", "\n<!DOCTYPE html>\n"],
    ["utf-8", '<?xml version="1.0"?>\n'],
  ] as const)
    expect(() => detectDialect(Buffer.from(head), { encoding, isSure: true }, { format: undefined })).toThrow(
      "The file is not plain text.",
    );
  const bell = "name,categoryId\nRing the bell: \x07,1\n";
  expect(detectDialect(Buffer.from(bell), UTF_8, { format: undefined }).separator).toBe(",");
});
