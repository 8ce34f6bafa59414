// One seed, as a failed test prints it: node bin/bun.js test/simulation/main.ts 12345 [postgres]
import { simulate } from "./simulate.ts";

const [seed, engine] = process.argv.slice(2);
const { faults, crashes, trace } = await simulate(engine === "postgres" ? engine : "sqlite", Number(seed));
console.log(`seed ${seed}: ${crashes} crashes, answers ${trace.slice(0, 16)}`);
for (const fault of faults) console.log(`  ${fault}`);
process.exit(faults.length === 0 ? 0 : 1);
