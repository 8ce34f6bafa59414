import { describe, expect, test } from "bun:test";
import { JsonError, parseJson, readJson, writeJson } from "./json.ts";

describe("reading JSON", () => {
  test("agrees with JSON.parse wherever a double holds every number", () => {
    for (const text of ['{"a":[1,-2,0.5,1e-3,"x\\n",true,null,{"":{}}]}', "[]", '"é"', " 12 ", "-0.25"]) {
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }
  });

  test("an integer beyond 2^53 is a bigint, and a smaller one is a number", () => {
    expect(parseJson("[9007199254740991,9007199254740992,-9007199254740993]")).toEqual([
      9007199254740991,
      9007199254740992n,
      -9007199254740993n,
    ]);
  });

  test("a fraction never becomes an integer by rounding", () => {
    expect(parseJson("1.00000000000000000001")).toBeNaN();
    expect(parseJson("0.30000000000000000001")).toBe(0.3);
  });

  test("digits inside strings are not changed", () => {
    expect(parseJson('{"phone":"12345678901234567890","v":"1.5e3"}')).toEqual({
      phone: "12345678901234567890",
      v: "1.5e3",
    });
  });

  test("a member given twice is refused at any depth; the same name in another object is not", () => {
    expect(() => parseJson('[{"a":1,"b":{"c":1,"c":2}}]')).toThrow(
      'The JSON contains the member "c" twice in one object.',
    );
    expect(() => parseJson('{"a" \n: 1, "\\u0061": 2}')).toThrow(
      'The JSON contains the member "a" twice in one object.',
    );
    expect(parseJson('{"a":{"a":1},"b":["a","a"]}')).toEqual({ a: { a: 1 }, b: ["a", "a"] });
    expect(parseJson('{"a":"a:","b":"\\"a\\":"}')).toEqual({ a: "a:", b: '"a":' });
  });

  test("64 levels are read and 65 are not, however they are nested", () => {
    for (const [open, close] of [
      ["[", "]"],
      ['{"a":', "}"],
    ] as const) {
      const nested = (levels: number) => `${open.repeat(levels)}1${close.repeat(levels)}`;
      expect(() => parseJson(nested(64))).not.toThrow();
      expect(() => parseJson(nested(65))).toThrow("nested more than 64 levels deep");
    }
    expect(() => parseJson(`["${"[".repeat(1000)}"]`)).not.toThrow();
  });

  test("bytes that are not UTF-8 are refused, not replaced", () => {
    for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0x22, 0xe2, 0x82]]) {
      expect(() => readJson(new Uint8Array(bytes))).toThrow(JsonError);
    }
  });
});

describe("writing JSON", () => {
  test("writes every digit of a bigint, and leaves undefined members out", () => {
    expect(writeJson({ a: 2n ** 63n - 1n, b: [-(2n ** 63n)], c: undefined, d: 1 })).toBe(
      '{"a":9223372036854775807,"b":[-9223372036854775808],"d":1}',
    );
  });
});
