import { z } from "zod";
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from "zod-openapi";
import packageJson from "../../../package.json" with { type: "json" };
import { layOutJson } from "../json/json.ts";
import {
  acceptsNone,
  changesResource,
  type DocumentedOperation,
  fillPath,
  hasEntityTag,
  mediaTypesOf,
  type OperationStream,
} from "../operation.ts";
import { finish } from "./finish.ts";
import {
  type HeaderNames,
  headerComponents,
  headerParameters,
  headerRefs,
  locationHeader,
  parameterRef,
} from "./headers.ts";
import { parameterSchemas } from "./parameters.ts";
import { defaultResponse, type ErrorResponses, refusalResponses } from "./responses.ts";
import { type WebhookSection, webhookObjects, webhookParameters, webhookResponses } from "./webhooks.ts";

export interface Document {
  readonly services: readonly string[];
  /** Name of the option of `@petstore/client` that takes the base address of the documented service. */
  readonly addressOption: "baseUrl" | "messagesUrl";
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

/** Version of the API, which is independent of the version of the program. */
const VERSION = "1.0.0";

/** Writes the text of an OpenAPI 3.1 document. The limits of 64-bit integers keep all their digits. */
export function emitDocument(document: Document, servers: readonly DocumentServer[]): string {
  const shared: ErrorResponses = new Map();
  const paths = pathsOf(document, shared);
  const emitted = createDocument(
    {
      openapi: "3.1.0",
      info: {
        title: document.title,
        version: VERSION,
        description: document.description,
        contact: { name: "petstore", url: packageJson.bugs },
        license: { name: "MIT", url: "https://spdx.org/licenses/MIT.html" },
      },
      servers: servers.map((server) => ({ ...server })),
      security: [{ bearerAuth: [] }],
      tags: document.tags.toSorted((a, b) => a.name.localeCompare(b.name)),
      paths,
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
        responses: {
          ...Object.fromEntries(shared),
          ...defaultResponse(document.operations),
          ...unchangedResponses,
          ...webhookResponses(document.webhooks),
        },
      },
    },
    {
      // Responses must allow additional members, because later versions may add some. Requests allow them, too, because a schema
      // that is used in both would otherwise appear twice in the document.
      override({ jsonSchema }) {
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      },
    },
  );
  return `${layOutJson(finish(onlyUsed(emitted)))}\n`;
}

function pathsOf({ operations, hasSimulations }: Document, shared: ErrorResponses) {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const operation of operations) {
    const { path, method } = operation;
    paths[path] ??= {};
    paths[path][method.toLowerCase()] = {
      ...operationObject(operation, hasSimulations === true),
      responses: { ...successResponses(operation), ...refusalResponses(operation, shared) },
    };
  }
  return paths;
}

function operationObject(operation: DocumentedOperation, hasSimulations: boolean) {
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
      ...(changesResource(operation) ? [parameterRef("IfMatch"), parameterRef("IfNoneMatchOfChange")] : []),
      ...(operation.method === "GET" ? [parameterRef("IfNoneMatch")] : []),
      ...(operation.success.stream ? [parameterRef("LastEventId")] : []),
      ...(hasSimulations ? [parameterRef("PetstoreSimulate")] : []),
    ],
    ...(operation.body && { requestBody: requestBodyObject(operation.method, operation.body) }),
  };
}

function requestBodyObject(method: string, body: NonNullable<DocumentedOperation["body"]>) {
  const examples = Object.entries(body.examples).map(([name, value]) => [name, { value }]);
  const content = { schema: body.schema, examples: Object.fromEntries(examples) };
  const required = !acceptsNone(method, body);
  return { required, content: Object.fromEntries(mediaTypesOf(body).map((type) => [type, content])) };
}

function successResponses(operation: DocumentedOperation): ZodOpenApiResponsesObject {
  const { status, description, schema, example, paged, stream, itemParameters, location } = operation.success;
  const parameters = Object.entries(operation.pathParameters ?? {}).map(([name, of]) => [name, of.example]);
  const named = { ...Object.fromEntries(parameters), ...Object(example) };
  const headers: HeaderNames = {
    ...(hasEntityTag(operation) && { ETag: stream ? "ListETag" : itemParameters ? "PageETag" : "ETag" }),
    ...(paged && { Link: "NextLink" }),
    ...(operation.method === "POST" && { "Idempotent-Replayed": "IdempotentReplayed" }),
    ...(operation.deprecation && { Deprecation: "Deprecation", Sunset: "Sunset", Link: "DeprecationLinks" }),
    ...(stream && { "X-Accel-Buffering": "XAccelBuffering" }),
  };
  const success: ZodOpenApiResponseObject = {
    description,
    headers: {
      ...headerRefs(headers),
      ...(location && { Location: locationHeader(fillPath(location, named)) }),
    },
    ...(schema && {
      content: { "application/json": { schema, example }, ...(stream && streamContent(stream)) },
    }),
  };
  if (operation.method !== "GET") return { [status]: success };
  const unchanged = `#/components/responses/${paged ? "PageNotModified" : "NotModified"}` as const;
  return { [status]: success, 304: { $ref: unchanged } };
}

const NOT_MODIFIED = "Not modified: `If-None-Match` contains the `ETag` of the current version.";

const unchangedResponses = {
  NotModified: { description: NOT_MODIFIED, headers: headerRefs({ ETag: "ETag" }) },
  PageNotModified: { description: NOT_MODIFIED, headers: headerRefs({ ETag: "ETag", Link: "NextLink" }) },
};

function streamContent({ description, example }: OperationStream) {
  return { "text/event-stream": { schema: z.string().meta({ description }), example } };
}

/** Removes the OpenAPI components that a document does not use. */
function onlyUsed(document: object): object {
  const text = JSON.stringify(document);
  const components = (document as { components: Record<string, Record<string, unknown>> }).components;
  const kept = Object.entries(components).map(([kind, members]) => {
    const used = Object.entries(members).filter(
      ([name]) => kind === "securitySchemes" || text.includes(`"#/components/${kind}/${name}"`),
    );
    return [kind, Object.fromEntries(used)];
  });
  const less = { ...document, components: Object.fromEntries(kept) };
  // Components are removed until nothing changes, because a removed component may have been the only one that used another
  // component.
  return JSON.stringify(less).length === text.length ? document : onlyUsed(less);
}
