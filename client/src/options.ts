import type { Hooks } from "./hooks.ts";

/** The platform's `fetch`, or a function that behaves like it. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions extends Hooks {
  /** The API key, `pet_live_…` or `pet_test_…`; left out, `PETSTORE_KEY`. Required in a page. */
  readonly key?: string | undefined;
  /** Selects the default of `baseUrl`; left out, by the key's prefix. */
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
  /** Attempts after the first; left out, 4. */
  readonly retries?: number | undefined;
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Left out, the platform's. */
  readonly fetch?: Fetch | undefined;
}

/** The last parameter of every method. */
export interface CallOptions extends Hooks {
  /** Aborts the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Replaces the client's. */
  readonly timeoutMs?: number | undefined;
  /** Replaces the client's; 0 for a single attempt. */
  readonly retries?: number | undefined;
  /** Added to the client's; a header with the same name replaces it. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Of a POST; left out, random. The same key repeats the call safely, even after a restart of the program. */
  readonly idempotencyKey?: string | undefined;
}

/** The last parameter of a method that changes or removes one resource. */
export interface ChangeOptions extends CallOptions {
  /** The resource's `ETag`, from `etagOf`: if the resource has changed since, the call rejects with `precondition_failed`. */
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
