// `npm run test:fuzz -- --seed S --runs N`: the long form, on either engine.
import { rm } from "node:fs/promises";
import { parseArgs } from "node:util";
import { freshEmbeddedStore, freshPostgresStore, makeKey, startServer } from "../wire/server.ts";
import { fuzzBodies, fuzzOperations, fuzzReadBack } from "./fuzz.ts";

const { values } = parseArgs({
  options: {
    /** Several with commas between them. */
    seed: { type: "string", default: "1,2,3,4,5" },
    /** Hostile bodies; every operation gets a tenth of that in requests. */
    runs: { type: "string", default: "10000" },
    engine: { type: "string", default: "sqlite" },
  },
});
const runs = Number(values.runs);
const store = await (values.engine === "postgres" ? freshPostgresStore() : freshEmbeddedStore());
const server = await startServer({ store });
const key = await makeKey(store);
try {
  for (const seed of values.seed.split(",").map(Number)) {
    const bodies = await fuzzBodies(server, key, { seed, runs });
    console.log(`seed ${seed}: ${runs} hostile bodies: ${JSON.stringify(bodies)}`);
    const operations = await fuzzOperations(server, key, { seed, runs: Math.ceil(runs / 10) });
    for (const [id, tally] of Object.entries(operations)) console.log(`  ${id}: ${JSON.stringify(tally)}`);
    await fuzzReadBack(server, key, { seed, runs: Math.ceil(runs / 10) });
    console.log(`  ${Math.ceil(runs / 10)} animals read back as they were sent`);
  }
} catch (error) {
  console.log(String(error));
  process.exitCode = 1;
}
await server.stop();
await rm(store.dataDir, { recursive: true, force: true });
// A database server of our own would keep this program alive.
process.exit();
