import { checkOption, checkOptions } from "./check-options.ts";
import { readHeaders } from "./headers.ts";
import { CLIENT_OPTIONS, type ClientOptions, KEY } from "./options.ts";
import { readVariable, userAgent } from "./runtime.ts";
import { readAddresses } from "./service-addresses.ts";

export type Settings = Readonly<ReturnType<typeof readSettings>>;

const TIMEOUT_MS = 30_000;
const RETRIES = 4;

/**
 * Validates the options of a client, and adds the defaults.
 *
 * @throws TypeError for an invalid option; the message never contains the key
 */
export function readSettings(options: ClientOptions) {
  checkOptions("createClient", options, CLIENT_OPTIONS);
  const key = readKey(options.key);
  return {
    authorization: `Bearer ${key}`,
    ...readAddresses(options, key),
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    retries: options.retries ?? RETRIES,
    headers: { ...userAgent(), ...readHeaders(options.headers) },
    hooks: { onRequest: options.onRequest, onAnswer: options.onAnswer, onRetry: options.onRetry },
    fetch: options.fetch,
  };
}

function readKey(given: string | undefined): string {
  if (given !== undefined) return given;
  const key = readVariable("PETSTORE_KEY");
  if (key === undefined)
    throw new TypeError(
      "The API key is missing. Pass createClient({ key }), or, on a server, set PETSTORE_KEY.",
    );
  checkOption("PETSTORE_KEY", key, KEY);
  return key;
}
