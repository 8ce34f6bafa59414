import { toInt64 } from "./int64.ts";

/**
 * Returns the value of a JSON number. An integer keeps all its digits: if it is 2^53 or more, it becomes a `bigint`. `1.0` and
 * `1e3` are the integers 1 and 1000. A fraction becomes the nearest double.
 */
export function exactNumber(source: string): number | bigint {
  const exact = exactInteger(source);
  if (exact !== undefined) return toInt64(exact);
  const nearest = Number(source);
  // A fraction that rounds to an integer becomes NaN, and so does an integer with more than `DIGITS_MAX` digits, because neither
  // result would be exact.
  return Number.isInteger(nearest) ? Number.NaN : nearest;
}

/**
 * Matches parts of JSON that may need the slower reader: 16 digits in a row, a number with a fraction or an exponent, or `-0`. A
 * match inside a string does no harm: it only makes reading slower. Times in RFC 3339 do not match.
 */
const INEXACT_NUMBER =
  /[0-9]{16}|(?:-0|[0-9]\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9][eE][+-]?[0-9]+)\s*(?:[,\]}]|$)/;

/** True if a JSON text may contain a number that `JSON.parse` would round or read differently. */
export function mayBeInexact(json: string): boolean {
  return INEXACT_NUMBER.test(json);
}

/**
 * Maximum number of digits of an integer that is parsed. Longer integers are far outside the range of int64, and parsing them
 * would only cost time.
 */
const DIGITS_MAX = 40;

/**
 * Returns the integer that a JSON number denotes (`-12`, `1.50e2`); undefined for a fraction or for more than `DIGITS_MAX` digits.
 */
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

/** Removes zeros at the end. This is a loop, because the pattern `0+$` takes quadratic time if the zeros are not at the end. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits.charAt(end - 1) === "0") end--;
  return digits.slice(0, end);
}
