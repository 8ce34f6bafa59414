import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type CsvRecord, readCsv } from "../../src/pet-files/read-csv.ts";
import { readLines } from "../../src/pet-files/read-lines.ts";
import { writeCsv } from "../../src/pet-files/write-csv.ts";

const LIMIT = 1_000_000;

async function recordsOf(text: string, chunkBytes = 1 << 16, limit = LIMIT): Promise<CsvRecord[]> {
  const bytes = new TextEncoder().encode(text);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  return Array.fromAsync(
    readCsv(readLines(chunks(), limit), { maxBytes: limit, separator: ",", encoding: "UTF-8" }),
  );
}

const aCell = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.array(fc.constantFrom('"', ",", "\n", "\r", "\r\n", "a", "🦊", "\ufeff")).map((parts) => parts.join("")),
);
/** Each record has at least 2 cells, because one empty cell would be an empty line, which is not a record. */
const aRecord = fc.array(aCell, { minLength: 2, maxLength: 5 });

test("writeCsv quotes a cell that could end early in any reader", () => {
  expect(writeCsv(["plain", "a,b", 'say "hi"', "a\nb", "a\rb", " a ", ""])).toBe(
    'plain,"a,b","say ""hi""","a\nb","a\rb", a ,\r\n',
  );
});

describe("readCsv", () => {
  test("reads what writeCsv wrote, in chunks of any size", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(aRecord, { maxLength: 8 }),
        fc.integer({ min: 1, max: 20 }),
        async (all, size) => {
          const written = ["head,line\r\n", ...all.map(writeCsv)].join("");
          const [, ...read] = await recordsOf(written, size);
          expect(read.map(({ cells, fault }) => ({ cells, fault }))).toEqual(
            all.map((cells) => ({ cells, fault: undefined })),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  test("counts every line of any text in exactly one record", async () => {
    const anyText = fc.array(fc.constantFrom('"', ",", "\n", "\r\n", "x")).map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const records = await recordsOf(text, 3);
        const lines = text
          .split("\n")
          .map((line, index, all) => (index < all.length - 1 ? line.replace(/\r$/, "") : line));
        const covered = records.flatMap(({ line, lastLine }) =>
          Array.from({ length: lastLine - line + 1 }, (_, index) => line + index),
        );
        const spanned = new Set(covered);
        expect(spanned.size).toBe(covered.length);
        for (const [index, line] of lines.entries()) if (line !== "") expect(spanned).toContain(index + 1);
      }),
      { numRuns: 500 },
    );
  });

  test("continues after a broken record, with the next line", async () => {
    const records = await recordsOf('name,c\nA"x,1\nB,2\n"C"x,3\nD,4\n"E,5\nF,6\n');
    expect(
      records
        .slice(1)
        .map(({ line, lastLine, cells, fault }) =>
          fault === undefined ? cells.join() : [line, lastLine, fault],
        ),
    ).toEqual([
      [2, 2, "has a quote in a cell that does not begin with a quote"],
      "B,2",
      [4, 4, "has text between a closing quote and the end of the cell"],
      "D,4",
      [6, 7, "has an opening quote without a closing quote"],
    ]);
  });

  test("refuses a line, or a quote that stays open, beyond its limit", async () => {
    await expect(recordsOf(`a,b\n${"x".repeat(300)}\n`, 16, 200)).rejects.toThrow(
      "Line 2 is longer than 200 bytes.",
    );
    for (const open of [`"open,1\n${"x,1\n".repeat(100)}`, `"open${"\n".repeat(300)}`])
      await expect(recordsOf(`a,b\n${open}`, 16, 200)).rejects.toThrow(
        "Line 2 has an opening quote without a closing quote.",
      );
  });

  test("reads a line of a million cells like any other", async () => {
    const records = await recordsOf(`a,b\n${",".repeat(999_999)}\nB,2\n`, 1 << 16, 2_000_000);
    expect(records.map(({ cells }) => cells.length)).toEqual([2, 1_000_000, 2]);
  });
});
