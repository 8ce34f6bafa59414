import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as contract from "../src/contract/json/json.ts";
import { exactNumber } from "./exact-number.ts";
import { readJson } from "./read-json.ts";
import { writeJson } from "./write-json.ts";

// The service has another JSON reader and writer, which need a runtime that gives access to the source text of a number. The
// reader and writer in this package work in any runtime, but must give the same results.

const RUNS = { numRuns: 500 };

const int64 = fc
  .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
  .map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value));
const fraction = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .filter((value) => !Number.isInteger(value));
const text = fc.string({ unit: "binary" });
const name = fc.oneof(text, fc.constantFrom("__proto__", "constructor", "toString", ""));

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(int64, int64, fraction, text, fc.boolean(), fc.constant(null)),
    fc.array(tie("value")),
    fc.dictionary(name, tie("value"), { noNullPrototype: true }),
  ),
}));

/** Generates valid JSON spellings of a number. */
const number = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.oneof(fc.constant("0"), fc.stringMatching(/^[1-9][0-9]{0,24}$/)),
    fc.oneof(fc.constant(""), fc.stringMatching(/^\.[0-9]{1,24}$/)),
    fc.oneof(fc.constant(""), fc.stringMatching(/^[eE][+-]?[0-9]{1,2}$/)),
  )
  .map((parts) => parts.join(""));

/** Generates random tokens, which are mostly invalid JSON. */
const scribble = fc
  .array(fc.constantFrom(...'{}[]:,"\\"\\01e-. \tntu', "true", "null", '"a"', "-0", "1.5", "\u00a0"), {
    maxLength: 14,
  })
  .map((parts) => parts.join(""));

/**
 * Parses every number exactly, from its source text. The two readers under test do so only if the JSON text may contain a number
 * that `JSON.parse` would round.
 */
function parseExactly(json: string): unknown {
  return JSON.parse(json, (_name, value: unknown, { source = "" }: { readonly source?: string }) =>
    typeof value === "number" ? exactNumber(source) : value,
  );
}

describe("readJson", () => {
  test("reads the contract's JSON in the same way as the contract's reader", () => {
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2), (original, indent) => {
        const written = contract.writeJson(original, indent);
        expect(readJson(written)).toEqual(parseExactly(written));
        expect(contract.parseJson(written)).toEqual(parseExactly(written));
      }),
      RUNS,
    );
  });

  test("reads every spelling of a number as the contract's reader does, to the last digit", () => {
    fc.assert(
      fc.property(number, fc.constantFrom("", " ", "\n\t"), (spelling, space) => {
        for (const json of [
          spelling,
          `${spelling}${space}`,
          `[${spelling}${space},1]`,
          `{"a":${spelling}${space}}`,
        ])
          for (const read of [readJson, contract.parseJson])
            expect([json, read(json)]).toEqual([json, parseExactly(json)]);
        expect(Object.is(readJson(spelling), parseExactly(spelling))).toBe(true);
      }),
      { numRuns: 5_000 },
    );
    expect(readJson("9007199254740993")).toBe(9007199254740993n);
    expect(readJson("[9007199254740993,9007199254740993.0,9.007199254740993e15,1e20]")).toEqual([
      9007199254740993n,
      9007199254740993n,
      9007199254740993n,
      100000000000000000000n,
    ]);
  });

  test("refuses what is not JSON, and nothing else", () => {
    const isJson = (text: string) => accepts(() => JSON.parse(text));
    fc.assert(
      fc.property(scribble, (text) => {
        // `1e0` and `-0` make both readers use their slower, exact path.
        for (const whole of [text, `[1e0,${text}]`, `{"a":-0,"b":${text}}`])
          expect([whole, accepts(() => readJson(whole))]).toEqual([whole, isJson(whole)]);
      }),
      { numRuns: 5_000 },
    );
  });

  test("keeps the last of two equal members and reads __proto__ as an ordinary one, like JSON.parse", () => {
    expect(readJson('{"a":1.0,"a":2}')).toEqual({ a: 2 });
    const parsed = readJson('{"__proto__":{"polluted":1.0}}') as Record<string, unknown>;
    expect([Object.hasOwn(parsed, "__proto__"), parsed["polluted"]]).toEqual([true, undefined]);
  });

  test("a long string, deep nesting and many escapes neither overflow the stack nor take quadratic time", () => {
    for (const piece of ["1.1", "1e1 ", "-0 ", "0.0e", "\\\\", `${"1".repeat(15)}.`]) {
      const text = piece.repeat(1_000_000 / piece.length);
      expect(readJson(`[-0,"${text}"]`)).toEqual([0, JSON.parse(`"${text}"`)]);
      expect(readJson(`"${text}"`)).toBe(JSON.parse(`"${text}"`));
    }
    const long = 'x\\"'.repeat(2_000_000);
    expect(readJson(`[1.0,"${long}"]`)).toEqual([1, 'x"'.repeat(2_000_000)]);
    expect(() => readJson(`${"[".repeat(1_000_000)}1.0`)).toThrow(SyntaxError);
    expect(readJson(`${"[".repeat(64)}1.0${"]".repeat(64)}`)).toBeArray();
  });
});

describe("writeJson", () => {
  afterEach(() => {
    Reflect.deleteProperty(BigInt.prototype, "toJSON");
  });

  test("writes the same text as the contract's writer", () => {
    fc.assert(
      fc.property(value, (original) => {
        expect(writeJson(original)).toBe(contract.writeJson(original));
      }),
      RUNS,
    );
  });

  test("leaves out and replaces the same values as JSON.stringify", () => {
    const odd = {
      a: undefined,
      b: [undefined, () => 1, Symbol("s")],
      c: () => 1,
      d: new Date(0),
      e: { toJSON: () => ({ f: 1 }) },
      g: Object.create({ inherited: 1 }),
      h: -0,
    };
    expect(writeJson(odd)).toBe(JSON.stringify(odd));
    expect(writeJson(undefined)).toBe("null");
  });

  test("keeps every digit in a program that has given BigInt a toJSON", () => {
    Object.defineProperty(BigInt.prototype, "toJSON", {
      value(this: bigint) {
        return String(this);
      },
      configurable: true,
    });
    expect(JSON.stringify({ a: 1n })).toBe('{"a":"1"}');
    expect(writeJson({ a: 9007199254740993n })).toBe('{"a":9007199254740993}');
  });

  test("refuses a number that may have been rounded, or that JSON cannot represent", () => {
    for (const wrong of [2 ** 53, -(2 ** 53), 1e300, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => writeJson({ categoryId: wrong })).toThrow(TypeError);
    }
    expect(writeJson([2 ** 53 - 1, 0.5])).toBe("[9007199254740991,0.5]");
  });
});

function accepts(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
