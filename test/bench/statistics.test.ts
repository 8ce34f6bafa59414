import { expect, test } from "bun:test";
import { ratios, summarize } from "../../bench/statistics.ts";

const rounds = (...values: readonly number[]) => new Map(values.entries());

test("ratios are taken within a round, and a round that one side lacks does not count", () => {
  expect(ratios(rounds(10, 40, 90), rounds(10, 20, 30))).toEqual({ middle: 2, low: 1, high: 3 });
  expect(ratios(rounds(10, 40, 90), rounds(10, 20))).toEqual({ middle: 1.5, low: 1, high: 2 });
  expect(ratios(rounds(10, 40, 90), new Map([[1, 20]]))).toEqual({ middle: 2, low: 2, high: 2 });
  expect(summarize([]).middle).toBeNaN();
});
