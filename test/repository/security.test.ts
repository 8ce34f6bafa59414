import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { PROJECT } from "./documents.ts";

// Every promise in SECURITY.md names the test files that check it.

const text = await Bun.file(`${PROJECT}SECURITY.md`).text();
const rows = text.split("\n").filter((line) => /^\| (?!risk|threat|---)/.test(line));

describe("SECURITY.md", () => {
  test("answers each of the OWASP API Security Top 10 of 2023, in order", () => {
    const risks = rows.map((row) => /^\| API(\d+) /.exec(row)?.[1]).filter((risk) => risk !== undefined);
    expect(risks).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]);
  });

  for (const row of rows) {
    const [, risk = ""] = row.split("|");
    test(`${risk.trim()}: names test files that exist`, () => {
      const named = [...row.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, path = ""]) => path);
      expect(named.length).toBeGreaterThan(0);
      expect(named.filter((path) => !existsSync(PROJECT + path))).toEqual([]);
    });
  }
});
