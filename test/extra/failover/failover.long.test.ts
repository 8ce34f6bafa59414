import { expect, test } from "bun:test";
import { KINDS, startPair } from "./pair.ts";
import { runFailovers } from "./run.ts";

// A short run of `npm run lab -- failover`, which makes the database fail over under load.

const SEED = Date.now() % 1_000_000;

test.each([
  ["after the primary was killed, frozen, or cut off from its standby", KINDS, ""],
  ["with a prefix of the schemas", KINDS.slice(0, 1), "shopa_"],
] as const)("no acknowledged change and no event is lost or duplicated, %s", async (_when, kinds, prefix) => {
  const lines = [`seed ${SEED}`];
  const { ledger, found, gaps } = await runFailovers({
    start: startPair,
    kinds,
    prefix,
    seed: SEED,
    log: (line) => lines.push(line),
  });
  expect(
    Object.entries({ ...ledger.faults, ...found }).filter(([, count]) => count > 0),
    lines.join("\n"),
  ).toEqual([]);
  expect(ledger.acknowledged).toBeGreaterThan(400 * kinds.length);
  expect(gaps).toHaveLength(kinds.length);
});
