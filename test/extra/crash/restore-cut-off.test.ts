import { expect, test } from "bun:test";
import { cutOffRestores } from "./restore-cut-off.ts";

// `npm run lab -- crash --kind restore` interrupts each call instead of every 31st.

test("a restore that is interrupted loses nothing, and what the next start says is true", async () => {
  const seed = Date.now() % 1_000_000;
  const { problems, interrupted } = await cutOffRestores(31, seed);
  expect(problems, `--kind restore --seed ${seed}`).toEqual([]);
  expect(interrupted.SIGKILL).toBeGreaterThan(0);
});
