// `npm run lab -- crash --rounds N` crashes a store N times, and prints the counts in its last line. It exits with 1 if anything
// that was acknowledged was lost, was executed twice, or has a different identifier. `--kind control` is expected to lose data, so
// it exits with 1 if nothing was lost. `--kind cut-off` takes no rounds: it makes each file operation of a start and a shutdown
// fail, and ends the process before each of them. `--kind restore` does the same during a restore.
import { parseArgs } from "node:util";
import { cutOffEverywhere } from "./cut-off.ts";
import { cutOffRestores } from "./restore-cut-off.ts";
import { countsOf, isFaulty, runCrashes } from "./run.ts";
import { ENGINES, type Engine, KINDS, type Kind } from "./targets.ts";

const { values } = parseArgs({
  options: {
    engine: { type: "string", default: "sqlite" },
    kind: { type: "string", default: "kill" },
    rounds: { type: "string", default: "20" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const engine = oneOf<Engine>("engine", values.engine, ENGINES);
const seed = wholeNumber("seed", values.seed);
if (values.kind === "cut-off") await cutOff(seed);
if (values.kind === "restore") await cutRestores(seed);
const kind = oneOf<Kind>("kind", values.kind, Object.keys(KINDS) as Kind[]);
const isPossible = (KINDS[kind] as readonly Engine[]).includes(engine);
if (!isPossible) fail(`--kind ${kind} needs --engine ${KINDS[kind].join(" or ")}.`);
const rounds = wholeNumber("rounds", values.rounds);

console.error(`--engine ${engine} --kind ${kind} --rounds ${rounds} --seed ${seed}`);
const { acknowledged, evidence, ...faults } = await runCrashes({
  ...{ engine, kind, rounds, seed },
  log: (line) => console.error(line),
});
console.log(`${engine} ${kind}, ${rounds} rounds, seed ${seed}: ${countsOf({ acknowledged, faults })}`);
const hasPassed = kind === "control" ? faults.lost > 0 : !isFaulty(faults);
if (!hasPassed)
  console.error(
    kind === "control" ? "Nothing was lost: the harness detects nothing." : `Look at ${evidence}.`,
  );
process.exit(hasPassed ? 0 : 1);

async function cutOff(seed: number): Promise<never> {
  const { problems, stores, failed } = await cutOffEverywhere({ every: 1, seed });
  for (const problem of problems) console.error(problem);
  const calls = Object.entries(failed).map(([call, count]) => `${call} ${count}`);
  console.log(
    `${stores} stores opened again, seed ${seed}: ${problems.length} problems. Failed calls: ${calls.join(", ")}`,
  );
  process.exit(problems.length === 0 ? 0 : 1);
}

async function cutRestores(seed: number): Promise<never> {
  const { problems, interrupted } = await cutOffRestores(1, seed);
  for (const problem of problems) console.error(problem);
  const counts = Object.entries(interrupted).map(([by, count]) => `${by} ${count}`);
  console.log(`Restores interrupted, seed ${seed}: ${counts.join(", ")}: ${problems.length} problems.`);
  process.exit(problems.length === 0 ? 0 : 1);
}

function oneOf<Name extends string>(option: string, value: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === value);
  return found ?? fail(`--${option} takes ${names.join(", ")}.`);
}

function wholeNumber(option: string, value: string): number {
  return /^\d{1,9}$/.test(value) ? Number(value) : fail(`--${option} takes a whole number.`);
}

function fail(message: string): never {
  console.error(`crash: ${message}`);
  process.exit(2);
}
