// `npm run lab -- failover --rounds N` causes N failovers under load. The database is PostgreSQL with a synchronous standby or,
// with `--patroni`, three servers under Patroni 4. With `--prefix shopa_`, the names of the store's schemas begin with that prefix.
// The last line of the output contains the counts. The program exits with 1 if anything acknowledged was lost or executed twice, or
// if the delivered events differ from the log.
import { parseArgs } from "node:util";
import { isFaulty } from "../crash/run.ts";
import { KINDS, startPair } from "./pair.ts";
import { PATRONI_KINDS, startPatroni } from "./patroni.ts";
import { longestOf, resultOf, runFailovers } from "./run.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "10" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    prefix: { type: "string", default: "" },
    patroni: { type: "boolean", default: false },
  },
});
const { prefix } = values;
const seed = Number(values.seed);
const rounds = Number(values.rounds);

console.error(`--rounds ${rounds} --seed ${seed}`);
const common = { seed, prefix, log: (line: string) => console.error(line) };
const { ledger, found, gaps } = values.patroni
  ? await runFailovers({ ...common, start: startPatroni, kinds: inTurn(PATRONI_KINDS) })
  : await runFailovers({ ...common, start: startPair, kinds: inTurn(KINDS) });
console.log(`${rounds} failovers, seed ${seed}: longest gap ${longestOf(gaps)}, ${resultOf(ledger, found)}`);
process.exit(isFaulty({ ...ledger.faults, ...found }) ? 1 : 0);

function inTurn<Kind>(kinds: readonly Kind[]): readonly Kind[] {
  return Array.from({ length: rounds }, (_, round) => kinds[round % kinds.length]).filter(
    (kind) => kind !== undefined,
  );
}
