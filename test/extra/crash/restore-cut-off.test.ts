import { expect, test } from "bun:test";
import { cutOffRestores } from "./restore-cut-off.ts";

// To save time, only every 31st file operation is interrupted. `npm run lab -- crash --kind restore` interrupts each one.

test("an interrupted restore loses nothing, and the next start gives true advice", async () => {
  const seed = Date.now() % 1_000_000;
  const { problems, interrupted } = await cutOffRestores(31, seed);
  expect(problems, `--kind restore --seed ${seed}`).toEqual([]);
  expect(interrupted.SIGKILL).toBeGreaterThan(0);
});
