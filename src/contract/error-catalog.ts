import type { ErrorCode } from "../errors.ts";

interface ErrorEntry {
  /** The condition, as a sentence. */
  readonly when: string;
  /** A message that the service sends with it. */
  readonly example: string;
}

/** For the OpenAPI documents and `/docs/errors`. */
export const ERROR_CATALOG: Readonly<Record<ErrorCode, ErrorEntry>> = {
  invalid_request: {
    when: "The `Host`, the `Idempotency-Key`, the `If-Match` or the `Last-Event-ID` is invalid, or the body ended early.",
    example: "The Host header must name one host.",
  },
  invalid_parameter: {
    when: "A query parameter is unknown, empty or malformed, or given twice and not a list.",
    example: "limit must be an integer from 1 to 100.",
  },
  invalid_cursor: {
    when: "The `cursor` does not come from this list with the same filters in the same environment.",
    example: "cursor must be one that this list returned in a Link header, with the same filters.",
  },
  content_type_missing: {
    when: "The body has no `Content-Type`.",
    example: "Content-Type is required and must be application/json.",
  },
  invalid_json: {
    when: "The body is not UTF-8, not JSON, has a member twice, or is nested more than 64 levels deep.",
    example: "The body is not valid JSON.",
  },
  invalid_body: {
    when: "The body does not match the schema. The message names every wrong member and the reason.",
    example: "categoryId is required; status must be one of available, pending, sold",
  },
  unauthorized: {
    when: "The API key is missing, invalid, expired or revoked, or belongs to the other environment.",
    example: "An API key is required: send it as Authorization: Bearer <API_KEY>.",
  },
  forbidden: {
    when: "The operation changes data, and the API key or the role of its account may only read; or it needs an owner.",
    example: "This API key may only read; createPet needs a read-write key.",
  },
  not_found: {
    when: "The path does not exist, or no resource has this identifier.",
    example: "There is no animal 7.",
  },
  method_not_allowed: {
    when: "The path exists, but not with this method. `Allow` lists the methods that exist.",
    example: "PUT is not allowed on /v1/pets.",
  },
  request_timeout: {
    when: "The body did not arrive within the time limit.",
    example: "The body did not arrive within 10 seconds.",
  },
  pet_not_available: {
    when: "The ordered animal is not `available`, or has an open order.",
    example: "Animal 7 is not available: it is sold.",
  },
  order_already_complete: {
    when: "The order is already complete: it can be neither completed nor cancelled.",
    example: "Order 3 is already complete.",
  },
  pet_has_open_order: {
    when: "The animal has an open order, so it cannot be removed and its status cannot be changed.",
    example: "Animal 7 has an open order: 3. Complete or cancel it first.",
  },
  category_in_use: {
    when: "An animal is in the category, so it cannot be removed.",
    example: "Category 3 is in use by animal 22. Remove the animal or change its category first.",
  },
  webhook_disabled: {
    when: "The webhook is disabled, so nothing is sent to it.",
    example: 'Webhook 1 is disabled. Enable it first: PATCH /webhooks/1 {"status": "enabled"}.',
  },
  idempotency_in_progress: {
    when: "An earlier request with this `Idempotency-Key` is still in progress. `Retry-After` says when to try again.",
    example: "A request with this Idempotency-Key is still being processed.",
  },
  gone: {
    when: "The operation has been removed.",
    example: "GET /pets/{petId} was removed. Use GET /pets.",
  },
  cursor_expired: {
    when: "Events that follow the `cursor` or the `Last-Event-ID` have been deleted. Read the animals and orders, then follow without it.",
    example:
      "Events after this cursor have been deleted. Read the animals and orders, then follow without a cursor.",
  },
  precondition_failed: {
    when: "`If-Match` names another representation than the current one: the resource has changed since it was read.",
    example:
      "The resource has changed since the version that If-Match names. Read it again, then repeat the change.",
  },
  payload_too_large: {
    when: "The body exceeds the size limit.",
    example: "The request body exceeds the 65536 byte limit.",
  },
  unsupported_media_type: {
    when: "The body is not JSON, not UTF-8, or compressed.",
    example: "Content-Type must be application/json, in UTF-8.",
  },
  idempotency_key_reused: {
    when: "The `Idempotency-Key` was already used with a body of another JSON value.",
    example: "This Idempotency-Key was already used with a different request body.",
  },
  rate_limited: {
    when: "The key has reached its request limit. `Retry-After` says when to try again.",
    example: "Rate limit exceeded. Retry after 12 seconds.",
  },
  internal_error: {
    when: "The service failed. Its log has the error under the request id.",
    example: "Something went wrong on our side. The request id names it in our log.",
  },
  unavailable: {
    when: "The database cannot be reached, or too many requests are in progress. `Retry-After` says when to try again.",
    example: "The store cannot be reached right now. Try again.",
  },
};
