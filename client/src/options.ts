/** The platform's `fetch`, or a function that behaves like it. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions {
  /** The API key, `pet_live_…` or `pet_test_…`. */
  readonly key: string;
  /** Selects the default of `baseUrl`; the key's prefix decides when left out. */
  readonly environment?: "production" | "staging" | undefined;
  /** The base address with its version: `https://pets.example.com/v1`. */
  readonly baseUrl?: string | undefined;
  /** The base address of the message service; `http://localhost:8082` when left out, and required with another `baseUrl`. */
  readonly messagesUrl?: string | undefined;
  /** The limit of a call with all its attempts, and of each page of a list; 30 000 when left out. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first; 4 when left out. */
  readonly retries?: number | undefined;
  /** The platform's when left out. */
  readonly fetch?: Fetch | undefined;
}

/** A response without its body. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: Headers;
  /** `X-Request-Id`, which the service's log has, too; empty when absent. */
  readonly requestId: string;
}

/** The last parameter of every method. */
export interface CallOptions {
  /** Ends the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Instead of the client's. */
  readonly timeoutMs?: number | undefined;
  /** Instead of the client's; 0 for a single attempt. */
  readonly retries?: number | undefined;
  /** Of a POST, instead of a random one: the same key repeats the call safely, also after a restart of the program. */
  readonly idempotencyKey?: string | undefined;
  /** Called for every response, also for errors and attempts that are repeated. */
  readonly onAnswer?: ((answer: AnswerHead) => void) | undefined;
}

/** The last parameter of a method that changes or removes one resource. */
export interface ChangeOptions extends CallOptions {
  /** The resource's `ETag`, from `etagOf`: when it has changed since, the call rejects with `precondition_failed`. */
  readonly ifMatch?: string | undefined;
}
