import { expect, test } from "bun:test";
import { cutOffEverywhere } from "./cut-off.ts";

// This test makes every 29th file call fail. `npm run lab -- crash --kind cut-off` makes every call fail, one at a time.

test("a store whose start or end was interrupted, or hit a failing disk, starts with everything that was acknowledged", async () => {
  const seed = Date.now() % 1_000_000;
  const { problems, stores, failed } = await cutOffEverywhere({ every: 29, seed });
  expect(problems, `--kind cut-off --seed ${seed}`).toEqual([]);
  expect(stores).toBeGreaterThan(0);
  expect(Object.keys(failed)).toContainValues(["pwrite", "fsync", "open"]);
});
