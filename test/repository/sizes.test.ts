import { expect, test } from "bun:test";
import { faultsOf, measure, SOURCE } from "../../scripts/sizes.ts";

test("files and functions are no larger than they should be, and no type is any; each file over the limit has a reason", async () => {
  const files = await measure(SOURCE);
  expect(files.length).toBeGreaterThan(200);
  expect(faultsOf(files)).toEqual([]);
});

test("a missed aim is reported", () => {
  const small = { path: "a.ts", lines: 20, functions: [5], anys: 0 };
  const large = { path: "b.ts", lines: 500, functions: [5, 71], anys: 1 };
  const faults = faultsOf([...Array.from({ length: 8 }, () => small), large, large]).join("\n");
  for (const fault of ["file p90: 500", "longest function: 71", "b.ts has any", "b.ts is over"])
    expect(faults).toContain(fault);
});
