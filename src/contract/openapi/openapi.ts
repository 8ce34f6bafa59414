import { INT64_MAX, INT64_MIN } from "exact-json/int64";
import { z } from "zod";
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponseObject } from "zod-openapi";
import { layOutJson } from "../json/json.ts";
import {
  acceptsNone,
  type DocumentedOperation,
  hasEntityTag,
  isChange,
  mediaTypesOf,
  type OperationStream,
  type Parameters,
} from "../operation.ts";
import { type AddressOption, codeSamples } from "./code-samples.ts";
import { exampleRequest } from "./example-request.ts";
import {
  type HeaderNames,
  headerComponents,
  headerParameters,
  headerRefs,
  locationHeader,
  parameterRef,
} from "./headers.ts";
import { commonHeaders, refusalResponses } from "./responses.ts";
import { shareResponses } from "./shared-responses.ts";
import { type WebhookSection, webhookObjects, webhookParameters, webhookResponses } from "./webhooks.ts";

export interface Document {
  readonly services: readonly string[];
  readonly addressOption: AddressOption;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly operations: readonly DocumentedOperation[];
  readonly webhooks: WebhookSection;
  /** True if every operation accepts `Petstore-Simulate`. */
  readonly hasSimulations?: true;
}

interface DocumentServer {
  readonly url: string;
  readonly description: string;
}

/** Version of the interface, not of the program. */
const VERSION = "1.0.0";

/** The text of an OpenAPI 3.1 document, with every digit of 64-bit bounds. */
export function emitDocument(document: Document, servers: readonly DocumentServer[]): string {
  const emitted = createDocument(
    {
      openapi: "3.1.0",
      info: {
        title: document.title,
        version: VERSION,
        description: document.description,
        license: { name: "MIT", identifier: "MIT" },
      },
      servers: servers.map((server) => ({ ...server })),
      security: [{ bearerAuth: [] }],
      tags: [...document.tags],
      paths: pathsOf(document),
      webhooks: webhookObjects(document.webhooks),
      components: {
        securitySchemes: {
          bearerAuth: {
            type: "http",
            scheme: "bearer",
            description:
              "An API key: `pet_live_…` for production, `pet_test_…` for staging. The message service accepts both.",
          },
        },
        headers: headerComponents,
        parameters: { ...headerParameters, ...webhookParameters(document.webhooks) },
        responses: webhookResponses(document.webhooks),
      },
    },
    {
      // Later versions may add members to responses. Without this, a schema used in both directions would be emitted twice.
      override({ jsonSchema }) {
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      },
    },
  );
  return `${layOutJson(finish(onlyUsed(shareResponses(emitted))))}\n`;
}

function pathsOf({ operations, addressOption, hasSimulations }: Document) {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const operation of operations) {
    const { path, method } = operation;
    paths[path] ??= {};
    paths[path][method.toLowerCase()] = {
      ...operationObject(operation, hasSimulations === true),
      "x-codeSamples": codeSamples(exampleRequest(operation, addressOption)),
    };
  }
  return paths;
}

function operationObject(operation: DocumentedOperation, hasSimulations: boolean): ZodOpenApiOperationObject {
  const { id, tag, summary, description, deprecation, stability, hideTryItPanel } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(deprecation && {
      deprecated: true,
      "x-deprecated-sunset": new Date(deprecation.sunset).toISOString().slice(0, 10),
    }),
    ...(stability && { "x-stability": stability }),
    ...(hideTryItPanel && { "x-hideTryItPanel": true }),
    requestParams: {
      path: parameterSchemas("path", operation.pathParameters),
      query: parameterSchemas("query", operation.query),
    },
    parameters: [
      ...(operation.method === "POST" ? [parameterRef("IdempotencyKey")] : []),
      ...(isChange(operation) ? [parameterRef("IfMatch"), parameterRef("IfNoneMatchOfChange")] : []),
      ...(operation.method === "GET" ? [parameterRef("IfNoneMatch")] : []),
      ...(operation.success.stream ? [parameterRef("LastEventId")] : []),
      ...(hasSimulations ? [parameterRef("PetstoreSimulate")] : []),
    ],
    ...(operation.body && { requestBody: requestBodyObject(operation.method, operation.body) }),
    responses: { ...successResponses(operation), ...refusalResponses(operation, hasSimulations) },
  };
}

function parameterSchemas(location: "path" | "query", parameters: Parameters = {}): z.ZodObject {
  const entries = Object.entries(parameters).map(([name, { description, schema, example, isList }]) => {
    const param = {
      description,
      ...(example === undefined ? {} : { example }),
      // `id=1,2` is the documented form; the parameter's description says that it may also be repeated.
      ...(isList ? { style: "form" as const, explode: false } : {}),
    };
    return [name, (location === "path" ? schema : schema.optional()).meta({ param })];
  });
  return z.object(Object.fromEntries(entries));
}

function requestBodyObject(method: string, body: NonNullable<DocumentedOperation["body"]>) {
  const examples = Object.entries(body.examples).map(([name, value]) => [name, { value }]);
  const content = { schema: body.schema, examples: Object.fromEntries(examples) };
  const required = !acceptsNone(method, body);
  return { required, content: Object.fromEntries(mediaTypesOf(body).map((type) => [type, content])) };
}

function successResponses(operation: DocumentedOperation): Record<string, ZodOpenApiResponseObject> {
  const { status, description, schema, example, paged, stream, itemParameter, location } = operation.success;
  const headers: HeaderNames = {
    ...commonHeaders(operation),
    ...(hasEntityTag(operation) && { ETag: stream ? "ListETag" : itemParameter ? "PageETag" : "ETag" }),
    ...(paged && { Link: "NextLink" }),
    ...(operation.method === "POST" && { "Idempotent-Replayed": "IdempotentReplayed" }),
  };
  const success: ZodOpenApiResponseObject = {
    description,
    headers: {
      ...headerRefs({ ...headers, ...(stream && { "X-Accel-Buffering": "XAccelBuffering" }) }),
      ...(location && { Location: locationHeader(location.replace("{id}", String(Object(example).id))) }),
    },
    ...(schema && {
      content: { "application/json": { schema, example }, ...(stream && streamContent(stream)) },
    }),
  };
  if (operation.method !== "GET") return { [status]: success };
  const unchanged = {
    description: "Not modified: `If-None-Match` names the current representation.",
    headers: headerRefs(headers),
  };
  return { [status]: success, 304: unchanged };
}

function streamContent({ description, example }: OperationStream) {
  return { "text/event-stream": { schema: z.string().meta({ description }), example } };
}

/** Removes the components that no operation of this document refers to. */
function onlyUsed(document: unknown): unknown {
  const text = JSON.stringify(document);
  const components = (document as { components: Record<string, Record<string, unknown>> }).components;
  const kept = Object.entries(components).map(([kind, members]) => {
    const used = Object.entries(members).filter(
      ([name]) => kind === "securitySchemes" || text.includes(`"#/components/${kind}/${name}"`),
    );
    return [kind, Object.fromEntries(used)];
  });
  return { ...(document as object), components: Object.fromEntries(kept) };
}

/** Adds 64-bit bounds, which zod-openapi cannot emit because a double cannot hold them; removes its `param` metadata. */
function finish(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(finish);
  if (typeof node !== "object" || node === null) return node;
  const { param: _, ...members } = Object.fromEntries(
    Object.entries(node).map(([name, value]): [string, unknown] => [name, finish(value)]),
  );
  if (members["format"] !== "int64") return members;
  return { ...members, minimum: members["minimum"] ?? INT64_MIN, maximum: members["maximum"] ?? INT64_MAX };
}
