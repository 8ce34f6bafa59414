/** The error codes of all responses, and the HTTP status of each. */
export const ERROR_STATUS = {
  invalid_request: 400,
  invalid_parameter: 400,
  invalid_cursor: 400,
  content_type_missing: 400,
  invalid_json: 400,
  invalid_body: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  pet_not_available: 409,
  order_already_complete: 409,
  pet_has_open_order: 409,
  category_in_use: 409,
  webhook_disabled: 409,
  idempotency_in_progress: 409,
  conflict: 409,
  gone: 410,
  cursor_expired: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** A problem in a request's body: where it is (as a JSON Pointer fragment, RFC 6901 §6), and a description. */
export interface BodyProblem {
  readonly pointer: string;
  readonly detail: string;
}

interface ServiceErrorOptions extends ErrorOptions {
  /** Headers of the error response, such as `Allow` or `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly problems?: readonly BodyProblem[];
}

/** An error that is reported to the client, with one of the codes in `ERROR_STATUS` and a sentence for people. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly problems: readonly BodyProblem[];

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.headers = options.headers ?? {};
    this.problems = options.problems ?? [];
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** Creates an `invalid_body` error for one member of the body. */
export function invalidMember(member: string, detail: string): ServiceError {
  const problems = [{ pointer: `#/${member}`, detail }];
  return new ServiceError("invalid_body", `${member} ${detail}.`, { problems });
}

/** Creates an `unavailable` error for a temporary problem. The response tells the client to retry after one second. */
export function unavailable(message: string, cause?: unknown, Kind = ServiceError): ServiceError {
  return new Kind("unavailable", message, { cause, headers: { "Retry-After": "1" } });
}

/** Returns the message of a caught value, which need not be an `Error`. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Returns the code of a caught error, such as `ECONNREFUSED`, or its name, for logs. The message is not used, because it may
 * contain a secret.
 */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
