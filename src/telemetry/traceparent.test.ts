import { describe, expect, test } from "bun:test";
import { readTraceparent, traceIdOf } from "./traceparent.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

describe("a traceparent header", () => {
  test("is read as in the examples of the standard", () => {
    for (const flags of ["00", "01", "02", "03"]) {
      const header = `00-${TRACE}-${SPAN}-${flags}`;
      expect([readTraceparent(header), traceIdOf(header)]).toEqual([header, TRACE]);
    }
  });

  test("of a later version is read as far as version 00 defines it", () => {
    const asFirst = `00-${TRACE}-${SPAN}-01`;
    expect(readTraceparent(`cc-${TRACE}-${SPAN}-01-what-the-future-holds`)).toBe(asFirst);
    expect(readTraceparent(`cc-${TRACE}-${SPAN}-01`)).toBe(asFirst);
    expect(readTraceparent(`cc-${TRACE}-${SPAN}-01.what`)).toBeUndefined();
  });

  test("that is invalid counts as absent", () => {
    const invalid = [
      null,
      "",
      `00-${TRACE}-${SPAN}`,
      `00-${TRACE}-${SPAN}-01-more`,
      `00-${TRACE.toUpperCase()}-${SPAN}-01`,
      `00-${"0".repeat(32)}-${SPAN}-01`,
      `00-${TRACE}-${"0".repeat(16)}-01`,
      `00-${TRACE}0-${SPAN}-01`,
      `ff-${TRACE}-${SPAN}-01`,
      `00-${TRACE}-${SPAN}-0g`,
      `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
    ];
    for (const header of invalid) expect([header, readTraceparent(header)]).toEqual([header, undefined]);
  });
});
