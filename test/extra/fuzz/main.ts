// `npm run lab -- fuzz --seed S --runs N` is the long form of the fuzz test. It runs on SQLite or PostgreSQL.
import { rm } from "node:fs/promises";
import { parseArgs } from "node:util";
import { makeKey, startServer } from "../../wire/server.ts";
import { freshEmbeddedStore, freshPostgresStore } from "../../wire/stores.ts";
import { fuzzBodies, fuzzOperations, fuzzReadBack } from "./fuzz.ts";

const { values } = parseArgs({
  options: {
    /** The seeds of the random generator, separated by commas. */
    seed: { type: "string", default: "1,2,3,4,5" },
    /** The number of requests with a hostile body. Each operation also gets a tenth as many random requests. */
    runs: { type: "string", default: "10000" },
    engine: { type: "string", default: "sqlite" },
  },
});
const runs = Number(values.runs);

try {
  for (const seed of values.seed.split(",").map(Number)) await runSeed(seed);
} catch (error) {
  console.log(String(error));
  process.exitCode = 1;
}
// The program exits explicitly, because a PostgreSQL server that it has started would keep it running.
process.exit();

/** Each seed gets a new store, so that a run with only one seed gives the same results for it. */
async function runSeed(seed: number): Promise<void> {
  const store = await (values.engine === "postgres" ? freshPostgresStore() : freshEmbeddedStore());
  const server = await startServer({ store });
  try {
    const key = await makeKey(store);
    const operations = await fuzzOperations(server, key, { seed, runs: Math.ceil(runs / 10) });
    console.log(`seed ${seed}`);
    for (const [id, tally] of Object.entries(operations)) console.log(`  ${id}: ${JSON.stringify(tally)}`);
    console.log(`  ${runs} hostile bodies: ${JSON.stringify(await fuzzBodies(server, key, { seed, runs }))}`);
    await fuzzReadBack(server, key, { seed, runs: Math.ceil(runs / 10) });
    console.log(`  ${Math.ceil(runs / 10)} animals read back as they were sent`);
  } finally {
    await server.stop();
    await rm(store.dataDir, { recursive: true, force: true });
  }
}
