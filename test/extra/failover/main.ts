// `npm run lab -- failover` makes as many failovers as `--rounds` says, of PostgreSQL with a synchronous standby, under load, and
// prints a last line of counts. With `--prefix shopa_`, the names of the store's schemas begin with it. It exits with 1 if anything acknowledged was lost, done twice or contradicted, or an event was
// not delivered as it is in the log.
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
