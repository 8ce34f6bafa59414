import type { Hooks } from "./hooks.ts";

/** The platform's `fetch`, or a function that behaves like it. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions extends Hooks {
  /** The API key, `pet_live_…` or `pet_test_…`; left out, `PETSTORE_KEY`. Required in a page. */
  readonly key?: string | undefined;
  /** Environment that selects the default of `baseUrl`; left out, that of the key's prefix. */
  readonly environment?: "production" | "staging" | undefined;
  /**
   * The base address with its version, `https://pets.example.com/v1`; left out, `PETSTORE_URL`, else that of a service on
   * this machine.
   */
  readonly baseUrl?: string | undefined;
  /**
   * The base address of the message service; left out, `PETSTORE_MESSAGES_URL`, else `http://localhost:8082`. Required with
   * a `baseUrl` other than the default.
   */
  readonly messagesUrl?: string | undefined;
  /** Timeout of a call with all its attempts, and of each page of a list, in milliseconds; left out, 30 000. */
  readonly timeoutMs?: number | undefined;
  /** Number of attempts of a call after the first; left out, 4. */
  readonly retries?: number | undefined;
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Function that sends requests; left out, the platform's `fetch`. */
  readonly fetch?: Fetch | undefined;
}

/** Options of a single call: the last parameter of every method. */
export interface CallOptions extends Hooks {
  /** Aborts the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of the call in milliseconds, instead of the client's. */
  readonly timeoutMs?: number | undefined;
  /** Number of retries of the call, instead of the client's; 0 for a single attempt. */
  readonly retries?: number | undefined;
  /** Headers of the call, added to the client's; a header of the same name replaces the client's. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Idempotency key of a POST; left out, random. The same key repeats a call safely, even after the program restarts. */
  readonly idempotencyKey?: string | undefined;
}

/** Options of a call that changes or removes one resource: the last parameter of the method. */
export interface ChangeOptions extends CallOptions {
  /** The resource's `ETag`, from `etagOf`: if the resource has changed, the call rejects with `precondition_failed`. */
  readonly ifMatch?: string | undefined;
}

export type Names<Options> = Readonly<Record<keyof Options, true>>;

export const HOOK_NAMES: Names<Hooks> = { onRequest: true, onAnswer: true, onRetry: true };

export const CLIENT_OPTIONS: Names<ClientOptions> = {
  key: true,
  environment: true,
  baseUrl: true,
  messagesUrl: true,
  timeoutMs: true,
  retries: true,
  headers: true,
  fetch: true,
  ...HOOK_NAMES,
};

export const CALL_OPTIONS: Names<ChangeOptions> = {
  signal: true,
  timeoutMs: true,
  retries: true,
  headers: true,
  idempotencyKey: true,
  ifMatch: true,
  ...HOOK_NAMES,
};
