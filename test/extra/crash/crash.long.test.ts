import { describe, expect, test } from "bun:test";
import { createLedger } from "./ledger.ts";
import { type CrashOptions, runCrashes } from "./run.ts";

// A short run of `npm run lab -- crash`, which kills real processes under load and checks the stored data.

const SEED = Number(process.env["PETSTORE_CRASH_SEED"] ?? Date.now() % 1_000_000);
const { faults: NOTHING } = createLedger(() => {});

async function crash({ seed = SEED, ...options }: Omit<CrashOptions, "seed"> & { seed?: number }) {
  const lines: string[] = [`seed ${seed}`];
  const { acknowledged, evidence, ...faults } = await runCrashes({
    ...options,
    seed,
    longest: 400,
    log: (line) => lines.push(line),
  });
  // The log of the crash test, which is printed if an assertion fails.
  return { acknowledged, faults, story: [...lines, evidence].join("\n") };
}

describe("everything acknowledged is stored exactly once, with its identifier, after", () => {
  for (const options of [
    { engine: "sqlite", kind: "kill", rounds: 4 },
    { engine: "sqlite", kind: "power", rounds: 5 },
    { engine: "sqlite", kind: "full", rounds: 1 },
    { engine: "sqlite", kind: "sync", rounds: 1 },
    { engine: "postgres", kind: "kill", rounds: 5 },
    { engine: "postgres", kind: "database", rounds: 4 },
    { engine: "postgres", kind: "frozen", rounds: 1 },
  ] as const) {
    test(`repeated crashes of kind ${options.kind} on ${options.engine} under load`, async () => {
      const { acknowledged, faults, story } = await crash(options);
      expect(faults, story).toEqual(NOTHING);
      expect(acknowledged).toBeGreaterThan(20 * options.rounds);
    });
  }
});

describe("the harness", () => {
  test("detects what a power loss removes from a store that does not sync its commits", async () => {
    const { faults, story } = await crash({ engine: "sqlite", kind: "control", rounds: 4, seed: 7 });
    expect(faults.lost, story).toBeGreaterThan(0);
  });
});
