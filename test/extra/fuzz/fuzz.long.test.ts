import { expect, test } from "bun:test";
import { describedOperations } from "../../conformity/document.ts";
import { makeKey, onBothEngines } from "../../wire/server.ts";
import { fuzzOperations } from "./fuzz.ts";

// PETSTORE_FUZZ_REQUESTS is the number of requests; PETSTORE_FUZZ_SEED replays a failure.

const seed = Number(process.env["PETSTORE_FUZZ_SEED"] ?? Date.now() % 2 ** 31);
const requests = Number(process.env["PETSTORE_FUZZ_REQUESTS"] ?? 20_000);

onBothEngines(({ startProcess }) => {
  test(`${requests} requests made from the OpenAPI documents, seed ${seed}: no undocumented status, header or body, no 5xx`, async () => {
    const server = await startProcess();
    const key = await makeKey(server.store);
    const runs = Math.ceil(requests / (await describedOperations()).length);
    const tallies = await fuzzOperations(server, key, { seed, runs });
    const counts = Object.values(tallies).flatMap((tally) => Object.values(tally));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(requests);
    expect(server.log()).not.toContain('"fault"');
    await server.stop();
  });
});
