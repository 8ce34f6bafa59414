import { afterAll, beforeAll, expect, test } from "bun:test";
import { DATABASES, openReadFaultBench, type ReadFaultBench } from "./read-faults.ts";

// Each write and sync in a fixed sequence of requests fails once. By default, only every fifth write fails. With
// PETSTORE_FAULT_EVERY=1, each write fails.

const EVERY = Number(process.env["PETSTORE_FAULT_EVERY"] ?? 5);
const LOG_BYTES = 4_200_000; // the size of the write-ahead log at which the next commit starts a checkpoint

let bench: ReadFaultBench;
beforeAll(async () => {
  bench = await openReadFaultBench();
});
afterAll(() => bench.close());

for (const database of DATABASES)
  test(`${database}: a failed commit closes the service or ends the process, and the other services still answer`, async () => {
    const swept = [
      await bench.sweep(database, { call: "pwrite", goesOn: false }, EVERY),
      await bench.sweep(database, { call: "pwrite", goesOn: false }, 101, LOG_BYTES),
      await bench.sweep(database, { call: "fsync", goesOn: false }, 1, LOG_BYTES),
    ];
    expect(swept.flatMap(({ problems }) => problems)).toEqual([]);
    for (const { closed } of swept) expect(closed).toBeGreaterThan(0);
  });

test("nothing acknowledged is lost or stored twice", async () => {
  expect(await bench.lost()).toEqual([]);
});
