import { parseInt64 } from "exact-json/int64";
import { z } from "zod";

/** The part of JSON Schema that tools use. References are not included. */
export interface JsonSchema {
  readonly format?: string;
  readonly description?: string;
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly [keyword: string]: unknown;
}

/** Converts a Zod schema of the contract to JSON Schema 2020-12, without references. A 64-bit integer may be a string of digits. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...converted } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    metadata: z.registry(), // empty, because schemas with a name in the global registry would become references
    override({ zodSchema, jsonSchema }) {
      const { description, default: otherwise, override } = z.globalRegistry.get(zodSchema) ?? {};
      Object.assign(jsonSchema, otherwise !== undefined && { default: otherwise }, override);
      if (description) jsonSchema.description = withoutHttp(description);
      if (jsonSchema.format === "int64") Object.assign(jsonSchema, { type: ["string", "integer"] });
      delete jsonSchema.pattern;
    },
  });
  return converted as JsonSchema;
}

/** Matches a sentence about HTTP: one that contains a header field, a status code, a method, or the word `stream`. */
const HTTP = /`(?:[A-Z][\w-]*|webhook-id)[`: ]|\b[2-5][0-3]\d\b|\bstream/;

/**
 * Rewrites a description for an agent: refers to the link to the next page as `next`, and leaves out sentences about standards,
 * status codes, query strings and other details of HTTP.
 */
export function withoutHttp(description: string): string {
  return description
    .replaceAll("This response", "This result")
    .replaceAll(/the `Link`( to the next one| with `rel="next"`)/g, "`next`")
    .replaceAll(/ \(RFC \d+\)|[;:] [2-5][0-3]\d [^.;]*|(, separated by commas)?: `\w+=.*(?=\.$)/g, "")
    .split(/(?<=\.) /)
    .filter((sentence) => !HTTP.test(sentence))
    .join(" ");
}

// Results contain 64-bit integers as strings of decimal digits, and arguments may do so, too. An agent's JSON parser may keep only
// 53 bits of a number.

export class ArgumentError extends Error {
  override readonly name = "ArgumentError";
}

/** Replaces each value that a schema declares as a 64-bit integer with a string of decimal digits. */
export function decimalsIn(value: unknown, schemas: readonly JsonSchema[]): unknown {
  return mapInt64(value, schemas, (integer) => (typeof integer === "number" ? String(integer) : integer));
}

/**
 * Replaces strings of decimal digits with integers wherever the schemas declare 64-bit integers. Other strings stay unchanged, and
 * the service refuses them.
 *
 * @throws ArgumentError for a number beyond 2^53 - 1, because it may have been rounded
 */
export function integersIn(value: unknown, schemas: readonly JsonSchema[]): unknown {
  return mapInt64(value, schemas, (text, name) => {
    if (typeof text === "number" && Math.abs(text) > Number.MAX_SAFE_INTEGER)
      throw new ArgumentError(
        `${name} is a number above ${Number.MAX_SAFE_INTEGER}, which may have been rounded. Give the number as a string of digits.`,
      );
    return typeof text === "string" ? (parseInt64(text) ?? text) : text;
  });
}

type Convert = (value: unknown, name: string) => unknown;

/**
 * Converts each 64-bit integer in a value. If a nested value has several schemas, it is enough that one of them declares a 64-bit
 * integer.
 */
function mapInt64(value: unknown, schemas: readonly JsonSchema[], convert: Convert, name = ""): unknown {
  const all = schemas.flatMap(alternatives);
  // A bigint is always a 64-bit integer, because no other number of the service is that large.
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) {
    const items = all.flatMap(({ items: one }) => (one === undefined ? [] : [one]));
    return value.map((item) => mapInt64(item, items, convert, name));
  }
  if (typeof value !== "object" || value === null)
    return all.some(({ format }) => format === "int64") ? convert(value, name) : value;
  return Object.fromEntries(
    Object.entries(value).map(([member, one]) => {
      const members = all.flatMap(({ properties = {} }) =>
        Object.entries(properties).flatMap(([name, schema]) => (name === member ? [schema] : [])),
      );
      return [member, mapInt64(one, members, convert, member)];
    }),
  );
}

function alternatives(schema: JsonSchema): readonly JsonSchema[] {
  return [schema, ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(alternatives)];
}

export function allowsNull(schema: JsonSchema): boolean {
  return alternatives(schema).some(({ type }) => [type].flat().includes("null"));
}
