import { afterAll, beforeAll, expect, test } from "bun:test";
import { DATABASES, openReadFaultBench, type ReadFaultBench } from "./read-faults.ts";

// Every fifth read and lock fails; read-faults.long.test.ts has all of them.

let bench: ReadFaultBench;
beforeAll(async () => {
  bench = await openReadFaultBench();
}, 120_000);
afterAll(() => bench.close());

const EVERY = 5;

test.each(DATABASES)(
  "%s: a read or a lock that fails costs its own request alone",
  async (database) => {
    for (const fault of [
      { call: "pread", goesOn: false },
      { call: "pread", goesOn: true },
      { call: "fcntl", goesOn: false },
    ] as const) {
      const { problems, passes } = await bench.sweep(database, fault, EVERY);
      expect(problems).toEqual([]);
      expect(passes).toBeGreaterThan(1);
    }
  },
  120_000,
);

test("nothing acknowledged is lost or doubled", async () => {
  expect(await bench.lost()).toEqual([]);
}, 120_000);
