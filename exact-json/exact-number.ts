import { toInt64 } from "./int64.ts";

/**
 * The value of a JSON number's text: an integer keeps every digit, as a `bigint` beyond 2^53, and `1.0` and `1e3` are the
 * integers 1 and 1000. A fraction is the nearest double.
 */
export function exactNumber(source: string): number | bigint {
  const exact = exactInteger(source);
  if (exact !== undefined) return toInt64(exact);
  const nearest = Number(source);
  // A fraction that a double rounds to an integer must not become that integer.
  return Number.isInteger(nearest) ? Number.NaN : nearest;
}

/**
 * 16 digits in a row; or a fraction, an exponent or `-0` where a number ends. A match in a string is a false positive, which
 * only selects the slower reader; an RFC 3339 time does not match.
 */
const INEXACT_NUMBER =
  /[0-9]{16}|(?:-0|[0-9]\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9][eE][+-]?[0-9]+)\s*(?:[,\]}]|$)/;

/** True if a JSON text may contain a number that `JSON.parse` would round or read differently. */
export function mayBeInexact(json: string): boolean {
  return INEXACT_NUMBER.test(json);
}

/** Integers longer than this are outside int64; parsing them would only cost time. */
const DIGITS_MAX = 40;

/** The integer that a JSON number spells (`-12`, `1.50e2`), or undefined for a fraction or for more than `DIGITS_MAX` digits. */
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

/** A loop: the pattern `0+$` takes quadratic time on zeros that do not end the text. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits.charAt(end - 1) === "0") end--;
  return digits.slice(0, end);
}
