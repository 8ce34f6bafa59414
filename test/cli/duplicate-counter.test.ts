import { expect, test } from "bun:test";
import { createDuplicateCounter } from "../../src/cli/pet-files/duplicate-counter.ts";

test("counts each text by itself, as often as it comes", () => {
  const occurrenceOf = createDuplicateCounter();
  expect(["a", "b", "a", "a", "b", ""].map(occurrenceOf)).toEqual([0, 0, 1, 2, 1, 0]);
});

test("takes no two of a million animals for the same one", () => {
  const occurrenceOf = createDuplicateCounter();
  let isLike = 0;
  // Multiplying by an odd number goes through all of 2^32, in what looks like no order.
  for (let number = 1; number <= 1_000_000; number++) {
    const name = Math.imul(number, 0x9e3779b1).toString(36);
    if (occurrenceOf(`["${name}",${number % 9},null]`) > 0) isLike++;
  }
  expect(isLike).toBe(0);
});
