import type { ErrorCode } from "./types.ts";

/** An error code that this version of the client does not know, because a later version of the interface added it. */
export type UnknownErrorCode = string & Record<never, never>;

/** An invalid member of a request's body. */
export interface MemberError {
  /** JSON Pointer to the invalid member (RFC 6901 §6): `#/categoryId`. */
  readonly pointer: string;
  /** Explanation of what is wrong with the member: `is required`. */
  readonly detail: string;
}

/**
 * An error response from the service. Its `message` is the text that the service sent. The HTTP status determines the subclass,
 * so that a program can handle even error codes that it does not know.
 */
export class PetstoreError extends Error {
  override readonly name: string = "PetstoreError";
  readonly code: ErrorCode | UnknownErrorCode;
  readonly status: number;
  /** The response's `X-Request-Id`, which is also in the service's log; empty if the header is absent. */
  readonly requestId: string;
  /** All invalid members of the body, if the code is `invalid_body`; otherwise empty. */
  readonly members: readonly MemberError[];
  /** Number of seconds to wait before a retry, from `Retry-After`; undefined if the response does not have this header. */
  readonly retryAfterSeconds: number | undefined;
  /**
   * True if the service may have made the change despite the error. This can happen if the service failed while making the
   * change, or if an earlier attempt got no response. In the second case, `precondition_failed` may mean that the earlier attempt
   * made the change.
   */
  readonly outcomeUnknown: boolean;

  constructor(message: string, details: ErrorOptions & Omit<PetstoreError, keyof Error>) {
    super(message, "cause" in details ? { cause: details.cause } : undefined);
    this.code = details.code;
    this.status = details.status;
    this.requestId = details.requestId;
    this.members = details.members;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.outcomeUnknown = details.outcomeUnknown;
  }
}

// Each class declares its own type of `name`, so that the compiler treats the classes as different types. Otherwise, a failed
// `instanceof` check for one class would make the compiler rule out the other classes, too.

/** 400, 413, 415 or 422: the request is invalid, and would fail again if it were repeated. */
export class PetstoreInvalidError extends PetstoreError {
  override readonly name = "PetstoreInvalidError";
}

/** 401: the key is missing, unknown, expired or revoked, or was issued for the other environment (production or staging). */
export class PetstoreUnauthorizedError extends PetstoreError {
  override readonly name = "PetstoreUnauthorizedError";
}

/** 403: the key does not permit the operation. */
export class PetstoreForbiddenError extends PetstoreError {
  override readonly name = "PetstoreForbiddenError";
}

/** 404 or 410: the resource or the operation does not exist, or has been removed. */
export class PetstoreNotFoundError extends PetstoreError {
  override readonly name = "PetstoreNotFoundError";
}

/** 409 or 412: the current state of the store does not allow the request. */
export class PetstoreConflictError extends PetstoreError {
  override readonly name = "PetstoreConflictError";
}

/** 429: the key sent too many requests. You can use it again after `retryAfterSeconds`. */
export class PetstoreRateLimitError extends PetstoreError {
  override readonly name = "PetstoreRateLimitError";
}

/** 5xx: the service failed, or is temporarily unable to answer. */
export class PetstoreServerError extends PetstoreError {
  override readonly name = "PetstoreServerError";
}

const CLASSES: Readonly<Record<number, typeof PetstoreError>> = {
  400: PetstoreInvalidError,
  401: PetstoreUnauthorizedError,
  403: PetstoreForbiddenError,
  404: PetstoreNotFoundError,
  409: PetstoreConflictError,
  410: PetstoreNotFoundError,
  412: PetstoreConflictError,
  413: PetstoreInvalidError,
  415: PetstoreInvalidError,
  422: PetstoreInvalidError,
  429: PetstoreRateLimitError,
};

export function errorClass(status: number): typeof PetstoreError {
  return CLASSES[status] ?? (status >= 500 ? PetstoreServerError : PetstoreError);
}

/**
 * Thrown if a call got no usable response: the service could not be reached, the call timed out, or a program other than petstore
 * responded.
 */
export class PetstoreConnectionError extends Error {
  override readonly name = "PetstoreConnectionError";
  /** Address that the request was sent to. */
  readonly address: string;
  /** True if the service may have made the change despite the failure. */
  readonly outcomeUnknown: boolean;

  constructor(message: string, details: ErrorOptions & Omit<PetstoreConnectionError, keyof Error>) {
    super(message, "cause" in details ? { cause: details.cause } : undefined);
    this.address = details.address;
    this.outcomeUnknown = details.outcomeUnknown;
  }
}
