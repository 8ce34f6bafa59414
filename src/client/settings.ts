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

export interface Settings {
  readonly authorization: string;
  /** No slash at the end. */
  readonly storeUrl: string;
  readonly messagesUrl: string;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly fetch: Fetch | undefined;
}

const DEFAULT_ADDRESSES = {
  production: "http://localhost:8080/v1",
  staging: "http://localhost:8081/v1",
} as const;
const DEFAULT_MESSAGES_ADDRESS = "http://localhost:8082";
const TIMEOUT_MS = 30_000;
const RETRIES = 4;

/** @throws TypeError for options that cannot be meant; it never repeats the key */
export function readSettings(options: ClientOptions): Settings {
  const { key, baseUrl, messagesUrl = DEFAULT_MESSAGES_ADDRESS } = options;
  if (typeof key !== "string" || !/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError(
      "key must be an API key: visible characters, with no space or line break around them.",
    );
  }
  const environment = options.environment ?? (key.startsWith("pet_test_") ? "staging" : "production");
  return {
    authorization: `Bearer ${key}`,
    storeUrl: readAddress("baseUrl", baseUrl ?? requireDefault(environment)),
    messagesUrl: readAddress("messagesUrl", messagesUrl),
    timeoutMs: readTimeout(options.timeoutMs ?? TIMEOUT_MS),
    retries: readRetries(options.retries ?? RETRIES),
    fetch: options.fetch,
  };
}

function requireDefault(environment: string): string {
  if (environment === "production" || environment === "staging") return DEFAULT_ADDRESSES[environment];
  throw new TypeError("environment must be production or staging.");
}

/** A base address without the slash at its end. */
function readAddress(name: string, text: string): string {
  const address = URL.canParse(text) ? new URL(text) : undefined;
  const isUsable =
    address !== undefined &&
    /^https?:$/.test(address.protocol) &&
    [address.username, address.password, address.search, address.hash].every((part) => part === "");
  if (!isUsable)
    throw new TypeError(`${name} must be an http or https address such as https://pets.example.com/v1.`);
  return address.href.replace(/\/+$/, "");
}

/** @throws TypeError */
export function readTimeout(timeoutMs: number): number {
  if (timeoutMs > 0) return timeoutMs;
  throw new TypeError("timeoutMs must be a number of milliseconds above 0.");
}

/** @throws TypeError */
export function readRetries(retries: number): number {
  if (Number.isInteger(retries) && retries >= 0) return retries;
  throw new TypeError("retries must be 0 or a whole number above it.");
}
