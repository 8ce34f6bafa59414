import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { opaqueParameter } from "./parameter.ts";
import { STORABLE_PATTERN, textSchema } from "./schema.ts";

/** Generates UTF-16 code units. Many of them are surrogates or U+0000, so that surrogate pairs and invalid texts are frequent. */
const codeUnits = fc
  .array(
    fc.oneof(
      fc.constantFrom(0, 0x0a, 0x61, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff),
      fc.nat(0xffff),
    ),
  )
  .map((units) => String.fromCharCode(...units));

describe("the documented pattern of a text", () => {
  test("matches what the service accepts and nothing else, with and without the u flag", () => {
    const schema = textSchema({ description: "" });
    const parameter = opaqueParameter({ description: "", expected: "" });
    const counts = { accepted: 0, refused: 0 };
    const agree = (text: string) => {
      const isAccepted = schema.safeParse(text).success;
      counts[isAccepted ? "accepted" : "refused"] += 1;
      for (const flags of ["", "u", "v"])
        expect([text, new RegExp(STORABLE_PATTERN, flags).test(text)]).toEqual([text, isAccepted]);
      expect(text !== "" && isAccepted).toBe(parameter.parse(text) !== undefined);
    };
    fc.assert(fc.property(codeUnits, agree), { numRuns: 2000 });
    fc.assert(fc.property(fc.string({ unit: "grapheme" }), agree));
    expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(300);
  });

  test("reads the longest text that a body may hold", () => {
    for (const flags of ["", "u"]) {
      const pattern = new RegExp(STORABLE_PATTERN, flags);
      for (const character of ["a", "🐈", "\n"]) {
        const long = character.repeat(65_536);
        expect([pattern.test(long), pattern.test(`${long}\0`), pattern.test(`${long}\ud800`)]).toEqual([
          true,
          false,
          false,
        ]);
      }
    }
  });
});
