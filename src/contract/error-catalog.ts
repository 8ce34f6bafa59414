import type { ErrorCode } from "../errors.ts";

interface ErrorEntry {
  /** When a client meets it. */
  readonly when: string;
  /** A message as it is really sent. */
  readonly example: string;
}

/** What each code means, for the documents and for `/docs/errors`. */
export const ERROR_CATALOG: Readonly<Record<ErrorCode, ErrorEntry>> = {
  invalid_request: {
    when: "The request itself cannot be used: its `Host`, its `Idempotency-Key`, or a body that ended early.",
    example: "The Host header must name one host.",
  },
  invalid_parameter: {
    when: "A query parameter is unknown, given twice, empty or malformed.",
    example: "limit must be an integer from 1 to 100.",
  },
  invalid_cursor: {
    when: "The `cursor` was not issued by this list with these filters.",
    example: "cursor must be one that this list returned in a Link header, with the same filters.",
  },
  content_type_missing: {
    when: "A body came without a `Content-Type`.",
    example: "Content-Type is required and must be application/json.",
  },
  invalid_json: {
    when: "The body is not UTF-8, not JSON, gives a member twice, or is nested more than 64 levels deep.",
    example: "The body is not valid JSON.",
  },
  invalid_body: {
    when: "The body does not have the shape described; the message names every wrong member and why.",
    example: "categoryId is required; status must be one of available, pending, sold",
  },
  unauthorized: {
    when: "The API key is missing, invalid, expired or revoked, or belongs to the other environment.",
    example: "An API key is required: send it as Authorization: Bearer <API_KEY>.",
  },
  forbidden: {
    when: "The API key may only read, and the operation changes something.",
    example: "This API key may only read; createPet needs a read-write key.",
  },
  not_found: { when: "Nothing has that path or that identifier.", example: "There is no animal 7." },
  method_not_allowed: {
    when: "The path exists, but not with this method; `Allow` lists those that work.",
    example: "PUT is not allowed on /v1/pets.",
  },
  request_timeout: {
    when: "The body did not arrive in time.",
    example: "The body did not arrive within 10 seconds.",
  },
  pet_not_available: {
    when: "The animal ordered is not `available`, or has an open order.",
    example: "Animal 7 is not available.",
  },
  order_already_complete: {
    when: "The order is complete, so it can be neither completed nor cancelled.",
    example: "Order 3 is already complete.",
  },
  pet_has_open_order: {
    when: "The animal cannot be removed while an order for it is open.",
    example: "Animal 7 has an open order. Complete or cancel it first.",
  },
  idempotency_in_progress: {
    when: "The first request with this `Idempotency-Key` has not been answered yet.",
    example: "A request with this Idempotency-Key is still being processed.",
  },
  gone: {
    when: "The operation has been removed.",
    example: "GET /pets/{petId} was removed on 5 December 2030. Use GET /pets.",
  },
  payload_too_large: {
    when: "The body is larger than the service takes.",
    example: "The request body exceeds the 65536 byte limit.",
  },
  unsupported_media_type: {
    when: "The body is not JSON, not UTF-8, or compressed.",
    example: "Content-Type must be application/json, in UTF-8.",
  },
  idempotency_key_reused: {
    when: "The `Idempotency-Key` was used before, with another body.",
    example: "This Idempotency-Key was already used with a different request body.",
  },
  rate_limited: {
    when: "The key has made all the requests it may make for now; `Retry-After` says when to go on.",
    example: "Rate limit exceeded. Retry after 12 seconds.",
  },
  internal_error: {
    when: "A fault of ours. The log has it, under the request id.",
    example: "Something went wrong on our side. The request id names it in our log.",
  },
  unavailable: {
    when: "The store cannot be reached right now, or too many requests are under way; `Retry-After` says when to try again.",
    example: "The store cannot be reached right now. Try again.",
  },
};
