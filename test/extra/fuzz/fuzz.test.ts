import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { describedOperations } from "../../conformity/document.ts";
import { isQuickRun } from "../../quick-run.ts";
import type { ServerProcess } from "../../wire/process.ts";
import { send } from "../../wire/send.ts";
import { makeKey, onBothEngines } from "../../wire/server.ts";
import { fuzzBodies, fuzzOperations, fuzzReadBack } from "./fuzz.ts";

// A short run of `npm run lab -- fuzz`. Each run uses a new seed. A failure reports its seed; to repeat the run, set
// PETSTORE_FUZZ_SEED to that seed. PETSTORE_FUZZ_REQUESTS sets the number of generated requests, except in the quick run.

const seed = Number(process.env["PETSTORE_FUZZ_SEED"] ?? Date.now() % 2 ** 31);
const requests = Number(process.env["PETSTORE_FUZZ_REQUESTS"] ?? 20_000);
const { length: operations } = await describedOperations();
const runs = isQuickRun ? 60 : Math.ceil(requests / operations);

onBothEngines(({ startProcess }) => {
  let server: ServerProcess;
  let key: string;
  beforeAll(async () => {
    server = await startProcess();
    key = await makeKey(server.store);
  });
  afterAll(() => server.stop());

  describe(`requests made from the OpenAPI documents, seed ${seed}`, () => {
    test(`every answer of ${runs * operations} is a documented one: its status, its header, its body, and no 5xx`, async () => {
      const tallies = await fuzzOperations(server, key, { seed, runs });
      // If the service refused nearly all requests, the test would have tested nothing.
      const counts = Object.values(tallies).flatMap((tally) => Object.entries(tally));
      const done = counts.filter(([status]) => status.startsWith("2")).map(([, count]) => count);
      expect(done.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(50);
    });

    test("a valid animal is created, and is read back and listed as sent", async () => {
      await fuzzReadBack(server, key, { seed, runs: 60 });
    });

    test("hostile bodies are refused as documented, and the service is ready afterwards", async () => {
      await fuzzBodies(server, key, { seed, runs: 400 });
      expect((await send("GET", `${server.production.replace("/v1", "")}/readyz`)).status).toBe(200);
      expect(server.log()).not.toContain('"fault"');
    });
  });
});
