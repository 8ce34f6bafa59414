// Generates the types of the API client, client/src/types.ts, from the OpenAPI documents. With --check, it writes nothing, and
// fails if the file is out of date.
import { messagesDocument, stagingDocument } from "../src/api/openapi-documents.ts";
import { emitDocument } from "../src/contract/openapi/openapi.ts";
import { ERROR_STATUS } from "../src/errors.ts";
import { BODY_BYTES_MAX } from "../src/limits.ts";
import { writeOrCheck } from "./generated-file.ts";

interface Schema {
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly default?: unknown;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: WebhookOperation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface WebhookOperation {
  readonly requestBody: { readonly content: { readonly "application/json": { readonly schema: Schema } } };
}

interface Member {
  readonly name: string;
  readonly type: string;
  readonly comment: string;
}

/** The formatter's line width. */
const LINE_MAX = 110;
/**
 * Schemas that are left out, because the client reads error responses itself. `ErrorCode` is generated from petstore's list of
 * codes, because the OpenAPI documents also allow any other code.
 */
const ERROR_SCHEMAS = ["Error"];

// The OpenAPI document of production is not needed, because staging's document contains everything in it.
const documents: readonly OpenApi[] = [stagingDocument, messagesDocument].map((document) =>
  JSON.parse(emitDocument(document, [])),
);
const schemas: Readonly<Record<string, Schema>> = Object.assign(
  {},
  ...documents.map(({ components }) => components.schemas),
);
const operations = documents.flatMap(({ paths }) => Object.values(paths).flatMap(Object.values<Operation>));
/** The names of enums, keyed by their values. An enum without a name gets the name of the enum with the same values. */
const enumNames = new Map(
  Object.entries(schemas).flatMap(([name, { enum: values }]) =>
    values === undefined ? [] : [[values.join(), name] as const],
  ),
);

await writeOrCheck(
  "client/src/types.ts",
  [
    "// Written by npm run docs from the OpenAPI documents.",
    'import type { Int64 } from "exact-json/int64";\n',
    ...Object.entries(schemas)
      .filter(([name, { type }]) => type !== "array" && !ERROR_SCHEMAS.includes(name))
      .map(([name, schema]) => declaration(name, schema)),
    `/** The body of a delivery. Its \`type\` decides what its \`data\` is. */\n${unionType("WebhookPayload", payloadTypes())}`,
    ...operations.flatMap(filterOf),
    interfaceOf(
      "Paging",
      "Options of a list: `limit` is the size of a page, not of the list.",
      pagingMembers(),
    ),
    `/** The error codes of this version of the interface; a later one may add others. */\n${unionType("ErrorCode", Object.keys(ERROR_STATUS).map(quoted))}`,
  ].join("\n"),
);

function declaration(name: string, schema: Schema): string {
  const { description = "", enum: values, oneOf, properties = {}, required = [] } = schema;
  const alternatives = values?.map(quoted) ?? oneOf?.map(typeOf);
  if (alternatives !== undefined) return `/** ${description} */\n${unionType(name, alternatives)}`;
  const members = Object.entries(properties).map(([member, of]) => ({
    name: required.includes(member) ? member : `${member}?`,
    type: required.includes(member) ? typeOf(of) : `${typeOf(of)} | undefined`,
    comment: commentOf(of),
  }));
  return interfaceOf(name, description, members);
}

/**
 * Generates the type for the filters of a list, such as `PetFilter` for `listPets`. It contains the query parameters except `limit`
 * and `cursor`. If no parameters are left, no type is generated.
 */
function filterOf({ operationId, parameters }: Operation): readonly string[] {
  const members = queryMembers(parameters).filter(({ name }) => !["limit?", "cursor?"].includes(name));
  if (members.length === 0) return [];
  const item = operationId.replace(/^list(\w+?)s$/, "$1").replace(/ie$/, "y");
  return [
    interfaceOf(`${item}Filter`, `Filters of \`${operationId}\`. An item must meet all of them.`, members),
  ];
}

function pagingMembers(): readonly Member[] {
  const { parameters } = operations.find(({ operationId }) => operationId === "listPets") ?? {};
  return queryMembers(parameters).filter(({ name }) => name === "limit?");
}

/**
 * Returns a type member for each query parameter. If a parameter takes several values, the member's name is plural: for `id=1,2`,
 * it is `ids: [1, 2]`.
 */
function queryMembers(parameters: Operation["parameters"] = []): readonly Member[] {
  return parameters.flatMap((parameter) => {
    if (!("in" in parameter) || parameter.in !== "query") return [];
    const { name, schema, description } = parameter;
    const isList = schema.type === "array";
    const type = isList ? `readonly ${typeOf(schema)}` : typeOf(schema);
    return {
      name: `${name}${isList ? "s" : ""}?`,
      type: `${type} | undefined`,
      // Removes the remark about commas between values from the description, because the client writes the commas itself.
      comment: commentOf({
        ...schema,
        description: description.replace(/(?:, separated by commas)?: `\w+=.*/, "."),
      }),
    };
  });
}

function interfaceOf(name: string, description: string, members: readonly Member[]): string {
  const lines = members.flatMap(({ name, type, comment }) => [`  /** ${comment} */`, `  ${name}: ${type};`]);
  return `/** ${description} */\nexport interface ${name} {\n${lines.join("\n")}\n}\n`;
}

function payloadTypes(): readonly string[] {
  const requests = documents.flatMap(({ webhooks }) => Object.values(webhooks));
  return [
    ...new Set(requests.map(({ post }) => typeOf(post.requestBody.content["application/json"].schema))),
  ];
}

function unionType(name: string, words: readonly string[]): string {
  const line = `export type ${name} = ${words.join(" | ")};`;
  return `${line.length <= LINE_MAX ? line : `export type ${name} =${words.map((word) => `\n  | ${word}`).join("")};`}\n`;
}

function typeOf(schema: Schema): string {
  const { $ref, anyOf, enum: values, const: only, type, format, items } = schema;
  if ($ref !== undefined) return nameOf($ref);
  if (anyOf !== undefined) return anyOf.map(typeOf).join(" | ");
  if (Array.isArray(type)) {
    const [own, ...others] = type;
    const words = values?.filter((word) => word !== null);
    const named =
      words?.length === 0 ? [] : [typeOf({ ...schema, type: own, ...(words && { enum: words }) })];
    return [...named, ...others].join(" | ");
  }
  if (values !== undefined) return enumNames.get(values.join()) ?? values.map(quoted).join(" | ");
  if (only !== undefined) return quoted(only);
  if (type === "array" && items !== undefined) return `${typeOf(items)}[]`;
  if (type === "integer") return format === "int64" ? "Int64" : "number";
  if (type === "object") return "Record<string, unknown>";
  if (type === "string" || type === "boolean") return type;
  throw new Error(`The client's types have no word for ${JSON.stringify(schema)}.`);
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

function nameOf(reference: string): string {
  return reference.split("/").at(-1) ?? reference;
}

function commentOf({
  $ref,
  description,
  minimum,
  maximum,
  maxItems,
  maxLength,
  default: fallback,
}: Schema): string {
  if ($ref !== undefined && description === undefined) return commentOf(schemas[nameOf($ref)] ?? {});
  const bounds = fallback === undefined ? "" : ` ${minimum} to ${maximum}; ${fallback} if left out.`;
  const most = maxItems === undefined ? "" : ` At most ${maxItems}.`;
  const isLimited = maxLength !== undefined && maxLength < BODY_BYTES_MAX;
  return `${description}${bounds}${most}${isLimited ? ` At most ${maxLength} characters.` : ""}`;
}
