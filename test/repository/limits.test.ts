import { expect, test } from "bun:test";

// SQLite plans a statement anew at every execution when its LIMIT is a bare parameter, because the plan depends on the number:
// 24 µs of a page of 20. `LIMIT CAST($1 AS BIGINT)` is an expression, and its statement is planned once.

const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));

test("no statement has a bare parameter as its LIMIT", async () => {
  const found: string[] = [];
  for (const path of new Bun.Glob("src/**/*.{ts,sql}").scanSync({ cwd: PROJECT })) {
    const text = await Bun.file(PROJECT + path).text();
    for (const [limit] of text.matchAll(/\b(LIMIT|OFFSET)\s+[$?:@].*/g)) found.push(`${path}: ${limit}`);
  }
  expect(found).toEqual([]);
});
