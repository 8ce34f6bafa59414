import { type Command, InvalidArgumentError, Option } from "commander";
import { type CallOptions, type Client, createClient } from "../../../client/src/client.ts";
import { DEFAULT_ADDRESSES, DEFAULT_MESSAGES_ADDRESS } from "../../../client/src/settings.ts";
import {
  BASE_URL,
  ConfigError,
  parseBaseUrl,
  parseVersionedUrl,
  readRemoteSettings,
  VERSIONED_URL,
} from "../../config.ts";
import { ENVIRONMENTS, type Environment } from "../../context.ts";
import { environmentOfToken } from "../../keys/token.ts";
import { COMMAND_RETRIES } from "../../limits.ts";
import { type Login, readCredentials } from "./credentials.ts";
import { explainError } from "./explain-error.ts";

/** Which service a command calls. */
export interface RemoteOptions {
  readonly environment: Environment;
  readonly url?: string;
  readonly messagesUrl?: string;
}

export interface Addresses {
  readonly url: string;
  readonly messagesUrl: string | undefined;
}

/** Adds the flags for the service that a command calls. */
export function addRemoteOptions(
  command: Command,
  service: "store" | "messages" | "both" | "none" = "store",
): Command {
  command.addOption(
    new Option("--environment <environment>", "environment of the store")
      .choices(ENVIRONMENTS)
      .default("production"),
  );
  if (service === "store" || service === "both")
    command.option(
      "--url <url>",
      "base address of the store (PETSTORE_URL, default: from petstore login)",
      addressParser(parseVersionedUrl, VERSIONED_URL),
    );
  if (service === "messages" || service === "both") {
    const meaning =
      "base address of the message service (PETSTORE_MESSAGES_URL, default: from petstore login)";
    command.option("--messages-url <url>", meaning, addressParser(parseBaseUrl, BASE_URL));
  }
  return command;
}

function addressParser(parse: (text: string) => string | undefined, expected: string) {
  return (text: string): string => {
    const parsed = parse(text);
    if (parsed === undefined) throw new InvalidArgumentError(`It must be ${expected}.`);
    return parsed;
  };
}

/** Precedence: flag, environment variable, stored login, default. */
export function addressesOf(options: RemoteOptions, login: Login | undefined): Addresses {
  const fromEnvironment = readRemoteSettings();
  const store =
    options.url ??
    checkAddress("PETSTORE_URL", fromEnvironment.url, parseVersionedUrl, VERSIONED_URL) ??
    login?.url ??
    DEFAULT_ADDRESSES[options.environment];
  const isLocal = store === DEFAULT_ADDRESSES[options.environment];
  const messages =
    options.messagesUrl ??
    checkAddress("PETSTORE_MESSAGES_URL", fromEnvironment.messagesUrl, parseBaseUrl, BASE_URL) ??
    login?.messagesUrl ??
    // The key of a remote store is not sent to a program that listens on this machine.
    (isLocal ? DEFAULT_MESSAGES_ADDRESS : undefined);
  return { url: store, messagesUrl: messages };
}

function checkAddress(
  variable: string,
  text: string | undefined,
  parse: (text: string) => string | undefined,
  expected: string,
): string | undefined {
  if (text === undefined) return undefined;
  const parsed = parse(text);
  if (parsed === undefined) throw new ConfigError(`${variable} must be ${expected}.`);
  return parsed;
}

/** Calls the store with the user's key. */
export function withStore<Result>(
  options: RemoteOptions,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  return withService("url", options, work);
}

/** Calls the message service with the user's key. */
export function withMessages<Result>(
  options: RemoteOptions,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  return withService("messagesUrl", options, work);
}

/** @throws Error for the user: there is no key, or the request failed */
async function withService<Result>(
  service: keyof Addresses,
  options: RemoteOptions,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const { environment } = options;
  const { key, login } = keyFor(environment);
  const addresses = addressesOf(options, login);
  const address = addresses[service];
  if (address === undefined)
    throw new ConfigError(
      "The message service's address is missing. Set --messages-url or PETSTORE_MESSAGES_URL.",
    );
  // A stored key is sent only to its own address, so that a mistyped address does not receive it.
  if (login !== undefined && address !== login[service])
    throw new Error(
      `The stored key for ${environment} is not for ${address}. Run: petstore login --environment ${environment} --${service === "url" ? "url" : "messages-url"} ${address}`,
    );
  return callService({ key, ...addresses }, environment, work);
}

/** Runs `work` with a client, and turns its errors into errors for the user. */
export async function callService<Result>(
  { key, url, messagesUrl }: { readonly key: string } & Addresses,
  environment: Environment,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = createClient({ key, environment, baseUrl: url, messagesUrl, retries: COMMAND_RETRIES });
  try {
    return await work(client);
  } catch (error) {
    throw explainError(error, environment, key === readRemoteSettings().key);
  }
}

/** The smallest request: shows whether the store answers and accepts the key. */
export async function checkConnection(client: Client, options?: CallOptions): Promise<void> {
  await client.pets.list({ limit: 1 }, options).pages()[Symbol.asyncIterator]().next();
}

/** The key from the environment, or the stored login. */
function keyFor(environment: Environment): { readonly key: string; readonly login?: Login } {
  const { key } = readRemoteSettings();
  if (key !== undefined) {
    requireEnvironment(key, environment, "PETSTORE_KEY");
    return { key };
  }
  const login = readCredentials()[environment];
  if (login !== undefined) return { key: login.key, login };
  throw new Error(`There is no key for ${environment}. Run: petstore login --environment ${environment}`);
}

/** @throws Error for a key of the other environment; the message never contains the key */
export function requireEnvironment(key: string, environment: Environment, name: string): void {
  const actual = environmentOfToken(key);
  if (actual === environment) return;
  if (actual === undefined)
    throw new Error(`${name} is not an API key. An API key begins with pet_live_ or pet_test_.`);
  throw new Error(`${name} is a key for ${actual}, not for ${environment}. Add: --environment ${actual}`);
}
