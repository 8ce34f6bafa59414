import { INT64_MIN, type Int64, isInt64 } from "exact-json/int64";
import { z } from "zod";
import type { BodyProblem } from "../errors.ts";
import { OVERLAP_DEFAULT_HOURS, OVERLAP_MAX_HOURS } from "../limits.ts";
import { formatTime } from "../platform/clock.ts";
import { lengthProblem } from "./text-length.ts";

export type Described = {
  readonly description: string;
  readonly example?: unknown;
};

/** JSON Schema of an identifier that the service assigns. */
const ASSIGNED_ID = {
  type: "integer",
  format: "int64",
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
} as const;

/**
 * Creates the schema of an exact 64-bit integer. The OpenAPI emitter adds the range later. An integer with a `minimum`, such as
 * an identifier that the service assigns, is always lower than 2^53.
 */
export function int64Schema({ minimum, ...described }: Described & { readonly minimum?: number }) {
  const expected = minimum === undefined ? "a 64-bit integer" : `a 64-bit integer of at least ${minimum}`;
  return z
    .custom<Int64>((value) => isInt64(value) && value >= (minimum ?? INT64_MIN), {
      error: requiredOr(expected),
    })
    .meta({
      ...described,
      override: minimum === undefined ? { type: "integer", format: "int64" } : { ...ASSIGNED_ID, minimum },
    });
}

export function countSchema(described: Described) {
  return z.int().min(0).meta(described);
}

export function fixedInt64Schema(only: number, described: Described) {
  return z
    .custom<Int64>((value) => value === only, { error: requiredOr(String(only)) })
    .meta({ ...described, override: { type: "integer", format: "int64", minimum: only, maximum: only } });
}

/**
 * Creates the schema of a Unicode string that every database stores unchanged. The string may be empty.
 *
 * @param maxLength the maximum number of characters (Unicode code points). If it is left out, only the maximum size of a body
 *   limits the string.
 */
export function textSchema({ maxLength, ...described }: Described & { readonly maxLength?: number }) {
  const text = z
    .string({ error: requiredOr("a string") })
    .refine(isStorable, { error: "must not contain U+0000 or an unpaired surrogate" });
  if (maxLength === undefined) return text.meta({ ...described, pattern: STORABLE_PATTERN });
  return text
    .refine((value) => lengthProblem(value, maxLength) === undefined, {
      error: ({ input }) => lengthProblem(String(input), maxLength),
    })
    .meta({ ...described, pattern: STORABLE_PATTERN, maxLength });
}

/**
 * Creates the schema of the number of hours that an old key or an old secret stays valid after its rotation. `description` says
 * whether it is a key or a secret.
 */
export function overlapSchema(description: string) {
  const otherwise = { error: `must be an integer from 0 to ${OVERLAP_MAX_HOURS}` };
  return z
    .int(otherwise)
    .min(0, otherwise)
    .max(OVERLAP_MAX_HOURS, otherwise)
    .optional()
    .meta({
      description: `${description}. The default is ${OVERLAP_DEFAULT_HOURS}.`,
      example: OVERLAP_DEFAULT_HOURS,
    });
}

export function enumSchema<const Words extends readonly [string, ...string[]]>(
  words: Words,
  described: Described & { readonly id?: string },
) {
  return z.enum(words, { error: requiredOr(`one of ${words.join(", ")}`) }).meta(described);
}

export const TIME_EXAMPLE = "an RFC 3339 time such as 2026-01-01T12:00:00Z";
/** Length of `2026-01-01T12:00:00.000Z`. A time in a year outside 0 to 9999 is longer. */
const UTC_TIME_LENGTH = 24;

/** Creates the schema of a time in RFC 3339, with any offset. Times are exact to the millisecond. */
export function timeSchema(description: string) {
  return z.iso
    .datetime({ offset: true, error: requiredOr(TIME_EXAMPLE), abort: true })
    .refine((text) => formatTime(Date.parse(text)).length === UTC_TIME_LENGTH, {
      error: `must be ${TIME_EXAMPLE}`,
    })
    .meta({
      description,
      example: "2026-01-01T12:00:00.000Z",
      // Removes the pattern that zod generates for times, because it is three lines long, and `format` is enough.
      override: ({ jsonSchema }: { jsonSchema: { pattern?: unknown } }) => {
        delete jsonSchema.pattern;
      },
    });
}

/** Creates the error message for a member that is absent or wrong. The message follows the member's name. */
export function requiredOr(expected: string) {
  return (issue: { readonly input?: unknown }) =>
    issue.input === undefined ? "is required" : `must be ${expected}`;
}

/**
 * Pattern (ECMA-262) of a text without U+0000 and without unpaired surrogates. It matches the same texts with and without the `u`
 * flag. It contains no alternation for each character, because that would overflow the stack for long texts.
 */
export const STORABLE_PATTERN =
  "^[^\\u0000\\uD800-\\uDFFF]*(?:[\\uD800-\\uDBFF][\\uDC00-\\uDFFF][^\\u0000\\uD800-\\uDFFF]*)*$";

export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\u0000");
}

/** Returns one problem for each invalid member of a request's body, in the order of the schema. */
export function bodyProblems(error: z.ZodError): readonly BodyProblem[] {
  return error.issues.map((issue) => ({
    pointer: `#${issue.path.map((part) => `/${String(part)}`).join("")}`,
    detail: issue.message,
  }));
}

/**
 * Joins the problems of a body into one sentence, such as `categoryId is required; status must be one of available, pending,
 * sold.`
 */
export function sentenceOf(problems: readonly BodyProblem[]): string {
  return `${problems.map(({ pointer, detail }) => `${pointer.slice(2)} ${detail}`).join("; ")}.`;
}
