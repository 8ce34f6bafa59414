import { expect, test } from "bun:test";
import { cutOffEverywhere } from "./cut-off.ts";

// To save time, only every 29th file operation fails in this test. `npm run lab -- crash --kind cut-off` makes each one fail.

test("a store whose start or end was interrupted, or hit a failing disk, starts with everything that was acknowledged", async () => {
  const seed = Date.now() % 1_000_000;
  const { problems, stores, failed } = await cutOffEverywhere({ every: 29, seed });
  expect(problems, `--kind cut-off --seed ${seed}`).toEqual([]);
  expect(stores).toBeGreaterThan(0);
  expect(Object.keys(failed)).toContainValues(["pwrite", "fsync", "open"]);
});
