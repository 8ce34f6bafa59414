import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { FAULTS } from "../mutations/faults.ts";

// `npm run test:mutations` makes these faults one by one; here only that they can still be made.

const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));

describe("every deliberate fault", () => {
  test("there are twelve of them, each another one", () => {
    expect(new Set(FAULTS.map(({ fault }) => fault)).size).toBe(12);
  });

  for (const { fault, file, before, after, tests } of FAULTS) {
    test(`${fault}: what it changes stands once in ${file}, and its tests are there`, async () => {
      const text = await Bun.file(PROJECT + file).text();
      expect(text.split(before)).toHaveLength(2);
      expect(after).not.toBe(before);
      expect(tests.filter((path) => !existsSync(PROJECT + path))).toEqual([]);
    });
  }
});
