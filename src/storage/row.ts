import { type Int64, toInt64 } from "exact-json/int64";
import { ServiceError } from "../errors.ts";
import { formatTime } from "../platform/clock.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { Row, SqlValue } from "./statement.ts";

/** Makes the compiler require every member, including the optional ones, so that a decoder cannot forget a new member. */
export type Whole<T> = { readonly [Member in keyof Required<T>]: T[Member] };

type Decode<Value> = (row: Row) => Value;
/** Creates a decoder for a column. The decoder checks the value's type. */
type Reader<Value> = (column: string) => Decode<Value>;

/** Returns the column for a name that code uses: for `createdAt`, the column is `created_at`. */
export function columnOf(member: string): string {
  return member.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
}

/** Creates a decoder for a row. `readers` contains a reader for each column. */
export function members<Readers extends Readonly<Record<string, Reader<unknown>>>>(readers: Readers) {
  type Decoded = { readonly [Member in keyof Readers]: ReturnType<ReturnType<Readers[Member]>> };
  const decoders = Object.entries(readers).map(([member, read]) => [member, read(columnOf(member))] as const);
  return (row: Row): Decoded => {
    const decoded: Record<string, unknown> = {};
    for (const [member, decode] of decoders) decoded[member] = decode(row);
    return decoded as Decoded;
  };
}

/**
 * Thrown when an integer was read as a JavaScript number and has lost digits. The statement is then run again, with integers as
 * `bigint`s.
 */
export class InexactError extends TypeError {}

/**
 * Returns the integer in a column. A database engine returns it as a `bigint` or as a number. @throws InexactError for a number
 * beyond 2^53
 */
export function int64Of(value: SqlValue | undefined, column: string): Int64 {
  if (typeof value === "bigint") return toInt64(value);
  if (typeof value !== "number") throw mismatch(column, "an integer", value);
  if (Number.isSafeInteger(value)) return value;
  throw new InexactError(`The database column "${column}" contains an integer beyond 2^53.`);
}

export function int64Column(column: string): Decode<Int64> {
  return (row) => int64Of(row[column], column);
}

export function bigintColumn(column: string): Decode<bigint> {
  return (row) => BigInt(int64Of(row[column], column));
}

/** Returns a row exactly as it is stored, after checking that no integer has lost digits. */
export function exactRow(row: Row): Row {
  for (const column in row) if (typeof row[column] === "number") int64Of(row[column], column);
  return row;
}

/**
 * Creates a decoder for an integer that is always far below 2^53, such as a time, a count, or an identifier that petstore assigns.
 */
export function numberColumn(column: string): Decode<number> {
  const read = int64Column(column);
  return (row) => {
    const value = read(row);
    if (typeof value === "number") return value;
    throw mismatch(column, "a safe integer", value);
  };
}

/**
 * Creates a decoder for a time. The column contains milliseconds since 1970, and the decoded value is in the format of RFC 3339.
 */
export function timeColumn(column: string): Decode<string> {
  const read = numberColumn(column);
  return (row) => formatTime(read(row));
}

/** Creates a decoder for a boolean. The column contains 1 for true and 0 for false. */
export function flagColumn(column: string): Decode<boolean> {
  const read = numberColumn(column);
  return (row) => read(row) === 1;
}

export function textOf(value: SqlValue | undefined, column: string): string {
  if (typeof value === "string") return value;
  throw mismatch(column, "text", value);
}

export function textColumn(column: string): Decode<string> {
  return (row) => textOf(row[column], column);
}

export function enumOf<const Word extends string>(
  words: readonly Word[],
  value: SqlValue | undefined,
  column: string,
): Word {
  const word = words[(words as readonly (SqlValue | undefined)[]).indexOf(value)];
  if (word !== undefined) return word;
  throw mismatch(column, words.join(" or "), value);
}

export function enumColumn<const Words extends readonly string[]>(words: Words): Reader<Words[number]> {
  return (column) => (row) => enumOf<Words[number]>(words, row[column], column);
}

export function bytesColumn(column: string): Decode<Uint8Array> {
  return ({ [column]: value }) => {
    if (value instanceof Uint8Array) return value;
    throw mismatch(column, "bytes", value);
  };
}

export function optional<Value>(reader: Reader<Value>): Reader<Value | undefined> {
  return (column) => {
    const read = reader(column);
    return (row) => (row[column] === null ? undefined : read(row));
  };
}

export function nullable<Value>(reader: Reader<Value>): Reader<Value | null> {
  return (column) => {
    const read = optional(reader)(column);
    return (row) => read(row) ?? null;
  };
}

function mismatch(column: string, expected: string, value: SqlValue | undefined): Error {
  return new TypeError(
    `The database column "${column}" should contain ${expected}, but its value has the type ${typeof value}.`,
  );
}

/** Returns the only row of a statement that always returns exactly one row. */
export function singleRow<Result>(rows: readonly Result[]): Result {
  const [row] = rows;
  if (row === undefined || rows.length > 1)
    throw new TypeError(`The SQL statement should return exactly one row, but returned ${rows.length}.`);
  return row;
}

/** Returns the selected row. @throws ServiceError `not_found` if no row was selected */
export function found<Row>(rows: Maybe<readonly Row[]>, kind: string, id: Int64): Maybe<Row> {
  if (rows instanceof Promise) return rows.then((selected) => found(selected, kind, id));
  const [row] = rows;
  if (row === undefined) throw new ServiceError("not_found", `There is no ${kind} ${id}.`);
  return row;
}
