import type { ToolAnnotations } from "@modelcontextprotocol/server";
import type { Document } from "../../contract/openapi/openapi.ts";
import { type DocumentedOperation, isChange } from "../../contract/operation.ts";
import { decimalSchema, type JsonSchema, type OperationSchemas, schemasOf } from "./tool-schemas.ts";

export interface Tool {
  readonly operation: DocumentedOperation;
  readonly baseUrl: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  /** Schema of the tool's arguments that agents see: `accepts` with decimal strings in place of 64-bit integers. */
  readonly inputSchema: JsonSchema;
  /** Schema of the tool's arguments: one object with the operation's parameters and the body's members. */
  readonly accepts: JsonSchema;
  readonly returns: JsonSchema | undefined;
}

interface ToolOptions {
  readonly baseUrl: string;
  /** True to include operations that change something. */
  readonly write: boolean;
}

/** The operations of an OpenAPI document as MCP tools, except those with `hideTryItPanel`. */
export function toolsOf(document: Document, { baseUrl, write }: ToolOptions): readonly Tool[] {
  const schemas = schemasOf(document);
  return document.operations
    .filter(({ method, hideTryItPanel }) => hideTryItPanel !== true && (write || method === "GET"))
    .map((operation) => {
      const own = schemas(operation);
      const accepts = acceptedBy(operation, own);
      return {
        operation,
        baseUrl,
        description: descriptionOf(operation),
        annotations: annotationsOf(operation),
        inputSchema: { ...decimalSchema(accepts), type: "object", additionalProperties: false },
        accepts,
        returns: own.result,
      };
    });
}

const IF_MATCH = {
  type: "string",
  description:
    "The `etag` of an earlier result: the change is refused with `precondition_failed` if the resource has changed since.",
};
const CURSOR = {
  type: "string",
  description: "Where the page starts: `next` of an earlier result, with the same filters.",
};

function acceptedBy(operation: DocumentedOperation, { parameters, body }: OperationSchemas): JsonSchema {
  const { id, query } = operation;
  const parts = [
    parameters.properties ?? {},
    body?.properties ?? {},
    isChange(operation) ? { ifMatch: IF_MATCH } : {},
  ];
  const names = parts.flatMap(Object.keys);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    throw new Error(`${id} has a parameter and a member of the body called ${repeated}.`);
  return {
    properties: { ...Object.assign({}, ...parts), ...(query?.["cursor"] && { cursor: CURSOR }) },
    required: [...(parameters.required ?? []), ...(body?.required ?? [])],
  };
}

function descriptionOf({ description, success }: DocumentedOperation): string {
  return success.paged
    ? `${description} Here the result's \`next\` stands for that link: give it as \`cursor\`.`
    : description;
}

function annotationsOf({ summary, method, success }: DocumentedOperation): ToolAnnotations {
  if (method === "GET") return { title: summary, readOnlyHint: true };
  return {
    title: summary,
    readOnlyHint: false,
    // A creation (201 or 202) changes nothing that exists.
    destructiveHint: success.status !== 201 && success.status !== 202,
    idempotentHint: method !== "POST",
  };
}
