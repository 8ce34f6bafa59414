import type { Int64 } from "exact-json/int64";

type QueryValue = string | boolean | Int64 | readonly (string | Int64)[] | undefined;

/** Adds query parameters to an address, and leaves out parameters that are undefined. @throws TypeError if a parameter is null */
export function withQuery(address: string, query: Readonly<Record<string, QueryValue>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    if (value === null) throw new TypeError(`${name} must not be null. Leave out ${name} instead.`);
    return value === undefined ? [] : [`${name}=${encodeURIComponent(text(value))}`];
  });
  return pairs.length === 0 ? address : `${address}?${pairs.join("&")}`;
}

function text(value: Exclude<QueryValue, undefined>): string {
  if (typeof value === "boolean") return String(value);
  const values: readonly (string | Int64)[] = typeof value === "object" ? value : [value];
  return values.map((one) => (typeof one === "string" ? one : digits(one))).join(",");
}

/**
 * Writes an integer with all its digits.
 *
 * @throws TypeError for a fraction, and for a `number` that is 2^53 or more, because such a number may have been rounded
 */
export function digits(value: Int64): string {
  if (typeof value === "bigint" || Number.isSafeInteger(value)) return String(value);
  throw new TypeError(`${String(value)} is not an exact integer: use a bigint for integers beyond 2^53.`);
}
