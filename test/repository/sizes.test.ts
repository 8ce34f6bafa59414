import { expect, test } from "bun:test";
import { faultsOf, measure, SOURCE } from "../../scripts/sizes.ts";

test("files and functions are no larger than they should be, and no type is any; whatever is over has a reason", async () => {
  const files = await measure(SOURCE);
  expect(files.length).toBeGreaterThan(200);
  expect(faultsOf(files)).toEqual([]);
});

test("an aim that is missed is told", () => {
  const small = { path: "a.ts", lines: 20, functions: [5], anys: 0 };
  const large = { path: "b.ts", lines: 500, functions: [5, 71], anys: 1 };
  const told = faultsOf([...Array.from({ length: 8 }, () => small), large, large]).join("\n");
  for (const fault of ["file p90: 500", "longest function: 71", "b.ts has any", "b.ts is over"])
    expect(told).toContain(fault);
});
