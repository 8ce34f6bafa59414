import { type Int64, toInt64 } from "exact-json/int64";
import type { Row, SqlValue } from "./statement.ts";

/** Every member named, those that are absent as undefined: a decoder with this type forgets no new member. */
export type Whole<T> = { readonly [Member in keyof Required<T>]: T[Member] };

/** Column readers: the row's shape is checked here, so that what leaves a store is what its type says. */

export function int64Column(row: Row, column: string): Int64 {
  const value = row[column];
  if (typeof value === "bigint") return toInt64(value);
  throw mismatch(column, "an integer", value);
}

/** An integer that our own constraints keep far below 2^53: a time, a count, an identifier of ours. */
export function numberColumn(row: Row, column: string): number {
  const value = int64Column(row, column);
  if (typeof value === "number") return value;
  throw mismatch(column, "a safe integer", value);
}

export function textColumn(row: Row, column: string): string {
  const value = row[column];
  if (typeof value === "string") return value;
  throw mismatch(column, "text", value);
}

export function enumColumn<const Words extends readonly string[]>(
  row: Row,
  column: string,
  words: Words,
): Words[number] {
  const value = textColumn(row, column);
  const word = words[words.indexOf(value)];
  if (word !== undefined) return word;
  throw mismatch(column, words.join(" or "), value);
}

export function bytesColumn(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (value instanceof Uint8Array) return value;
  throw mismatch(column, "bytes", value);
}

/** The reader's value, or undefined where the column is NULL. */
export function optional<Value>(
  row: Row,
  column: string,
  read: (row: Row, column: string) => Value,
): Value | undefined {
  return row[column] === null ? undefined : read(row, column);
}

function mismatch(column: string, expected: string, value: SqlValue | undefined): Error {
  return new TypeError(`The column ${column} should hold ${expected}, not ${typeof value}.`);
}

/** The row of a statement that always yields exactly one. */
export function singleRow<Result>(rows: readonly Result[]): Result {
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new TypeError(`Expected one row, got ${rows.length}.`);
  return row;
}
