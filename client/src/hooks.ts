import type { PetstoreConnectionError, PetstoreError } from "./errors.ts";

/** A sent request, without the key. */
export interface SentRequest {
  readonly method: string;
  readonly address: string;
  /** Without `Authorization`. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; undefined without a body. */
  readonly body: string | undefined;
  /** 1 for the first attempt of a call. */
  readonly attempt: number;
}

/** A received response. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** `X-Request-Id`, which is also in the service's log; empty if absent. */
  readonly requestId: string;
  /** The text of the body, with every digit; undefined for a stream. */
  readonly body: string | undefined;
  /** Milliseconds from the request to the end of the body; for a stream, to the response's headers. */
  readonly durationMs: number;
  readonly request: SentRequest;
}

/** A failed attempt that will be repeated. */
export interface Retry {
  /** The call's error, if this was the last attempt. */
  readonly error: PetstoreError | PetstoreConnectionError;
  /** Milliseconds until the next attempt. */
  readonly delayMs: number;
  readonly request: Pick<SentRequest, "method" | "address" | "attempt">;
}

/** Callbacks during a call: the client's first, then the call's. An exception in one ends the call. */
export interface Hooks {
  /** Called before every attempt. */
  readonly onRequest?: ((request: SentRequest) => void) | undefined;
  /** Called for every response, including errors and attempts that will be repeated. */
  readonly onAnswer?: ((answer: Answer) => void) | undefined;
  /** Called before the delay of every retry. */
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
