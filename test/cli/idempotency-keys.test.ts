import { describe, expect, test } from "bun:test";
import { sha256 as sha256InPages } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import fc from "fast-check";
import { newPetSchema } from "../../src/cli/pet-files/check-pets.ts";
import { createLineCounter, idempotencyKeys } from "../../src/pet-files/idempotency-keys.ts";
import type { NewPet } from "../../src/pets/contract.ts";
import { sha256 } from "../../src/platform/sha256.ts";

const fluffy: NewPet = { name: "Fluffy", categoryId: 1, status: "available" };

describe("the idempotency key of an imported line", () => {
  test("is the one that earlier releases sent: a file that they imported is imported again without a new animal", () => {
    const keyOf = idempotencyKeys("animals.csv", sha256);
    const keys = [fluffy, fluffy, { name: 'Ada "A", the 1st', categoryId: 9223372036854775807n }].map(keyOf);
    expect(keys).toEqual([
      "import-de2f1053d5ac350bfd76b0544ba2081a134cf41386ef4c1454334822955ee577",
      "import-a9223b9b1f5c890d39d4a843f008a325d4e8553ced8ac22b1bd2bfad17952499",
      "import-f8ceb493823be09744c13e46fd03067d9b047314d102547000ca2abd54b1e9d1",
    ]);
  });

  for (const member of newPetSchema.keyof().options) {
    test(`differs for animals that differ in ${member}`, () => {
      const [one, other] = ["one", "other"].map((value) =>
        idempotencyKeys("b", sha256)({ ...fluffy, [member]: value }),
      );
      expect(one).not.toBe(other);
    });
  }

  test("contains the number of equal lines before the line", () => {
    const keyOf = idempotencyKeys("b", sha256);
    const named = (name: string) => ({ name, categoryId: 1 });
    const keys = ["a", "b", "a", "a", "b", ""].map((name) => keyOf(named(name)));
    expect(new Set(keys).size).toBe(keys.length);
    const again = idempotencyKeys("b", sha256);
    expect(["b", "", "a", "b", "a", "a"].map((name) => again(named(name))).sort()).toEqual(keys.sort());
  });

  test("does not change when a member that the animal does not have is undefined", () => {
    const { status: _, ...rex } = fluffy;
    expect(idempotencyKeys("b", sha256)({ ...rex, status: undefined })).toBe(
      idempotencyKeys("b", sha256)(rex),
    );
  });

  test("differs for 200,000 different animals", () => {
    const countBefore = createLineCounter(sha256);
    let equal = 0;
    // Multiplication by an odd number permutes the integers below 2^32, so these numbers are all different and in an irregular
    // order.
    for (let number = 1; number <= 200_000; number++) {
      const name = Math.imul(number, 0x9e3779b1).toString(36);
      if (countBefore(`["${name}",${number % 9},null]`) > 0) equal++;
    }
    expect(equal).toBe(0);
  });
});

test("the console's pages compute the same SHA-256: a file that is begun in one is finished by the other", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      const inPages: Uint8Array = sha256InPages(utf8ToBytes(text));
      expect(inPages).toEqual(sha256(text));
    }),
    { numRuns: 300 },
  );
});
