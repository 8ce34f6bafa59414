import type { Check } from "./check-options.ts";
import type { Hooks } from "./hooks.ts";

/** The platform's `fetch`, or a function that behaves like it. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions extends Hooks {
  /** The API key, `pet_live_…` or `pet_test_…`. If left out, `PETSTORE_KEY` is used. Required in a web page. */
  readonly key?: string | undefined;
  /**
   * The environment, which determines the default of `baseUrl`. If left out, the prefix of the key determines the environment.
   */
  readonly environment?: "production" | "staging" | undefined;
  /**
   * The store's base address, which ends with the version of the interface: `https://pets.example.com/v1`. If left out,
   * `PETSTORE_URL` is used, or else the address of a service on this machine.
   */
  readonly baseUrl?: string | undefined;
  /**
   * The base address of the message service. If left out, `PETSTORE_MESSAGES_URL` is used, or else `http://localhost:8082`. If
   * `baseUrl` is not the default, you must set this option, too, to send messages.
   */
  readonly messagesUrl?: string | undefined;
  /** Timeout of a call, including its retries, in milliseconds. In a list, it applies to each page. The default is 30,000. */
  readonly timeoutMs?: number | undefined;
  /** The maximum number of retries of a call. The default is 4. */
  readonly retries?: number | undefined;
  /** Additional headers for every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The function that sends the requests. The default is the platform's `fetch`. */
  readonly fetch?: Fetch | undefined;
}

/** Options of a single call. Every method takes them as its last parameter. */
export interface CallOptions extends Hooks {
  /** Aborts the call, which then rejects with the reason of this signal. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of this call in milliseconds. It replaces the client's timeout. */
  readonly timeoutMs?: number | undefined;
  /** The maximum number of retries of this call. It replaces the client's maximum. With 0, there is a single attempt. */
  readonly retries?: number | undefined;
  /**
   * Headers of this call, in addition to the client's headers. If both have a header of the same name, the call's header is sent.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Idempotency key of a POST. The default is a random key. If you set it, you can safely repeat a call with the same key, even
   * after your program has restarted.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Options of a call that changes or deletes a resource. */
export interface ChangeOptions extends CallOptions {
  /**
   * The resource's `ETag`, as `etagOf` returns it. If somebody else has changed the resource since you read it, the call rejects
   * with `precondition_failed`.
   */
  readonly ifMatch?: string | undefined;
}

export type Checks<Options> = Readonly<Record<keyof Options, Check>>;

const matches = (pattern: RegExp) => (value: unknown) => typeof value === "string" && pattern.test(value);
const FUNCTION: Check = ["a function", (value) => typeof value === "function"];

export const KEY: Check = [
  "an API key (pet_live_… or pet_test_…) without spaces or line breaks around the key",
  matches(/^[\x21-\x7e]+$/),
];

export const ADDRESS: Check = [
  "an http or https address such as https://pets.example.com/v1, without a user name, password, query or fragment",
  (value) => {
    const address = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
    return (
      address !== undefined &&
      /^https?:$/.test(address.protocol) &&
      address.username + address.password + address.search + address.hash === ""
    );
  },
];

export const HOOKS: Checks<Hooks> = { onRequest: FUNCTION, onAnswer: FUNCTION, onRetry: FUNCTION };

/**
 * Accepts plain objects. Refuses a `Headers` object or a `Map`, because `Object.entries` would find no headers in it. Both are
 * recognized because they are iterable.
 */
export const HEADERS: Check = [
  'an object such as { "X-Shop": "Main Street" }',
  (value) => typeof value === "object" && value !== null && !(Symbol.iterator in value),
];

export const SIGNAL: Check = [
  "an AbortSignal, such as controller.signal",
  (value) => typeof value === "object" && value !== null && "aborted" in value,
];

const ATTEMPTS: Checks<Pick<CallOptions, "timeoutMs" | "retries">> = {
  timeoutMs: ["a number of milliseconds above 0", (value) => typeof value === "number" && value > 0],
  retries: ["an integer of at least 0", (value) => Number.isInteger(value) && Number(value) >= 0],
};

export const CLIENT_OPTIONS: Checks<ClientOptions> = {
  key: KEY,
  environment: ['"production" or "staging"', matches(/^(?:production|staging)$/)],
  baseUrl: ADDRESS,
  messagesUrl: ADDRESS,
  headers: HEADERS,
  fetch: FUNCTION,
  ...ATTEMPTS,
  ...HOOKS,
};

export const CALL_OPTIONS: Checks<ChangeOptions> = {
  signal: SIGNAL,
  headers: HEADERS,
  idempotencyKey: ["1 to 255 visible ASCII characters, without spaces", matches(/^[\x21-\x7e]{1,255}$/)],
  // An `ETag` may begin with `W/`, because a proxy that compresses responses adds this prefix.
  ifMatch: ['an ETag with quotes, as etagOf returns it, or "*"', matches(/^(?:W\/)?(?:\*|"[!#-~]*")$/)],
  ...ATTEMPTS,
  ...HOOKS,
};
