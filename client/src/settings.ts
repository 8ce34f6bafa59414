import type { ClientOptions } from "./options.ts";

export type Settings = Readonly<ReturnType<typeof readSettings>>;

/** The service's own defaults. */
export const DEFAULT_ADDRESSES = {
  production: "http://localhost:8080/v1",
  staging: "http://localhost:8081/v1",
} as const;
export const DEFAULT_MESSAGES_ADDRESS = "http://localhost:8082";
const TIMEOUT_MS = 30_000;
const RETRIES = 4;

/**
 * The options of a client, checked, with defaults.
 *
 * @throws TypeError for an invalid option; it never contains the key
 */
export function readSettings(options: ClientOptions) {
  const { key, baseUrl } = options;
  if (typeof key !== "string" || !/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError(
      "key must be an API key, pet_live_… or pet_test_…, without spaces or line breaks around it.",
    );
  }
  const environment = options.environment ?? (key.startsWith("pet_test_") ? "staging" : "production");
  const local = defaultAddress(environment);
  const storeUrl = readAddress("baseUrl", baseUrl ?? local);
  // The key of another store is not sent to a program that listens on this machine.
  const messagesUrl = options.messagesUrl ?? (storeUrl === local ? DEFAULT_MESSAGES_ADDRESS : undefined);
  return {
    authorization: `Bearer ${key}`,
    storeUrl,
    messagesUrl: messagesUrl === undefined ? undefined : readAddress("messagesUrl", messagesUrl),
    timeoutMs: readTimeout(options.timeoutMs ?? TIMEOUT_MS),
    retries: readRetries(options.retries ?? RETRIES),
    fetch: options.fetch,
  };
}

function defaultAddress(environment: string): string {
  if (environment === "production" || environment === "staging") return DEFAULT_ADDRESSES[environment];
  throw new TypeError(
    'environment must be "production" or "staging"; without it, the key\'s prefix decides.',
  );
}

/** The base address without a slash at the end. */
function readAddress(name: string, text: string): string {
  const address = URL.canParse(text) ? new URL(text) : undefined;
  const isUsable =
    address !== undefined &&
    /^https?:$/.test(address.protocol) &&
    [address.username, address.password, address.search, address.hash].every((part) => part === "");
  if (isUsable) return address.href.replace(/\/+$/, "");
  throw new TypeError(
    `${name} must be an http or https address such as https://pets.example.com/v1, without credentials, query and fragment.`,
  );
}

/** @throws TypeError */
export function readTimeout(timeoutMs: number): number {
  if (timeoutMs > 0) return timeoutMs;
  throw new TypeError(`timeoutMs must be milliseconds above 0; without it, ${TIMEOUT_MS}.`);
}

/** @throws TypeError */
export function readRetries(retries: number): number {
  if (Number.isInteger(retries) && retries >= 0) return retries;
  throw new TypeError(`retries must be an integer of at least 0; without it, ${RETRIES}.`);
}
