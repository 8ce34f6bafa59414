import { z } from "zod";
import type { ZodOpenApiResponseObject } from "zod-openapi";
import { ERROR_STATUS, type ErrorCode } from "../../errors.ts";
import { ERROR_CATALOG } from "../error-catalog.ts";
import type { Operation } from "../operation.ts";
import { errorExample, errorsOf, missingResource } from "../operation-errors.ts";
import { type HeaderNames, headerRefs } from "./headers.ts";

const errorSchema = z
  .object({
    // The schema does not list the error codes, because clients that are generated today must accept codes that are added later.
    code: z.string().meta({
      description:
        "Machine-readable error code; `/docs/errors` lists all codes. A later version may add others.",
      example: "unauthorized",
    }),
    message: z.string().meta({ description: "A sentence that describes the problem to a person." }),
    status: z.int().min(400).max(599).meta({ description: "The HTTP status code of the response." }),
  })
  .meta({ id: "Error", description: "The body of every 4xx and 5xx response." });

/** Statuses that the `default` response describes. An operation lists every other status itself. */
const DEFAULT_STATUSES: ReadonlySet<number> = new Set([403, 405, 408, 413, 415, 429, 500, 503]);

/** Error responses, keyed by the names that they have in `components.responses`. */
export type ErrorResponses = Map<string, ZodOpenApiResponseObject>;

/**
 * Returns references to an operation's error responses, keyed by status. Adds the responses to `shared` if it does not contain
 * them yet.
 */
export function refusalResponses(operation: Operation, shared: ErrorResponses) {
  const byStatus = Map.groupBy(errorsOf(operation), (code) => ERROR_STATUS[code]);
  const listed = [...byStatus].flatMap(([status, codes]) => {
    if (DEFAULT_STATUSES.has(status)) return [];
    const name = refusalName(operation, status, codes);
    if (!shared.has(name)) shared.set(name, refusalResponse(operation, status, codes));
    return [[status, responseRef(name)] as const];
  });
  return { ...Object.fromEntries(listed), default: responseRef(DEFAULT) };
}

const responseRef = (name: string) => ({ $ref: `#/components/responses/${name}` });

/**
 * Returns the name of an error response. Responses with different texts need different names. The name is therefore made from
 * everything that affects the text: the kind of request, the resource, or the error codes.
 */
function refusalName(operation: Operation, status: number, codes: readonly ErrorCode[]): string {
  const { method, query = {}, body } = operation;
  if (status === 404) return `${missingResource(operation)}NotFound`;
  // The message of a conflict depends on the operation, so the name of the conflict's response contains the operation's id. The
  // name of any other response begins with the error code that is specific to the operation.
  if (codes.includes("conflict"))
    return `${operation.id.charAt(0).toUpperCase()}${operation.id.slice(1)}Conflict`;
  if (status !== 400) return codes.toReversed().map(pascalCase).join("Or");
  if ("limit" in query) return "InvalidListRequest";
  if (body === undefined) return "InvalidRequest";
  return method === "PATCH" ? "InvalidPatch" : "InvalidBody";
}

function pascalCase(code: string): string {
  return code
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

function refusalResponse(
  operation: Operation,
  status: number,
  codes: readonly ErrorCode[],
): ZodOpenApiResponseObject {
  const examples = ordinaryFirst(codes).map((code) => exampleOf(code, errorExample(operation, code).message));
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_CATALOG[code].when}`).join("\n\n"),
    headers: headerRefs(refusalHeaders(status, codes)),
    content: { "application/json": { schema: errorSchema, examples: Object.fromEntries(examples) } },
  };
}

/**
 * Error codes whose examples do not follow the order of the service's checks. A mock server responds with the first example, so the
 * most common error must come first.
 */
const RANKS: Partial<Record<ErrorCode, number>> = { invalid_body: -1, invalid_request: 1 };

function ordinaryFirst(codes: readonly ErrorCode[]): readonly ErrorCode[] {
  return codes.toSorted((one, other) => (RANKS[one] ?? 0) - (RANKS[other] ?? 0));
}

function exampleOf(code: ErrorCode, message: string) {
  return [code, { value: { code, message, status: ERROR_STATUS[code] } }] as const;
}

function refusalHeaders(status: number, codes: readonly ErrorCode[]): HeaderNames {
  if (status === 401) return { "WWW-Authenticate": "WWWAuthenticate" };
  return codes.includes("idempotency_in_progress") ? { "Retry-After": "RetryAfter" } : {};
}

const DEFAULT = "OtherError";

/**
 * Creates the `default` response, which all operations share. It describes the errors whose statuses the operations do not list.
 */
export function defaultResponse(operations: readonly Operation[]): Record<string, ZodOpenApiResponseObject> {
  const codes = errorCodesOf(operations).filter((code) => DEFAULT_STATUSES.has(ERROR_STATUS[code]));
  const words = codes.map((code) => `\`${code}\` (${ERROR_STATUS[code]})`);
  return {
    [DEFAULT]: {
      description: `Any other error: ${words.join(", ")}.`,
      headers: headerRefs({
        "WWW-Authenticate": "Challenge",
        Allow: "Allow",
        Accept: "Accept",
        "Accept-Post": "AcceptPost",
        ...(operations.some(({ method }) => method === "PATCH") && { "Accept-Patch": "AcceptPatch" }),
        "Accept-Encoding": "AcceptEncoding",
        "Retry-After": "RetryAfter",
      }),
      content: {
        "application/json": {
          schema: errorSchema,
          examples: Object.fromEntries(codes.map((one) => exampleOf(one, ERROR_CATALOG[one].example))),
        },
      },
    },
  };
}

/** Returns the error codes that a service with these operations can send, in the order of the catalog. */
export function errorCodesOf(operations: readonly Operation[]): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>([...operations.flatMap(errorsOf), "not_found", "method_not_allowed"]);
  return Object.keys(ERROR_CATALOG).filter((code): code is ErrorCode => codes.has(code as ErrorCode));
}
