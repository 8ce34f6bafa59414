/** What sends a request: the platform's `fetch`, or something that behaves like it. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions {
  /** The API key, `pet_live_…` or `pet_test_…`. */
  readonly key: string;
  /** Which default address `baseUrl` stands for; left out, the key's prefix decides. */
  readonly environment?: "production" | "staging" | undefined;
  /** The base address of the pet store, with its version: `https://pets.example.com/v1`. */
  readonly baseUrl?: string | undefined;
  /** The base address of the message service; `http://localhost:8082` when left out. */
  readonly messagesUrl?: string | undefined;
  /** How long a call may take, with all its attempts; 30 000 when left out. Of a list, each page. */
  readonly timeoutMs?: number | undefined;
  /** How often a call that failed in passing is repeated at most; 4 when left out. */
  readonly retries?: number | undefined;
  /** The platform's own when left out. */
  readonly fetch?: Fetch | undefined;
}

/** What one answer of the service says beside its body. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: Headers;
  /** What the service's log knows it by; empty if it named none. */
  readonly requestId: string;
}

/** The last parameter of every method. */
export interface CallOptions {
  /** Ends the call; what it rejects with is the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Instead of the client's. */
  readonly timeoutMs?: number | undefined;
  /** Instead of the client's; 0 for a single attempt. */
  readonly retries?: number | undefined;
  /** Of a POST: one of your own instead of a random one, to repeat a call from a program that was started again. */
  readonly idempotencyKey?: string | undefined;
  /** Told of every answer, those that are refusals or are tried again included. */
  readonly onAnswer?: ((answer: AnswerHead) => void) | undefined;
}
