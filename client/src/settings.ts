import type { ClientOptions, Fetch } from "./options.ts";

/** What was asked of a client, read and completed. */
export interface Settings {
  readonly authorization: string;
  /** No slash at the end. */
  readonly storeUrl: string;
  readonly messagesUrl: string;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly fetch: Fetch | undefined;
}

/** Where a store on this machine is, unless it was told otherwise. */
export const DEFAULT_ADDRESSES = {
  production: "http://localhost:8080/v1",
  staging: "http://localhost:8081/v1",
} as const;
export const DEFAULT_MESSAGES_ADDRESS = "http://localhost:8082";
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
