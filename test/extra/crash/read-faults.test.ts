import { afterAll, beforeAll, expect, test } from "bun:test";
import { isQuickRun } from "../../quick-run.ts";
import { DATABASES, openReadFaultBench, type ReadFaultBench } from "./read-faults.ts";

// Each read and each lock in a fixed sequence of requests fails once, alone or together with all later ones. The quick run tests
// only every fifth read and lock.

const EVERY = isQuickRun ? 5 : 1;

let bench: ReadFaultBench;
beforeAll(async () => {
  bench = await openReadFaultBench();
});
afterAll(() => bench.close());

const FAULTS = [
  { call: "pread", goesOn: false },
  { call: "pread", goesOn: true },
  // Locks that fail permanently (docs/guides/operate.md) are not tested, because SQLite waits 10 s for each of them.
  { call: "fcntl", goesOn: false },
] as const;

for (const database of DATABASES)
  test.each(FAULTS)(`${database}, %o: responses are truthful, and readiness reports it`, async (fault) => {
    const { problems, passes } = await bench.sweep(database, fault, EVERY);
    expect(problems).toEqual([]);
    expect(passes).toBeGreaterThan(5 / EVERY);
  });

// SQLite opens its files only when the service starts. A start makes hundreds of reads and locks, so only some of them are made to
// fail.
if (!isQuickRun)
  test.each([
    { call: "open", goesOn: false, every: 1 },
    { call: "open", goesOn: true, every: 3 },
    { call: "fcntl", goesOn: false, every: 7 },
    { call: "pread", goesOn: false, every: 11 },
  ] as const)("a start, %o: it serves, or is refused in one line", async ({ every, ...fault }) => {
    const { problems, passes } = await bench.sweepStart(fault, every);
    expect(problems).toEqual([]);
    expect(passes).toBeGreaterThan(5);
  });

test("nothing acknowledged is lost or stored twice", async () => {
  expect(await bench.lost()).toEqual([]);
});
