import { expect, test } from "bun:test";
import { cutOffRestores } from "./restore-cut-off.ts";

// This test interrupts every 31st call. `npm run lab -- crash --kind restore` interrupts every call.

test("a restore that is interrupted loses nothing, and what the next start says is true", async () => {
  const seed = Date.now() % 1_000_000;
  const { problems, interrupted } = await cutOffRestores(31, seed);
  expect(problems, `--kind restore --seed ${seed}`).toEqual([]);
  expect(interrupted.SIGKILL).toBeGreaterThan(0);
});
