import type { ToolAnnotations } from "@modelcontextprotocol/server";
import type { Document } from "../../contract/openapi/openapi.ts";
import { changesResource, type DocumentedOperation, type Parameters } from "../../contract/operation.ts";
import { type JsonSchema, jsonSchemaOf, withoutHttp } from "./tool-schemas.ts";

export interface Tool {
  readonly operation: DocumentedOperation;
  readonly baseUrl: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  /** The schema of the tool's arguments: a single object with the operation's parameters and the members of its request body. */
  readonly accepts: JsonSchema;
  readonly returns: JsonSchema | undefined;
}

interface ToolOptions {
  readonly baseUrl: string;
  /** True if the tools include operations that change data. */
  readonly write: boolean;
  /** The names of the sets of operations that `--tools` selects. */
  readonly sets: readonly string[];
}

/** Converts the operations of an OpenAPI document to MCP tools. */
export function toolsOf(document: Document, { baseUrl, write, sets }: ToolOptions): readonly Tool[] {
  return document.operations
    .filter(({ method, tag }) => sets.includes(setOf(tag)) && (write || method === "GET"))
    .map((operation) => {
      const { schema } = operation.success;
      return {
        operation,
        baseUrl,
        description: withoutHttp(operation.description),
        annotations: annotationsOf(operation),
        accepts: acceptedBy(operation),
        returns: schema && jsonSchemaOf(schema),
      };
    });
}

function setOf(tag: string): string {
  return tag === "Store" ? "orders" : tag.toLowerCase();
}

const IF_MATCH = {
  type: "string",
  description:
    "The `etag` of an earlier result. If the resource has changed since, the call fails with `precondition_failed`.",
};
const CURSOR = {
  type: "string",
  description:
    "To get the next page: the `next` of the previous result. Use the same filters as in the previous call.",
};

function acceptedBy(operation: DocumentedOperation): JsonSchema {
  const { id, pathParameters = {}, query = {} } = operation;
  const body = operation.body && jsonSchemaOf(operation.body.schema);
  const parts = [
    parameterSchemas(pathParameters),
    parameterSchemas(query),
    body?.properties ?? {},
    changesResource(operation) ? { ifMatch: IF_MATCH } : {},
  ];
  const names = parts.flatMap(Object.keys);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    throw new Error(
      `The operation ${id} has a parameter and a member of the body with the same name: ${repeated}.`,
    );
  return {
    type: "object",
    additionalProperties: false,
    properties: { ...Object.assign({}, ...parts), ...(query["cursor"] && { cursor: CURSOR }) },
    required: [...Object.keys(pathParameters), ...(body?.required ?? [])],
  };
}

function parameterSchemas(parameters: Parameters): Readonly<Record<string, JsonSchema>> {
  const entries = Object.entries(parameters);
  return Object.fromEntries(
    entries.map(([name, { schema, description }]) => [name, jsonSchemaOf(schema.meta({ description }))]),
  );
}

function annotationsOf({ summary, method, success }: DocumentedOperation): ToolAnnotations {
  if (method === "GET") return { title: summary, readOnlyHint: true };
  return {
    title: summary,
    readOnlyHint: false,
    // The hint is false for operations that respond with 201 or 202: they create something, and change nothing that already exists.
    destructiveHint: success.status !== 201 && success.status !== 202,
    idempotentHint: method !== "POST",
  };
}
