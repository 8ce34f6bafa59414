import { type Int64, isInt64, parseCanonicalInt64 } from "exact-json/int64";
import { z } from "zod";
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "../limits.ts";
import { type Described, isStorable, STORABLE_PATTERN, TIME_EXAMPLE, timeSchema } from "./schema.ts";
import { lengthProblem } from "./text-length.ts";

/** A query or path parameter, with its parser and its documentation. */
export interface Parameter<Present, Absent = undefined> {
  readonly description: string;
  /** Parses the parameter's text. @returns undefined if the text is invalid */
  readonly parse: (text: string) => Present | undefined;
  /** Description of the valid values. In an error message, it follows "must be". */
  readonly expected: string;
  readonly default: Absent;
  readonly schema: z.ZodType;
  readonly example?: unknown;
  /**
   * True if the parameter takes a list. Its values are separated by commas, and the parameter may be repeated (`id=1&id=2` means
   * `id=1,2`).
   */
  readonly isList?: true;
}

function optional<Present>(
  described: Described,
  expected: string,
  schema: z.ZodType,
  parse: (text: string) => Present | undefined,
): Parameter<Present> {
  return { ...described, expected, default: undefined, schema, parse };
}

const int64Document = z.custom<Int64>(isInt64).meta({ override: { type: "integer", format: "int64" } });

/**
 * Creates a query or path parameter that takes an integer. The integer must be in canonical form, without leading zeros, so that
 * each resource has a single address.
 */
export function int64Parameter(described: Described): Parameter<Int64> {
  return optional(described, "a 64-bit integer", int64Document, parseCanonicalInt64);
}

/** Creates a query parameter that takes 1 to `maximum` comma-separated 64-bit integers. */
export function int64ListParameter({
  maximum,
  ...described
}: Described & { readonly maximum: number }): Parameter<readonly Int64[]> {
  const expected = `1 to ${maximum} comma-separated 64-bit integers`;
  const schema = z.array(int64Document).min(1).max(maximum);
  const parse = (text: string) => {
    const values = text.split(",", maximum + 1).map(parseCanonicalInt64);
    return values.length <= maximum && values.every(isInt64) ? values : undefined;
  };
  return { ...optional(described, expected, schema, parse), isList: true };
}

/** Creates a query parameter that takes 1 to `maximum` comma-separated strings that are not empty. */
export function textListParameter({
  maximum,
  maxLength,
  ...described
}: Described & { readonly maximum: number; readonly maxLength: number }): Parameter<readonly string[]> {
  const expected = `1 to ${maximum} comma-separated texts of at most ${maxLength} characters`;
  const text = z.string().min(1).max(maxLength).meta({ pattern: STORABLE_PATTERN });
  const isText = (value: string) =>
    value !== "" && isStorable(value) && lengthProblem(value, maxLength) === undefined;
  const parse = (list: string) => {
    const values = list.split(",", maximum + 1);
    return values.length <= maximum && values.every(isText) ? values : undefined;
  };
  return { ...optional(described, expected, z.array(text).min(1).max(maximum), parse), isList: true };
}

export function enumParameter<const Words extends readonly [string, ...string[]]>(
  words: Words,
  options: Described & { readonly schema: z.ZodType },
): Parameter<Words[number]> {
  return optional(
    options,
    `one of ${words.join(", ")}`,
    options.schema,
    (text) => words[words.indexOf(text)],
  );
}

/**
 * Creates a query parameter that takes comma-separated words. Its value contains each of these words only once, in the order of
 * `words`.
 */
export function enumListParameter<const Words extends readonly [string, ...string[]]>(
  words: Words,
  options: Described & { readonly schema: z.ZodType },
): Parameter<readonly Words[number][]> {
  const expected = `one or several of ${words.join(", ")}`;
  const schema = z.array(options.schema).min(1).max(words.length);
  const parse = (text: string) => {
    const given = text.split(",");
    if (given.every((word) => words.includes(word))) return words.filter((word) => given.includes(word));
    return undefined;
  };
  return { ...optional(options, expected, schema, parse), isList: true };
}

export function booleanParameter(described: Described): Parameter<boolean> {
  return optional(described, "true or false", z.boolean(), (text) =>
    text === "true" || text === "false" ? text === "true" : undefined,
  );
}

/** Creates a query parameter that takes a time in RFC 3339. A `+` in the time's offset must be sent as `%2B`. */
export function timeParameter({ description, ...described }: Described): Parameter<string> {
  const schema = timeSchema(description);
  return optional({ description, ...described }, TIME_EXAMPLE, schema, (text) =>
    schema.safeParse(text).success ? text : undefined,
  );
}

interface TextOptions extends Described {
  readonly expected: string;
  /** Returns true if the text is valid. If this function is left out, every text except the empty one is valid. */
  readonly accepts?: (text: string) => boolean;
}

/** Creates a parameter whose text only the service can interpret, such as a cursor or the identifier of a message. */
export function opaqueParameter({ expected, accepts, ...described }: TextOptions): Parameter<string> {
  const schema = z.string().min(1).meta({ pattern: STORABLE_PATTERN });
  return optional(described, expected, schema, (text) =>
    text !== "" && isStorable(text) && accepts?.(text) !== false ? text : undefined,
  );
}

const limit: Parameter<number, number> = {
  description: "Maximum number of items in the response.",
  expected: `an integer from 1 to ${PAGE_SIZE_MAX}`,
  default: PAGE_SIZE_DEFAULT,
  example: PAGE_SIZE_DEFAULT,
  schema: z.int().min(1).max(PAGE_SIZE_MAX).meta({ default: PAGE_SIZE_DEFAULT }),
  parse(text) {
    const value = /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : 0;
    return value >= 1 && value <= PAGE_SIZE_MAX ? value : undefined;
  },
};

export const pagingParameters = {
  limit,
  cursor: opaqueParameter({
    description:
      "Position at which the page starts: the `cursor` from the `Link` header of an earlier response. Use the same filters as in the earlier request.",
    expected: "a cursor from a Link header",
    example: "AAAAAAAAACgbX1p1m0x2jw",
  }),
};
