import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { PROJECT } from "../../repository/documents.ts";
import { FAULTS } from "./faults.ts";

test("each mutation still applies to the sources, and its tests exist", async () => {
  expect(FAULTS.length).toBeGreaterThanOrEqual(20);
  expect(new Set(FAULTS.map(({ fault }) => fault)).size).toBe(FAULTS.length);
  for (const { fault, file, before, after, tests } of FAULTS) {
    const text = await Bun.file(join(PROJECT, file)).text();
    expect([fault, text.split(before).length - 1, before === after]).toEqual([fault, 1, false]);
    expect([fault, tests.filter((path) => !existsSync(join(PROJECT, path)))]).toEqual([fault, []]);
  }
});
