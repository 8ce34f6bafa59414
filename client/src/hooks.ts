import type { PetstoreConnectionError, PetstoreError } from "./errors.ts";

/** A request as it is sent, without the key. */
export interface SentRequest {
  readonly method: string;
  readonly address: string;
  /** Without `Authorization`. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; undefined without one. */
  readonly body: string | undefined;
  /** 1 for the first of a call. */
  readonly attempt: number;
}

/** A response as it was received. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** `X-Request-Id`, which the service's log has, too; empty when absent. */
  readonly requestId: string;
  /** The text of the body, with every digit; undefined for a stream. */
  readonly body: string | undefined;
  /** Milliseconds from the request to the end of the body; of a stream, to its headers. */
  readonly durationMs: number;
  readonly request: SentRequest;
}

/** A failed attempt that is repeated. */
export interface Retry {
  /** The error of the call if it was the last attempt. */
  readonly error: PetstoreError | PetstoreConnectionError;
  /** Milliseconds until the next attempt. */
  readonly delayMs: number;
  readonly request: Pick<SentRequest, "method" | "address" | "attempt">;
}

/** Functions that are called as a call goes on: the client's first, then the call's. What one throws ends the call. */
export interface Hooks {
  /** Called before every attempt. */
  readonly onRequest?: ((request: SentRequest) => void) | undefined;
  /** Called for every response, also for errors and attempts that are repeated. */
  readonly onAnswer?: ((answer: Answer) => void) | undefined;
  /** Called before the delay of every repetition. */
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
