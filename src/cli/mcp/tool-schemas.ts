import { type Document, emitDocument } from "../../contract/openapi/openapi.ts";
import type { DocumentedOperation } from "../../contract/operation.ts";

/** A JSON Schema without references, as far as it is read here. */
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

/** What an operation takes and returns. */
export interface OperationSchemas {
  /** An object with its path and query parameters. */
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

/** The schemas of a document's operations, taken from the emitted document: it has what validation cannot show, such as descriptions. */
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

/** The same with what each `$ref` refers to in its place; the contract has no recursive schema. */
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
