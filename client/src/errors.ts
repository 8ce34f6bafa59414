import type { ErrorCode } from "./types.ts";

/** A code that this client does not know. */
export type UnknownErrorCode = string & Record<never, never>;

interface PetstoreErrorDetails extends ErrorOptions {
  readonly code: string;
  readonly status: number;
  readonly requestId: string;
  readonly retryAfterSeconds: number | undefined;
  readonly outcomeUnknown: boolean;
}

/** The service refused; `message` is its own sentence. */
export class PetstoreError extends Error {
  override readonly name = "PetstoreError";
  readonly code: ErrorCode | UnknownErrorCode;
  /** The HTTP status. */
  readonly status: number;
  /** What the service's log knows this answer by; empty if the answer named none. */
  readonly requestId: string;
  /** How long the service asked to be left alone, if it did. */
  readonly retryAfterSeconds: number | undefined;
  /**
   * The call was to change something, and may have: the service failed in the middle of it, or an earlier attempt was
   * never answered.
   */
  readonly outcomeUnknown: boolean;

  constructor(message: string, details: PetstoreErrorDetails) {
    super(message, "cause" in details ? { cause: details.cause } : undefined);
    this.code = details.code;
    this.status = details.status;
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.outcomeUnknown = details.outcomeUnknown;
  }
}

interface PetstoreConnectionErrorDetails extends ErrorOptions {
  readonly address: string;
  readonly outcomeUnknown: boolean;
}

/** No usable answer came: nothing listens there, it took too long, or what answered is not the service. */
export class PetstoreConnectionError extends Error {
  override readonly name = "PetstoreConnectionError";
  /** The address that was asked. It never holds the key. */
  readonly address: string;
  /** The call was to change something, and may have: whether it did cannot be told from here. */
  readonly outcomeUnknown: boolean;

  constructor(message: string, { address, outcomeUnknown, ...options }: PetstoreConnectionErrorDetails) {
    super(message, options);
    this.address = address;
    this.outcomeUnknown = outcomeUnknown;
  }
}
