import { toInt64 } from "./int64.ts";

/**
 * The value of a JSON number, from its text: an integer keeps every digit, as a `bigint` beyond 2^53, and `1.0` and `1e3` are
 * the integers 1 and 1000. A fraction is the nearest double.
 */
export function exactNumber(source: string): number | bigint {
  const exact = exactInteger(source);
  if (exact !== undefined) return toInt64(exact);
  const nearest = Number(source);
  // A fraction so close to an integer that a double cannot tell them apart must not become that integer.
  return Number.isInteger(nearest) ? Number.NaN : nearest;
}

/** Integers longer than this are outside int64 whatever they are; spelling them out would only cost time. */
const DIGITS_MAX = 40;

/** The integer that a JSON number spells (`-12`, `1.50e2`), or undefined for a fraction or one beyond all bounds. */
function exactInteger(source: string): bigint | undefined {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  if (digits === "") return 0n;
  const significant = withoutTrailingZeros(digits);
  const zeros = digits.length - significant.length + Number(exponent) - fraction.length;
  if (zeros < 0 || significant.length + zeros > DIGITS_MAX) return undefined;
  return BigInt(sign + significant + "0".repeat(zeros));
}

/** By hand, because a pattern for it takes quadratic time on zeros that do not end the text. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits.charAt(end - 1) === "0") end--;
  return digits.slice(0, end);
}
