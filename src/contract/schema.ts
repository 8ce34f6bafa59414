import { z } from "zod";
import { type Int64, isInt64 } from "../../client/src/int64.ts";
import type { BodyProblem } from "../errors.ts";
import { formatTime } from "../platform/clock.ts";

type Described = {
  readonly description: string;
  readonly example?: unknown;
};

/** An exact 64-bit integer, from `minimum` when one is given. The full bounds are written by the document emitter. */
export function int64Schema({ minimum, ...described }: Described & { readonly minimum?: number }) {
  const takes = minimum === undefined ? "a 64-bit integer" : `a 64-bit integer of at least ${minimum}`;
  return z
    .custom<Int64>((value) => isInt64(value) && (minimum === undefined || value >= minimum), {
      error: requiredOr(takes),
    })
    .meta({
      ...described,
      override: { type: "integer", format: "int64", ...(minimum === undefined ? {} : { minimum }) },
    });
}

/** Any Unicode text, the empty string included, that a database can hold faithfully. */
export function textSchema(described: Described) {
  return z
    .string({ error: requiredOr("a string") })
    .refine(isStorable, { error: "must not contain U+0000 or an unpaired surrogate" })
    .meta(described);
}

/** One of a fixed list of words. */
export function enumSchema<const Words extends readonly [string, ...string[]]>(
  words: Words,
  described: Described & { readonly id?: string },
) {
  return z.enum(words, { error: requiredOr(`one of ${words.join(", ")}`) }).meta(described);
}

const TIME_EXAMPLE = "an RFC 3339 time such as 2026-01-01T12:00:00Z";
/** `2026-01-01T12:00:00.000Z`: what a time within the years 0 to 9999 comes to in UTC. */
const UTC_TIME_LENGTH = 24;

/** RFC 3339 with any offset, to the millisecond. */
export function timeSchema(described: Described) {
  return z.iso
    .datetime({ offset: true, error: requiredOr(TIME_EXAMPLE), abort: true })
    .refine((text) => formatTime(Date.parse(text)).length === UTC_TIME_LENGTH, {
      error: `must be ${TIME_EXAMPLE}`,
    })
    .meta({
      ...described,
      // The format says it; the library's pattern would fill three lines.
      override: ({ jsonSchema }: { jsonSchema: { pattern?: unknown } }) => {
        delete jsonSchema.pattern;
      },
    });
}

/** The phrase for a member that is absent or wrong; the member's name goes in front of it. */
export function requiredOr(expected: string) {
  return (issue: { readonly input?: unknown }) =>
    issue.input === undefined ? "is required" : `must be ${expected}`;
}

/** What a database can hold faithfully. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\u0000");
}

/** What is wrong with a body, place by place, in the order the schema declares its members. */
export function bodyProblems(error: z.ZodError): readonly BodyProblem[] {
  return error.issues.map((issue) => ({
    pointer: `#${issue.path.map((part) => `/${String(part)}`).join("")}`,
    detail: issue.message,
  }));
}

/** The same in one sentence: `categoryId is required; status must be one of available, pending, sold`. */
export function sentenceOf(problems: readonly BodyProblem[]): string {
  return problems.map(({ pointer, detail }) => `${pointer.slice(2)} ${detail}`).join("; ");
}
