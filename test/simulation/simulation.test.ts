import { describe, expect, test } from "bun:test";
import { hasPostgres } from "../machine.ts";
import { isQuickRun } from "../quick-run.ts";
import { simulate } from "./simulate.ts";
import type { Engine } from "./world.ts";

/**
 * Each test continues until it has used this much CPU time and has tried at least this many seeds. A busy machine needs more CPU
 * time for each seed.
 */
const BUDGETS = {
  sqlite: isQuickRun ? { seconds: 20, seeds: 10 } : { seconds: 160, seeds: 80 },
  postgres: { seconds: 40, seeds: 5 },
} as const;
/** The timeout of a test, which is longer than even a busy machine needs. */
const TIMEOUT_MS = 3_600_000;
const FIRST = Date.now() % 1_000_000_000;

const cpuSeconds = () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6;

async function runSeeds(engine: Engine): Promise<void> {
  const { seconds, seeds } = BUDGETS[engine];
  const endsAt = cpuSeconds() + seconds;
  let seed = FIRST;
  for (; cpuSeconds() < endsAt || seed - FIRST < seeds; seed++) {
    const { faults } = await simulate(engine, seed);
    expect(faults, `To repeat it: node bin/bun.js test/simulation/main.ts ${seed} ${engine}`).toEqual([]);
  }
}

describe("no acknowledged change is lost, executed twice or reported differently", () => {
  test("on SQLite, through crashes, restarts and changes of the clock", () => runSeeds("sqlite"), TIMEOUT_MS);

  if (!isQuickRun)
    test.skipIf(!hasPostgres)(
      "on PostgreSQL with two processes, through lost connections and changes of the clock",
      () => runSeeds("postgres"),
      TIMEOUT_MS,
    );

  test("the same seed on SQLite gives the same trace", async () => {
    expect((await simulate("sqlite", FIRST)).trace).toBe((await simulate("sqlite", FIRST)).trace);
  });
});
