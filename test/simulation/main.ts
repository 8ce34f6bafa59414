// Repeats a simulation with the seed that a failed test has printed: node bin/bun.js test/simulation/main.ts 12345 [postgres]
import { simulate } from "./simulate.ts";

const [seed, engine] = process.argv.slice(2);
const { faults, trace } = await simulate(engine === "postgres" ? engine : "sqlite", Number(seed));
console.log([`seed ${seed}: answers ${trace.slice(0, 16)}`, ...faults].join("\n  "));
process.exit(faults.length === 0 ? 0 : 1);
