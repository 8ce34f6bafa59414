// `npm run lab -- failover` causes the number of failovers given by `--rounds`, under load. The database is PostgreSQL with a
// synchronous standby. With `--prefix shopa_`, the names of the store's schemas begin with that prefix. The last line has the
// counts. The program exits with 1 if anything acknowledged was lost, executed twice or delivered differently from the log.
import { parseArgs } from "node:util";
import { isFaulty } from "../crash/run.ts";
import { KINDS, longestOf, resultOf, runFailovers } from "./run.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "10" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    prefix: { type: "string", default: "" },
  },
});
const { prefix } = values;
const seed = Number(values.seed);
const kinds = Array.from(
  { length: Number(values.rounds) },
  (_, round) => KINDS[round % KINDS.length] ?? "killed",
);

console.error(`--rounds ${kinds.length} --seed ${seed}`);
const { ledger, found, gaps } = await runFailovers({
  kinds,
  seed,
  prefix,
  log: (line) => console.error(line),
});
console.log(
  `${kinds.length} failovers, seed ${seed}: longest gap ${longestOf(gaps)}, ${resultOf(ledger, found)}`,
);
process.exit(isFaulty({ ...ledger.faults, ...found }) ? 1 : 0);
