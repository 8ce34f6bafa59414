import { type Int64, isInt64, parseCanonicalInt64, parseInt64 } from "exact-json/int64";
import { z } from "zod";
import { type Described, isStorable, STORABLE_PATTERN } from "./schema.ts";

/** A query or path parameter: its parser and its documentation. */
export interface Parameter<Present, Absent = undefined> {
  readonly description: string;
  /** The value of the text; undefined for an invalid one. */
  readonly parse: (text: string) => Present | undefined;
  /** A valid value, as the words after "must be". */
  readonly expected: string;
  /** The value when the parameter is left out. */
  readonly default: Absent;
  readonly schema: z.ZodType;
  readonly example?: unknown;
  /** Its values are separated by commas, and it may be repeated: `id=1&id=2` is `id=1,2`. */
  readonly isList?: true;
}

/** A decimal integer within bounds. */
export function integerParameter(
  options: Described & { readonly minimum: number; readonly maximum: number; readonly default: number },
): Parameter<number, number> {
  const { minimum, maximum, ...described } = options;
  return {
    ...described,
    expected: `an integer from ${minimum} to ${maximum}`,
    parse(text) {
      const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : undefined;
      return value !== undefined && value >= minimum && value <= maximum ? value : undefined;
    },
    schema: z.int().min(minimum).max(maximum).meta({ default: options.default }),
  };
}

const int64Document = z.custom<Int64>(isInt64).meta({ override: { type: "integer", format: "int64" } });

/** A 64-bit integer in decimal digits. */
export function int64Parameter(described: Described): Parameter<Int64> {
  return {
    ...described,
    expected: "a 64-bit integer",
    default: undefined,
    parse: parseInt64,
    schema: int64Document,
  };
}

/** An identifier in a path, in canonical digits only: one resource has one address. */
export function idParameter(described: Described): Parameter<Int64> {
  return { ...int64Parameter(described), parse: parseCanonicalInt64 };
}

/** 1 to `maximum` comma-separated 64-bit integers. */
export function int64ListParameter(
  options: Described & { readonly maximum: number },
): Parameter<readonly Int64[]> {
  const { maximum, ...described } = options;
  return {
    ...described,
    expected: `1 to ${maximum} comma-separated 64-bit integers`,
    default: undefined,
    parse(text) {
      const values = text.split(",", maximum + 1).map(parseInt64);
      return values.length <= maximum && values.every((value) => value !== undefined) ? values : undefined;
    },
    schema: z.array(int64Document).min(1).max(maximum),
    isList: true,
  };
}

/** One of a list of words; case matters. */
export function enumParameter<const Words extends readonly [string, ...string[]]>(
  words: Words,
  options: Described & { readonly schema: z.ZodType },
): Parameter<Words[number]> {
  return {
    ...options,
    expected: `one of ${words.join(", ")}`,
    default: undefined,
    parse: (text) => words.find((word) => word === text),
  };
}

/** Comma-separated words of a list, each once and in the order of that list. */
export function enumListParameter<const Words extends readonly [string, ...string[]]>(
  words: Words,
  options: Described & { readonly schema: z.ZodType },
): Parameter<readonly Words[number][]> {
  return {
    ...options,
    expected: `one or several of ${words.join(", ")}`,
    default: undefined,
    parse(text) {
      const given = text.split(",");
      return given.every((word) => words.includes(word))
        ? words.filter((word) => given.includes(word))
        : undefined;
    },
    schema: z.array(options.schema).min(1),
    isList: true,
  };
}

/** `true` or `false`. */
export function booleanParameter(described: Described): Parameter<boolean> {
  return {
    ...described,
    expected: "true or false",
    default: undefined,
    parse: (text) => (text === "true" || text === "false" ? text === "true" : undefined),
    schema: z.boolean(),
  };
}

/** Text that only the service interprets, such as a cursor or the identifier of a message. */
export function opaqueParameter(options: Described & { readonly expected: string }): Parameter<string> {
  return {
    ...options,
    default: undefined,
    parse: (text) => (text !== "" && isStorable(text) ? text : undefined),
    schema: z.string().min(1).meta({ pattern: STORABLE_PATTERN }),
  };
}
