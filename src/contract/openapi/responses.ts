import { STATUS_CODES } from "node:http";
import { z } from "zod";
import type { ZodOpenApiResponseObject } from "zod-openapi";
import { type BodyProblem, ERROR_STATUS, type ErrorCode } from "../../errors.ts";
import { ERROR_CATALOG } from "../error-catalog.ts";
import { isChange, leastRole, mediaTypesOf, needsWriting, type Operation } from "../operation.ts";
import { type HeaderNames, headerRefs } from "./headers.ts";

const errorSchema = z
  .object({
    // No enum: clients generated today must accept codes added tomorrow.
    code: z.string().meta({
      description:
        "Machine-readable error code; `/docs/errors` has all of them. A later version may add others.",
      example: "unauthorized",
    }),
    message: z.string().meta({ description: "What is wrong, for people." }),
    status: z.int().min(400).max(599).meta({ description: "The HTTP status code of the response." }),
  })
  .meta({ id: "Error", description: "The body of every 4xx and 5xx response." });

const problemSchema = z
  .object({
    type: z
      .string()
      .meta({ format: "uri-reference", description: "Address of the description of the error code." }),
    title: z.string().meta({ description: "The status in words." }),
    status: errorSchema.shape.status,
    detail: z.string().meta({ description: "The `message` of Error." }),
    code: errorSchema.shape.code,
    errors: z
      .array(z.object({ pointer: z.string(), detail: z.string() }))
      .optional()
      .meta({ description: "The wrong members of a body, by JSON Pointer (RFC 6901)." }),
  })
  .meta({
    id: "Problem",
    description: "RFC 9457 Problem Details, for clients whose `Accept` prefers `application/problem+json`.",
  });

/** The 4xx and 5xx responses of an operation, by status: its own errors, and those common to all of its kind. */
export function refusalResponses(
  operation: Operation,
  hasSimulations: boolean,
): Record<string, ZodOpenApiResponseObject> {
  const byStatus = Map.groupBy(errorsOf(operation), (code) => ERROR_STATUS[code]);
  // JavaScript orders numeric keys of an object.
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      refusalResponse(operation, status, codes, hasSimulations),
    ]),
  );
}

export function errorsOf(operation: Operation): readonly ErrorCode[] {
  const { body, method, errors = [] } = operation;
  const codes: ErrorCode[] = ["invalid_request", "invalid_parameter", "unauthorized", "rate_limited"];
  if (needsWriting(operation) || leastRole(operation) !== "viewer") codes.push("forbidden");
  if (body !== undefined)
    codes.push("content_type_missing", "invalid_json", "invalid_body", "unsupported_media_type");
  // An unexpected body is read, too, within the limits.
  if (method !== "GET") codes.push("request_timeout", "payload_too_large");
  if (method === "POST") codes.push("idempotency_in_progress");
  if (method === "POST" && body !== undefined) codes.push("idempotency_key_reused");
  if (isChange(operation)) codes.push("precondition_failed");
  return [...codes, ...errors, "internal_error", "unavailable"];
}

function refusalResponse(
  operation: Operation,
  status: number,
  ofStatus: readonly ErrorCode[],
  hasSimulations: boolean,
): ZodOpenApiResponseObject {
  const examples = ofStatus.map((code) => [code, errorExample(operation, code)] as const);
  return {
    description: ofStatus.map((code) => `\`${code}\`: ${ERROR_CATALOG[code].when}`).join("\n\n"),
    headers: headerRefs({
      Link: "ErrorLink",
      ...refusalHeaders(operation, status, ofStatus),
      ...commonHeaders(operation, status !== 401),
      ...(hasSimulations && { "Petstore-Simulated": "PetstoreSimulated" }),
    }),
    content: {
      "application/json": {
        schema: errorSchema,
        examples: Object.fromEntries(
          examples.map(([code, { message }]) => [code, { value: { code, message, status } }]),
        ),
      },
      "application/problem+json": {
        schema: problemSchema,
        examples: Object.fromEntries(
          examples.map(([code, { message: detail, problems: errors }]) => {
            const type = `http://localhost:8080/docs/errors#${code}`;
            return [code, { value: { type, title: STATUS_CODES[status], status, detail, code, errors } }];
          }),
        ),
      },
    },
  };
}

interface ErrorExample {
  readonly message: string;
  readonly problems?: readonly BodyProblem[];
}

/** Example of an error response of an operation: the service's text, verbatim except for identifiers. */
export function errorExample(operation: Operation, code: ErrorCode): ErrorExample {
  const message = exampleMessage(operation, code);
  if (code !== "invalid_body") return { message };
  return { message, problems: [{ pointer: "#", detail: "must be a JSON object" }] };
}

function exampleMessage(operation: Operation, code: ErrorCode): string {
  const { path, query = {}, body, deprecation } = operation;
  const { example } = ERROR_CATALOG[code];
  switch (code) {
    case "invalid_parameter":
      if ("limit" in query) return example;
      return '"limit" is not a query parameter here; this operation takes no query parameters.';
    case "content_type_missing":
    case "unsupported_media_type":
      return example.replace("application/json", mediaTypesOf(body).join(" or "));
    case "forbidden":
      if (needsWriting(operation)) return example;
      return "The account of this API key has the role viewer; this operation needs an owner.";
    case "not_found":
      return NOT_FOUND[/.*\{(\w+)\}/.exec(path)?.[1] ?? ""] ?? example;
    case "gone":
      return deprecation?.goneMessage ?? example;
    default:
      return example;
  }
}

/** Examples of `not_found` messages, by the path's last parameter; for any other path, the example names an animal. */
const NOT_FOUND: Readonly<Record<string, string>> = {
  categoryId: "There is no category 7.",
  orderId: "There is no order 7.",
  webhookId: "There is no webhook 7.",
  deliveryId: "Webhook 1 has no delivery 7.",
  id: "There is no such message.",
};

const TRANSIENT: ReadonlySet<ErrorCode> = new Set(["idempotency_in_progress", "rate_limited", "unavailable"]);

function refusalHeaders({ method }: Operation, status: number, codes: readonly ErrorCode[]): HeaderNames {
  if (status === 401 || status === 403) return { "WWW-Authenticate": "WWWAuthenticate" };
  const transient = codes.filter((code) => TRANSIENT.has(code));
  if (transient.length > 0)
    return { "Retry-After": transient.length === codes.length ? "RetryAfter" : "RetryAfterInProgress" };
  if (status !== 415) return {};
  return {
    Accept: "Accept",
    ...(method === "PATCH" && { "Accept-Patch": "AcceptPatch" }),
    ...(method === "POST" && { "Accept-Post": "AcceptPost" }),
    "Accept-Encoding": "AcceptEncoding",
  };
}

/** Header fields of an operation's responses. @param isCounted false without a valid key: then no rate limit applies */
export function commonHeaders({ deprecation }: Operation, isCounted = true): HeaderNames {
  return {
    "X-Request-Id": "XRequestId",
    ...(isCounted && { "RateLimit-Policy": "RateLimitPolicy", RateLimit: "RateLimit" }),
    ...(deprecation && { Deprecation: "Deprecation", Sunset: "Sunset", Link: "DeprecationLinks" }),
  };
}
