import type { ErrorCode } from "./types.ts";

/** A code of a later version of the interface. */
export type UnknownErrorCode = string & Record<never, never>;

/** An error response of the service; `message` is its own sentence. */
export class PetstoreError extends Error {
  override readonly name = "PetstoreError";
  readonly code: ErrorCode | UnknownErrorCode;
  /** The HTTP status. */
  readonly status: number;
  /** `X-Request-Id`, which the service's log has, too; empty when absent. */
  readonly requestId: string;
  /** `Retry-After` in seconds. */
  readonly retryAfterSeconds: number | undefined;
  /**
   * The change may have been made: the service failed during it, or an earlier attempt got no response. Then a
   * `precondition_failed` may come from that attempt's own change.
   */
  readonly outcomeUnknown: boolean;

  constructor(message: string, details: ErrorOptions & Omit<PetstoreError, keyof Error>) {
    super(message, "cause" in details ? { cause: details.cause } : undefined);
    this.code = details.code;
    this.status = details.status;
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.outcomeUnknown = details.outcomeUnknown;
  }
}

/** No usable response: the address cannot be reached, the timeout has passed, or another service answered. */
export class PetstoreConnectionError extends Error {
  override readonly name = "PetstoreConnectionError";
  /** The address of the request, which never contains the key. */
  readonly address: string;
  /** The change may have been made. */
  readonly outcomeUnknown: boolean;

  constructor(message: string, details: ErrorOptions & Omit<PetstoreConnectionError, keyof Error>) {
    super(message, "cause" in details ? { cause: details.cause } : undefined);
    this.address = details.address;
    this.outcomeUnknown = details.outcomeUnknown;
  }
}
