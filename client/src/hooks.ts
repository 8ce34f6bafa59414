import type { PetstoreConnectionError, PetstoreError } from "./errors.ts";

/** A request that was sent. It does not contain the API key. */
export interface SentRequest {
  readonly method: string;
  readonly address: string;
  /** Headers of the request, without `Authorization`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body of the request as JSON; undefined if it has none. */
  readonly body: string | undefined;
  /** Number of the attempt within its call: 1 for the first attempt. */
  readonly attempt: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The response's `X-Request-Id`, which is also in the service's log; empty if the header is absent. */
  readonly requestId: string;
  /** The response's body as the text that arrived, so that integers keep all their digits; undefined for a stream. */
  readonly body: string | undefined;
  /** Milliseconds from the request to the end of the response's body; for a stream, to the response's headers. */
  readonly durationMs: number;
  readonly request: SentRequest;
}

/** A failed attempt that will be retried. */
export interface Retry {
  /** The error that the call would reject with if this attempt were its last. */
  readonly error: PetstoreError | PetstoreConnectionError;
  readonly delayMs: number;
  readonly request: Pick<SentRequest, "method" | "address" | "attempt">;
}

/**
 * Callbacks for the requests of a client or of a single call. If both define the same callback, the client's callback runs first.
 * If a callback throws, the call rejects.
 */
export interface Hooks {
  /** Called before every attempt. */
  readonly onRequest?: ((request: SentRequest) => void) | undefined;
  /** Called for every response, including error responses and responses to attempts that will be retried. */
  readonly onAnswer?: ((answer: Answer) => void) | undefined;
  /** Called before every retry, at the beginning of its delay. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

export type JoinedHooks = { readonly [Name in keyof Hooks]-?: NonNullable<Hooks[Name]> };

export function joinHooks(client: Hooks, call: Hooks): JoinedHooks {
  return {
    onRequest(request) {
      client.onRequest?.(request);
      call.onRequest?.(request);
    },
    onAnswer(answer) {
      client.onAnswer?.(answer);
      call.onAnswer?.(answer);
    },
    onRetry(retry) {
      client.onRetry?.(retry);
      call.onRetry?.(retry);
    },
  };
}
