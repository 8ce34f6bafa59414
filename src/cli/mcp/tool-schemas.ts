import { parseInt64 } from "exact-json/int64";
import { type Document, emitDocument } from "../../contract/openapi/openapi.ts";
import type { DocumentedOperation } from "../../contract/operation.ts";

/** The supported part of JSON Schema, without references. */
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

export interface OperationSchemas {
  readonly parameters: JsonSchema;
  readonly body: JsonSchema | undefined;
  readonly result: JsonSchema | undefined;
}

interface EmittedParameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: JsonSchema;
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

interface EmittedOperation {
  readonly parameters: readonly EmittedParameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** Reads schemas of operations from the OpenAPI document as it is emitted, which also has descriptions. */
export function schemasOf(document: Document): (operation: DocumentedOperation) => OperationSchemas {
  const emitted = JSON.parse(emitDocument(document, []));
  return ({ path, method, success }) => {
    const own: EmittedOperation = emitted.paths[path][method.toLowerCase()];
    const { parameters, requestBody, responses } = own;
    return {
      parameters: objectOf(withoutReferences(parameters, emitted)),
      body: schemaIn(withoutReferences(requestBody?.content, emitted)),
      result: schemaIn(withoutReferences(responses[success.status]?.content, emitted)),
    };
  };
}

function schemaIn(content: Content | undefined): JsonSchema | undefined {
  return content?.["application/json"]?.schema;
}

function objectOf(parameters: readonly EmittedParameter[]): JsonSchema {
  const given = parameters.filter((parameter) => parameter.in !== "header");
  return {
    properties: Object.fromEntries(
      given.map(({ name, description, example, schema }) => [
        name,
        {
          ...schema,
          ...(description !== undefined && { description }),
          ...(example !== undefined && { example }),
        },
      ]),
    ),
    required: given.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** Replaces each `$ref` by its target; the contract has no recursive schema. */
function withoutReferences<Node>(node: Node, document: unknown): Node {
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== "object" || value === null) return value;
    if ("$ref" in value && typeof value.$ref === "string") return replace(target(value.$ref, document));
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replace(member)]));
  };
  return replace(node) as Node;
}

function target(reference: string, document: unknown): unknown {
  return reference
    .slice("#/".length)
    .split("/")
    .reduce<unknown>((node, name) => new Map(Object.entries(node ?? {})).get(name), document);
}

// Numbers in an agent's JSON have 53 bits: 64-bit integers are strings of decimal digits, in arguments and results.

export class ArgumentError extends Error {
  override readonly name = "ArgumentError";
}

const DECIMAL = { type: "string", pattern: "^-?[0-9]{1,19}$" } as const;

/** Converts a schema to JSON Schema 2020-12, with decimal strings in place of 64-bit integers. */
export function decimalSchema({ example, pattern: _, ...schema }: JsonSchema): JsonSchema {
  const { description, properties, items, anyOf, oneOf } = schema;
  const examples = example === undefined ? {} : { examples: [decimalsIn(example, [{ ...schema }])] };
  if (schema.format === "int64")
    return { ...DECIMAL, ...(description !== undefined && { description }), ...examples };
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, decimalSchema(one)]),
      ),
    }),
    ...(items && { items: decimalSchema(items) }),
    ...(anyOf && { anyOf: anyOf.map(decimalSchema) }),
    ...(oneOf && { oneOf: oneOf.map(decimalSchema) }),
    ...examples,
  };
}

/** Replaces each 64-bit integer in a value by a string of decimal digits, as its schemas tell. */
export function decimalsIn(value: unknown, schemas: readonly JsonSchema[]): unknown {
  return mapInt64(value, schemas, (integer) => (typeof integer === "number" ? String(integer) : integer));
}

/**
 * Replaces decimal strings in a value by the 64-bit integers of its schemas. Another string stays: the service refuses it.
 *
 * @throws ArgumentError for a number, which may have been rounded
 */
export function integersIn(value: unknown, schemas: readonly JsonSchema[]): unknown {
  return mapInt64(value, schemas, (text, name) => {
    if (typeof text === "number")
      throw new ArgumentError(`${name} must be a string of decimal digits: "1", not 1.`);
    return typeof text === "string" ? (parseInt64(text) ?? text) : text;
  });
}

type Convert = (value: unknown, name: string) => unknown;

/** Converts each part of a value that one of its schemas declares as a 64-bit integer. */
function mapInt64(value: unknown, schemas: readonly JsonSchema[], convert: Convert, name = ""): unknown {
  const all = schemas.flatMap(alternatives);
  // Always a 64-bit integer: no other number of the service is that large.
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
