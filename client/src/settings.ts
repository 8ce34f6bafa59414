import { readHeaders } from "./headers.ts";
import { checkNames } from "./option-names.ts";
import { CLIENT_OPTIONS, type ClientOptions } from "./options.ts";
import { readVariable, userAgent } from "./runtime.ts";
import { readAddresses } from "./service-addresses.ts";

export type Settings = Readonly<ReturnType<typeof readSettings>>;

const TIMEOUT_MS = 30_000;
const RETRIES = 4;

/**
 * Validates the options of a client, and adds the defaults.
 *
 * @throws TypeError for an invalid option; it never contains the key
 */
export function readSettings(options: ClientOptions) {
  checkNames("createClient", options, CLIENT_OPTIONS);
  const key = readKey(options.key);
  return {
    authorization: `Bearer ${key}`,
    ...readAddresses(options, key),
    timeoutMs: readTimeout(options.timeoutMs ?? TIMEOUT_MS),
    retries: readRetries(options.retries ?? RETRIES),
    headers: { ...userAgent(), ...readHeaders(options.headers) },
    hooks: { onRequest: options.onRequest, onAnswer: options.onAnswer, onRetry: options.onRetry },
    fetch: options.fetch,
  };
}

function readKey(given: string | undefined): string {
  const key = given ?? readVariable("PETSTORE_KEY");
  if (key === undefined)
    throw new TypeError("There is no key. Give createClient({ key }), or set PETSTORE_KEY on a server.");
  if (typeof key === "string" && /^[\x21-\x7e]+$/.test(key)) return key;
  const name = given === undefined ? "PETSTORE_KEY" : "key";
  throw new TypeError(
    `${name} must be an API key, pet_live_… or pet_test_…, without spaces or line breaks around it.`,
  );
}

/** Validates a timeout in milliseconds. @throws TypeError */
export function readTimeout(timeoutMs: number): number {
  if (timeoutMs > 0) return timeoutMs;
  throw new TypeError(`timeoutMs must be milliseconds above 0; without it, ${TIMEOUT_MS}.`);
}

/** Validates a number of retries. @throws TypeError */
export function readRetries(retries: number): number {
  if (Number.isInteger(retries) && retries >= 0) return retries;
  throw new TypeError(`retries must be an integer of at least 0; without it, ${RETRIES}.`);
}
