// Reads the OpenAPI documents without the code that generates them, and adds the table of all operations and error codes.
import { documentOf } from "../../src/api/openapi-documents.ts";
import { errorExample, errorsOf } from "../../src/contract/operation-errors.ts";
import { ERROR_STATUS, type ErrorCode } from "../../src/errors.ts";

/** The part of JSON Schema that the OpenAPI documents use. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly const?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: "query" | "path" | "header";
  readonly schema: Schema;
}

type Examples = Readonly<Record<string, { readonly value: unknown }>>;

type Content = Readonly<Record<string, { readonly schema: Schema; readonly examples?: Examples }>>;

export interface Header {
  readonly $ref?: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly "x-deprecated-sunset"?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}

export interface Response {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Content;
}

interface Document {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Document["paths"];
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

/** An operation in an OpenAPI document. Its references have been resolved, except for references to schemas within schemas. */
export interface Described {
  readonly id: string;
  readonly service: ServiceName;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  /** The first example of the request's body in the OpenAPI document. */
  readonly example: unknown;
  /** The responses, keyed by status or `default`. */
  readonly responses: Operation["responses"];
  /** The error codes of the operation, with an example of each. */
  readonly errors: readonly TableRow[];
  /** Headers that all operations have, according to the OpenAPI document's description. */
  readonly general: readonly GeneralHeader[];
  /** The date on which the operation will be removed. */
  readonly sunset: string | undefined;
  resolve(schema: Schema): Schema;
}

/** A row of the table that lists every combination of operation, status and error code. */
interface TableRow extends ReturnType<typeof errorExample> {
  readonly code: ErrorCode;
  readonly status: number;
}

interface GeneralHeader {
  readonly name: string;
  /** The phrase in the OpenAPI document that says which responses have the header. */
  readonly of: string;
}

type ServiceName = "production" | "staging" | "messages";

/** Returns the operations in the OpenAPI documents that are committed to the repository. */
export async function describedOperations(): Promise<readonly Described[]> {
  const committed = (name: string) => Bun.file(new URL(`../../openapi/${name}.json`, import.meta.url)).text();
  return [
    ...operationsOf(await committed("petstore"), "production"),
    ...operationsOf(await committed("messages"), "messages"),
  ];
}

export function operationsOf(text: string, service: ServiceName): readonly Described[] {
  const document = withVariants(readExactly(text)) as Document;
  return describedIn(document, document.paths, service);
}

/** Returns the webhooks of a service, according to its OpenAPI document. The path of each is the name of its resource. */
export function deliveriesOf(text: string, service: ServiceName): readonly Described[] {
  const document = withVariants(readExactly(text)) as Document;
  return describedIn(document, document.webhooks, service);
}

/** Rewrites JSON schemas that allow null, from `type: [X, "null"]` to a list of alternatives. */
function withVariants(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withVariants);
  if (typeof node !== "object" || node === null) return node;
  const { type, enum: words, ...others } = mapValues(node as Readonly<Record<string, unknown>>, withVariants);
  if (!(Array.isArray(type) && type.includes("null")))
    return { ...others, ...(type !== undefined && { type }), ...(words !== undefined && { enum: words }) };
  const own = Array.isArray(words) ? words.filter((word) => word !== null) : undefined;
  const variants = own?.length === 0 ? [] : [{ ...others, type: type[0], ...(own && { enum: own }) }];
  return { description: others["description"], anyOf: [...variants, { type: "null" }] };
}

function describedIn(
  { components, info }: Document,
  paths: Document["paths"],
  service: ServiceName,
): readonly Described[] {
  const lastOf = (reference: string) => reference.split("/").at(-1) ?? "";
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : resolve(components.schemas[lastOf(schema.$ref)] ?? {});
  const parameterOf = (parameter: Parameter): Parameter =>
    (parameter.$ref === undefined ? parameter : components.parameters?.[lastOf(parameter.$ref)]) ?? parameter;
  const responseOf = (response: Response): Response =>
    (response.$ref === undefined ? response : components.responses[lastOf(response.$ref)]) ?? response;
  const headerOf = (header: Header): Header =>
    (header.$ref === undefined ? header : components.headers[lastOf(header.$ref)]) ?? header;
  const responsesOf = (responses: Operation["responses"]) =>
    mapValues(mapValues(responses, responseOf), ({ headers = {}, ...response }) => ({
      ...response,
      headers: mapValues(headers, headerOf),
    }));
  const rows = info.description.matchAll(/^\| `([\w-]+)` \| ([^|]*\w) \| [^|]* \|$/gm);
  const general = [...rows].map(([, name = "", of = ""]) => ({ name, of }));
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { operationId, parameters = [], requestBody, ...rest }]) => ({
      id: operationId,
      service,
      method: method.toUpperCase(),
      path,
      parameters: parameters.map(parameterOf),
      body: Object.values(requestBody?.content ?? {})[0]?.schema,
      example: Object.values(Object.values(requestBody?.content ?? {})[0]?.examples ?? {})[0]?.value,
      responses: responsesOf(rest.responses),
      errors: tableOf(operationId, service),
      general,
      sunset: rest["x-deprecated-sunset"],
      resolve,
    })),
  );
}

function tableOf(id: string, service: ServiceName): readonly TableRow[] {
  const operation = documentOf(service).operations.find((one) => one.id === id);
  if (operation === undefined) return [];
  return errorsOf(operation).map((code) => ({
    code,
    status: ERROR_STATUS[code],
    ...errorExample(operation, code),
  }));
}

function mapValues<From, To>(of: Readonly<Record<string, From>>, change: (value: From) => To) {
  return Object.fromEntries(Object.entries(of).map(([name, value]): [string, To] => [name, change(value)]));
}

/** Parses JSON without losing digits. Integers beyond 2^53 become `bigint`. */
export function readExactly(text: string): unknown {
  return JSON.parse(text, (_name, value, { source = "" }: { source?: string }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
      ? BigInt(source)
      : value,
  );
}

export function writeExactly(value: unknown): string {
  const text = JSON.stringify(value, (_name, member) =>
    typeof member === "bigint" ? JSON.rawJSON(member.toString()) : member,
  );
  return text ?? "null";
}
