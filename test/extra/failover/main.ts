// `npm run lab -- failover`: `--rounds` failovers of PostgreSQL with a synchronous standby, under load, and a last line of
// counts. Exits with 1 when anything acknowledged was lost, done twice or contradicted.
import { parseArgs } from "node:util";
import { isFaulty } from "../crash/run.ts";
import { KINDS, resultOf, runFailovers } from "./run.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "10" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const seed = Number(values.seed);
const kinds = Array.from(
  { length: Number(values.rounds) },
  (_, round) => KINDS[round % KINDS.length] ?? "killed",
);

console.error(`--rounds ${kinds.length} --seed ${seed}`);
const { acknowledged, gaps, staleReads, revokedAdmitted, ...faults } = await runFailovers({
  ...{ kinds, seed },
  log: (line) => console.error(line),
});
const [shortest = 0, longest = 0] = [Math.min(...gaps), Math.max(...gaps)].map((gap) => gap / 1000);
console.log(
  `${kinds.length} failovers, seed ${seed}: gap ${shortest.toFixed(1)} to ${longest.toFixed(1)} s, ` +
    resultOf({ acknowledged, faults }, { staleReads, revokedAdmitted }),
);
process.exit(isFaulty(faults) || staleReads + revokedAdmitted > 0 ? 1 : 0);
