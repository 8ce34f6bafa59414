/**
 * A signed 64-bit integer. It is a `number` if that is exact (below 2^53), otherwise a `bigint`. Each value has only one form, so
 * integers can be compared with `===`.
 */
export type Int64 = number | bigint;

export const INT64_MIN = -(2n ** 63n);
export const INT64_MAX = 2n ** 63n - 1n;

export function isInt64(value: unknown): value is Int64 {
  if (typeof value === "number") return Number.isSafeInteger(value);
  return typeof value === "bigint" && value >= INT64_MIN && value <= INT64_MAX;
}

/** Converts an integer to its only valid form: a `number` if that is exact. */
export function toInt64(value: bigint): Int64 {
  const near = Number(value);
  return Number.isSafeInteger(near) ? near : value;
}

/**
 * Parses a 64-bit integer: digits with an optional minus sign. Returns undefined for any other string, and for a value outside
 * the range of int64.
 */
export function parseInt64(text: string): Int64 | undefined {
  if (!/^-?[0-9]{1,19}$/.test(text)) return undefined;
  // Adding 0 turns -0 into 0.
  const near = Number(text) + 0;
  const value = Number.isSafeInteger(near) ? near : BigInt(text);
  return isInt64(value) ? value : undefined;
}

/** Parses a 64-bit integer only in its canonical spelling, without leading zeros and without `-0`. */
export function parseCanonicalInt64(text: string): Int64 | undefined {
  // `Number` is tried first, because it is faster than `BigInt`, and exact for most integers.
  const near = Number(text);
  if (Number.isSafeInteger(near) && String(near) === text) return near;
  const value = parseInt64(text);
  return value !== undefined && String(value) === text ? value : undefined;
}
