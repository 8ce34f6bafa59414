import type { ErrorCode } from "../errors.ts";

interface ErrorEntry {
  readonly when: string;
  readonly example: string;
  /** Advice for the client's developer: one or two sentences that name the parameter, header or operation. */
  readonly whatToDo: string;
  /** Advice for the operator, if there is any: a sentence that names the setting or command. */
  readonly operator?: string;
}

/** Number of seconds that `Retry-After` contains in the example of a `rate_limited` error. */
export const RATE_LIMITED_SECONDS = 2;

/**
 * The condition, an example and the remedy of each error code. The API documents and `/docs/errors` are generated from this
 * catalog.
 */
export const ERROR_CATALOG: Readonly<Record<ErrorCode, ErrorEntry>> = {
  invalid_request: {
    when: "A header (`Host`, `Idempotency-Key`, `If-Match`, `If-None-Match` or `Last-Event-ID`) is invalid, or the body is incomplete.",
    example: "The Host header must name one host.",
    whatToDo:
      "The error message names the header, or says that the body is incomplete. Send exactly one `Host`, an `Idempotency-Key` of 1 to 255 visible characters, `If-Match` exactly as you received it in `ETag`, and as many bytes as `Content-Length` says.",
  },
  invalid_parameter: {
    when: "A query parameter is unknown, empty, malformed, or given twice although it takes only one value.",
    example: "limit must be an integer from 1 to 100.",
    whatToDo:
      "The error message names the parameter, and says which values are valid. Correct the parameter; the reference lists the parameters of each operation.",
  },
  invalid_cursor: {
    when: "The `cursor` does not come from this list with the same filters and in the same environment.",
    example: "cursor must be a cursor that this list returned in a Link header, with the same filters.",
    whatToDo:
      'Take the `cursor` from the `Link` header with `rel="next"`, and do not change the other parameters. Without a `cursor`, the list starts from the beginning.',
  },
  content_type_missing: {
    when: "The body has no `Content-Type`.",
    example: "Content-Type is required and must be application/json.",
    whatToDo: "Send `Content-Type: application/json`, or `application/merge-patch+json` with `PATCH`.",
  },
  invalid_json: {
    when: "The body is not UTF-8, is not JSON, contains a member twice, or is nested more than 64 levels deep.",
    example: "The body is not valid JSON.",
    whatToDo:
      "Use a JSON library to write the body, in UTF-8, with each member once. Integers may have any number of digits; do not put them in quotes.",
  },
  invalid_body: {
    when: "The body does not match the schema. The message names every wrong member and the reason.",
    example: "The body must be a JSON object.",
    whatToDo:
      "Correct the members that the error message names. With `Accept: application/problem+json` the response lists each of them with its JSON Pointer.",
  },
  unauthorized: {
    when: "The API key is missing, invalid, expired or revoked, or belongs to the other environment.",
    example: "The API key is invalid, expired or revoked.",
    whatToDo:
      "Send `Authorization: Bearer <API_KEY>` with a key of this environment: `pet_live_…` for production, `pet_test_…` for staging. You can create a key in the console, under API keys.",
    operator: "`petstore keys create --environment production` creates a key.",
  },
  forbidden: {
    when: "The access of the API key, or the role of its account, does not allow this operation.",
    example: "This API key can only read, but this operation needs a read-write key.",
    whatToDo:
      "The error message says which access or role is needed. Use a key with this access, or ask an owner to change the role.",
    operator:
      "`petstore keys create --environment production` creates a read-write key; `petstore accounts role EMAIL staff` changes a role.",
  },
  not_found: {
    when: "The path does not exist, or no resource has this identifier.",
    example: "There is no animal 7.",
    whatToDo:
      "Check the path and the identifier, and check that your key is for the environment that has the resource. `GET /pets?id=N` returns an empty list if there is no animal N.",
  },
  method_not_allowed: {
    when: "The path does not accept this method. `Allow` lists the methods that it accepts.",
    example: "PUT is not allowed on /v1/pets.",
    whatToDo: "Use one of the methods in `Allow`.",
  },
  request_timeout: {
    when: "The body did not arrive within the time limit.",
    example: "The body did not arrive within 10 seconds.",
    whatToDo:
      "Try again, and send the whole body without pausing. A `POST` with the same `Idempotency-Key` is executed only once.",
  },
  pet_not_available: {
    when: "The animal cannot be ordered, because its status is not `available` or it already has an open order.",
    example: "Animal 7 is not available: it is sold.",
    whatToDo:
      "Choose another animal: `GET /pets?status=available` lists the animals that can be ordered. If this animal was never sold, set its `status` to `available` with `updatePet`.",
  },
  order_already_complete: {
    when: "The order is already complete: it can be neither completed nor cancelled.",
    example: "Order 3 is already complete.",
    whatToDo:
      "The order needs no further action. If the sale was a mistake, set the animal's `status` with `updatePet`.",
  },
  pet_has_open_order: {
    when: "The animal has an open order, so it cannot be removed and its status cannot be changed.",
    example: "Animal 7 has an open order: 3. Complete or cancel it first.",
    whatToDo:
      "The error message names the open order. Complete (`completeOrder`) or cancel (`cancelOrder`) this order, then repeat the change.",
  },
  category_in_use: {
    when: "The category still contains animals, so it cannot be removed.",
    example:
      "Category 3 cannot be removed, because animal 22 is in it. Remove the animal or change its category first.",
    whatToDo:
      "Give the category's animals another `categoryId` with `updatePet`, or remove the animals; `GET /pets?categoryId=N` lists them.",
  },
  webhook_disabled: {
    when: "The webhook is disabled, so nothing is sent to it.",
    example: 'Webhook 1 is disabled. Enable it first with PATCH /webhooks/1 {"status": "enabled"}.',
    whatToDo: 'Enable the webhook with `updateWebhook` and `{"status": "enabled"}`.',
    operator: "`petstore webhooks update N --status enabled` enables the webhook with the identifier N.",
  },
  idempotency_in_progress: {
    when: "An earlier request with this `Idempotency-Key` is still in progress. `Retry-After` says when to try again.",
    example: "A request with this Idempotency-Key is still being processed.",
    whatToDo:
      "Wait as many seconds as `Retry-After` says, then send the same request again. You get the response to the first request.",
  },
  conflict: {
    when: "The change conflicts with the current data: for example, a category with this identifier already exists. The message gives the reason.",
    example: "Category 2 (Fish) already exists.",
    whatToDo:
      "The error message says what is in the way. Remove or change it, or send a different value, then repeat the request.",
  },
  gone: {
    when: "The operation has been removed.",
    example: "GET /pets/{petId} was removed. Use GET /pets.",
    whatToDo:
      "The error message names the operation to use instead. The page of deprecated operations says what changes.",
  },
  cursor_expired: {
    when: "Events after the `cursor` or `Last-Event-ID` have been deleted. Read all animals and orders, then read events without a `cursor` or `Last-Event-ID`.",
    example:
      "Events after this cursor have been deleted. Read all animals and orders, then read events without a cursor.",
    whatToDo: "Read all animals and orders, then read events without a `cursor` or `Last-Event-ID`.",
    operator: "`PETSTORE_HISTORY_DAYS` sets how long events are kept.",
  },
  precondition_failed: {
    when: "`If-Match` does not contain the `ETag` of the current version, or `If-None-Match` contains it.",
    example: "The resource has changed since the version in If-Match. Read it again, then repeat the change.",
    whatToDo:
      "Read the resource again, apply your change to the current version, and send its new `ETag` in `If-Match`.",
  },
  payload_too_large: {
    when: "The body exceeds the size limit.",
    example: "The request body exceeds the 65536 byte limit.",
    whatToDo: "Send a smaller body.",
    operator:
      "`PETSTORE_MAX_BODY_BYTES` raises the limit. A proxy in front of the service may have its own limit.",
  },
  unsupported_media_type: {
    when: "The `Content-Type` of the body is not JSON in UTF-8, or the body is compressed.",
    example: "Content-Type must be application/json, in UTF-8.",
    whatToDo:
      "Send JSON in UTF-8 with `Content-Type: application/json` and without `Content-Encoding`. `Accept-Post` and `Accept-Patch` list the accepted media types.",
  },
  idempotency_key_reused: {
    when: "The `Idempotency-Key` was already used with a different body.",
    example: "This Idempotency-Key was already used with a different request body.",
    whatToDo: "Use a new `Idempotency-Key` for each new request, and repeat a key only with the same body.",
  },
  rate_limited: {
    when: "The key has sent too many requests, or has too many requests or event streams open at once. The message says which limit the key has reached. `Retry-After` says when to try again.",
    example: `Rate limit exceeded. Retry after ${RATE_LIMITED_SECONDS} seconds.`,
    whatToDo: "Wait as many seconds as `Retry-After` says. `RateLimit` says how many requests are left.",
    operator: "`PETSTORE_RATE_LIMIT` sets the limit.",
  },
  internal_error: {
    when: "An unexpected error occurred in the service. The service's log contains the error.",
    example:
      "An unexpected error occurred. The service's log contains the error, with the X-Request-Id of this request.",
    whatToDo:
      "Try again: a `POST` with the same `Idempotency-Key` is executed only once. If the error persists, tell the operator the `X-Request-Id`.",
    operator: "Look up the `X-Request-Id` in the service's log, and run `petstore doctor`.",
  },
  unavailable: {
    when: "The service cannot reach the database, or too many requests are in progress. `Retry-After` says when to try again.",
    example: "Too many requests are in progress. Try again.",
    whatToDo: "Wait as many seconds as `Retry-After` says, then try again.",
    operator: "If the error persists, run `petstore doctor` on the service's machine.",
  },
};
