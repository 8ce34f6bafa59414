import { describe, expect, test } from "bun:test";

// Every promise in SECURITY.md names the tests that hold it; here, that they exist.

const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));
const text = await Bun.file(`${PROJECT}SECURITY.md`).text();
const rows = text.split("\n").filter((line) => /^\| (?!risk|threat|---)/.test(line));

/** The tests that a row names: a file, then titles in italics. */
function testsIn(row: string): readonly { readonly path: string; readonly titles: readonly string[] }[] {
  return row
    .split(/(?=`(?:src|test)\/[\w./-]+\.test\.ts`)/)
    .slice(1)
    .map((part) => ({
      path: /`([^`]+)`/.exec(part)?.[1] ?? "",
      titles: [...part.matchAll(/\*([^*]+)\*/g)].map(([, title = ""]) => title),
    }));
}

describe("SECURITY.md", () => {
  test("answers each of the OWASP API Security Top 10 of 2023, in order", () => {
    const risks = rows.map((row) => /^\| API(\d+) /.exec(row)?.[1]).filter((risk) => risk !== undefined);
    expect(risks).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]);
  });

  for (const row of rows) {
    const [, risk = ""] = row.split("|");
    test(`${risk.trim()}: is held by tests that are there, under these titles`, async () => {
      const named = testsIn(row);
      expect(named.length).toBeGreaterThan(0);
      for (const { path, titles } of named) {
        expect([path, titles.length]).not.toEqual([path, 0]);
        const source = await Bun.file(PROJECT + path).text();
        const missing = titles.filter(
          (title) => !['"', "`"].some((quote) => source.includes(quote + title + quote)),
        );
        expect([path, missing]).toEqual([path, []]);
      }
    });
  }
});
