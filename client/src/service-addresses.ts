import { checkOption } from "./check-options.ts";
import { ADDRESS, type ClientOptions } from "./options.ts";
import { readVariable } from "./runtime.ts";

/** The default addresses of the services, on this machine. */
export const DEFAULT_ADDRESSES = {
  production: "http://localhost:8080/v1",
  staging: "http://localhost:8081/v1",
} as const;
export const DEFAULT_MESSAGES_ADDRESS = "http://localhost:8082";

/**
 * Determines the addresses that the client sends the key to. A key must never reach a service that it is not meant for, such as a
 * program that happens to listen on this machine. Therefore `PETSTORE_KEY` is sent only to the addresses in the environment
 * variables, and a key in the options only to an address in the options.
 *
 * @throws TypeError
 */
export function readAddresses(options: ClientOptions, key: string) {
  const ofKey = key.startsWith("pet_test_") ? "staging" : "production";
  const { environment = ofKey, baseUrl, messagesUrl } = options;
  const local = DEFAULT_ADDRESSES[environment];
  const isGiven = options.key !== undefined;
  const variable = (name: string) => (isGiven && baseUrl !== undefined ? undefined : readVariable(name));

  const home = readStoreAddress("PETSTORE_URL", variable("PETSTORE_URL") ?? local);
  const store = readStoreAddress("baseUrl", baseUrl ?? home);
  const homeMessages = readAddress(
    "PETSTORE_MESSAGES_URL",
    variable("PETSTORE_MESSAGES_URL") ?? (store === local ? DEFAULT_MESSAGES_ADDRESS : undefined),
  );
  const messages = readAddress("messagesUrl", messagesUrl ?? homeMessages);
  if (!isGiven) {
    if (environment !== ofKey)
      throw new TypeError(`PETSTORE_KEY is a key for ${ofKey}, not for ${environment}.`);
    if (store !== home) throw refusal(store, "baseUrl", "PETSTORE_URL");
    if (messages !== homeMessages) throw refusal(messages, "messagesUrl", "PETSTORE_MESSAGES_URL");
  }
  return { storeUrl: store, messagesUrl: messages };
}

function refusal(address: string | undefined, option: string, variable: string): TypeError {
  return new TypeError(
    `PETSTORE_KEY is not sent to ${address}, because this key belongs to another address. Set ${variable} to the address that the key belongs to, or pass both key and ${option} to createClient().`,
  );
}

/** Validates a store's base address, which must end with the version of the interface. */
function readStoreAddress(name: string, text: string): string {
  const address = readAddress(name, text);
  if (address.endsWith("/v1")) return address;
  throw new TypeError(`${name} must end with /v1, the version of the API: ${address}/v1, not ${address}.`);
}

/** Validates a base address, and removes trailing slashes. */
function readAddress(name: string, text: string): string;
function readAddress(name: string, text: string | undefined): string | undefined;
function readAddress(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  checkOption(name, text, ADDRESS);
  return new URL(text).href.replace(/\/+$/, "");
}
