import type { Hooks } from "./hooks.ts";

/** The platform's `fetch`, or a function that behaves like it. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions extends Hooks {
  /** The API key, `pet_live_…` or `pet_test_…`; `PETSTORE_KEY` when left out. A page has to give it. */
  readonly key?: string | undefined;
  /** Selects the default of `baseUrl`; the key's prefix decides when left out. */
  readonly environment?: "production" | "staging" | undefined;
  /** The base address with its version, `https://pets.example.com/v1`; `PETSTORE_URL` when left out, else that of a service on this machine. */
  readonly baseUrl?: string | undefined;
  /**
   * The base address of the message service; `PETSTORE_MESSAGES_URL` when left out, else `http://localhost:8082`. Required with another
   * `baseUrl` than the default.
   */
  readonly messagesUrl?: string | undefined;
  /** The limit of a call with all its attempts, and of each page of a list; 30 000 when left out. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first; 4 when left out. */
  readonly retries?: number | undefined;
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The platform's when left out. */
  readonly fetch?: Fetch | undefined;
}

/** The last parameter of every method. */
export interface CallOptions extends Hooks {
  /** Ends the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Instead of the client's. */
  readonly timeoutMs?: number | undefined;
  /** Instead of the client's; 0 for a single attempt. */
  readonly retries?: number | undefined;
  /** Besides the client's, or instead of those with the same name. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Of a POST, instead of a random one: the same key repeats the call safely, also after a restart of the program. */
  readonly idempotencyKey?: string | undefined;
}

/** The last parameter of a method that changes or removes one resource. */
export interface ChangeOptions extends CallOptions {
  /** The resource's `ETag`, from `etagOf`: when it has changed since, the call rejects with `precondition_failed`. */
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
