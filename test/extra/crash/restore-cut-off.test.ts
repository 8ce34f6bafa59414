import { expect, test } from "bun:test";
import { cutOffRestores } from "./restore-cut-off.ts";

// This test interrupts every 31st call. `npm run lab -- crash --kind restore` interrupts every call.

test("an interrupted restore loses nothing, and the next start gives true advice", async () => {
  const seed = Date.now() % 1_000_000;
  const { problems, interrupted } = await cutOffRestores(31, seed);
  expect(problems, `--kind restore --seed ${seed}`).toEqual([]);
  expect(interrupted.SIGKILL).toBeGreaterThan(0);
});
