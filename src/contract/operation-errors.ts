import type { BodyProblem, ErrorCode } from "../errors.ts";
import { WEBHOOKS_MAX } from "../limits.ts";
import { ERROR_CATALOG } from "./error-catalog.ts";
import {
  type AccessLevel,
  changesResource,
  leastAccess,
  leastRole,
  mediaTypesOf,
  needsWriting,
  type Operation,
} from "./operation.ts";

/** Returns the error codes of an operation: those that it lists, and those that all operations of its kind have. */
export function errorsOf(operation: Operation): readonly ErrorCode[] {
  const { body, method, errors = [] } = operation;
  const codes: ErrorCode[] = ["invalid_request", "invalid_parameter", "unauthorized", "rate_limited"];
  if (needsWriting(operation) || leastRole(operation) !== "viewer") codes.push("forbidden");
  if (body !== undefined)
    codes.push("content_type_missing", "invalid_json", "invalid_body", "unsupported_media_type");
  // The service reads the body of every request that makes a change, even if the operation declares no body, so reading it can
  // fail.
  if (method !== "GET") codes.push("request_timeout", "payload_too_large");
  if (method === "POST") codes.push("idempotency_in_progress");
  if (method === "POST" && body !== undefined) codes.push("idempotency_key_reused");
  if (changesResource(operation)) codes.push("precondition_failed");
  return [...codes, ...errors, "internal_error", "unavailable"];
}

interface ErrorExample {
  readonly message: string;
  readonly problems?: readonly BodyProblem[];
}

/**
 * Returns an example of an operation's error response. The service sends exactly this text, except that the identifiers differ.
 */
export function errorExample(operation: Operation, code: ErrorCode): ErrorExample {
  const message = exampleMessage(operation, code);
  if (code !== "invalid_body") return { message };
  return { message, problems: [{ pointer: "#", detail: "must be a JSON object" }] };
}

function exampleMessage(operation: Operation, code: ErrorCode): string {
  const { query = {}, body, deprecation } = operation;
  const { example } = ERROR_CATALOG[code];
  switch (code) {
    case "invalid_parameter":
      if ("limit" in query) return example;
      return '"limit" is not a query parameter here; this operation takes no query parameters.';
    case "content_type_missing":
    case "unsupported_media_type":
      return example.replace("application/json", mediaTypesOf(body).join(" or "));
    case "forbidden":
      if (needsWriting(operation)) return accessRefusal(operation, "read");
      return "The account of this API key has the role viewer, but this operation needs an owner.";
    case "not_found":
      return RESOURCES[lastParameter(operation)]?.missing ?? example;
    case "conflict":
      return CONFLICTS[operation.id] ?? example;
    case "gone":
      return deprecation?.goneMessage ?? example;
    default:
      return example;
  }
}

/** Returns the message of `forbidden` for a key whose access level is too low. */
export function accessRefusal(operation: Operation, actual: AccessLevel): string {
  const can = actual === "read" ? "only read" : "only read and sell";
  const needed = leastAccess(operation) === "sell" ? "a sell or read-write key" : "a read-write key";
  return `This API key can ${can}, but this operation needs ${needed}.`;
}

/** Examples of `conflict` messages, keyed by operation. */
const CONFLICTS: Readonly<Record<string, string>> = {
  createPet: 'Animal 22 (Rex) already has the externalId "A-1001".',
  updatePet: 'Animal 22 (Rex) already has the externalId "A-1001".',
  createWebhook: `An environment can have at most ${WEBHOOKS_MAX} webhooks. Remove a webhook first: DELETE /webhooks/{webhookId}.`,
  redeliverMessage: "The message is queued. Only a failed message can be sent again.",
};

/**
 * Resources, keyed by the path parameter that identifies them. `name` appears in the names of components in the API documents,
 * and `missing` is an example of the message of `not_found`.
 */
const RESOURCES: Readonly<Record<string, { readonly name: string; readonly missing: string }>> = {
  petId: { name: "Pet", missing: "There is no animal 7." },
  categoryId: { name: "Category", missing: "There is no category 7." },
  orderId: { name: "Order", missing: "There is no order 7." },
  webhookId: { name: "Webhook", missing: "There is no webhook 7." },
  deliveryId: { name: "Delivery", missing: "Webhook 1 has no delivery 7." },
  id: { name: "Message", missing: "There is no such message." },
};

function lastParameter({ path }: Operation): string {
  return /.*\{(\w+)\}/.exec(path)?.[1] ?? "petId";
}

/** Returns the name of the resource that a path parameter identifies: `Pet` for `petId`. */
export function resourceOf(parameter: string): string {
  return RESOURCES[parameter]?.name ?? parameter;
}

/**
 * Returns the name of the missing resource in a `not_found` response of an operation. If the operation's path has no parameter,
 * the missing resource is an animal.
 */
export function missingResource(operation: Operation): string {
  return resourceOf(lastParameter(operation));
}
