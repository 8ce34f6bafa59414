// `npm run lab -- crash`: `--rounds` crashes, and a last line of counts. Exits with 1 if anything acknowledged was lost,
// done twice or renumbered; `--kind control`, which must lose data, exits with 1 if nothing was.
import { parseArgs } from "node:util";
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
const kind = oneOf<Kind>("kind", values.kind, Object.keys(KINDS) as Kind[]);
const isPossible = (KINDS[kind] as readonly Engine[]).includes(engine);
if (!isPossible) fail(`--kind ${kind} needs --engine ${KINDS[kind].join(" or ")}.`);
const rounds = wholeNumber("rounds", values.rounds);
const seed = wholeNumber("seed", values.seed);

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
