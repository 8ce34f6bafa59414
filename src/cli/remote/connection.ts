import { type Command, InvalidArgumentError, Option } from "commander";
import { type CallOptions, type Client, createClient } from "../../../client/src/client.ts";
import { DEFAULT_ADDRESSES, DEFAULT_MESSAGES_ADDRESS } from "../../../client/src/settings.ts";
import {
  BASE_URL,
  ConfigError,
  clientEnvironment,
  parseBaseUrl,
  parseVersionedUrl,
  VERSIONED_URL,
} from "../../config.ts";
import { ENVIRONMENTS, type Environment } from "../../context.ts";
import { environmentOfToken } from "../../keys/token.ts";
import { COMMAND_RETRIES } from "../../limits.ts";
import { type Login, readCredentials } from "./credentials.ts";
import { explainError } from "./explain-error.ts";

/** Which shop a command calls. */
export interface RemoteOptions {
  readonly environment: Environment;
  readonly url?: string;
  readonly messagesUrl?: string;
}

/** Where a shop is. */
export interface Addresses {
  readonly url: string;
  readonly messagesUrl: string | undefined;
}

/** Gives a command the flags that say which shop it calls. */
export function addRemoteOptions(
  command: Command,
  service: "store" | "messages" | "both" | "none" = "store",
): Command {
  command.addOption(
    new Option("--environment <environment>", "which store").choices(ENVIRONMENTS).default("production"),
  );
  if (service === "store" || service === "both")
    command.option("--url <url>", "the store's base address (PETSTORE_URL, or where you logged in)", url);
  if (service === "messages" || service === "both") {
    const meaning = "the message service's base address (PETSTORE_MESSAGES_URL, or where you logged in)";
    command.option("--messages-url <url>", meaning, messagesUrl);
  }
  return command;
}

function url(text: string): string {
  const parsed = parseVersionedUrl(text);
  if (parsed === undefined) throw new InvalidArgumentError(`It takes ${VERSIONED_URL}.`);
  return parsed;
}

function messagesUrl(text: string): string {
  const parsed = parseBaseUrl(text);
  if (parsed === undefined) throw new InvalidArgumentError(`It takes ${BASE_URL}.`);
  return parsed;
}

/** Flags before the environment before what was stored before the defaults. */
export function addressesOf(options: RemoteOptions, login: Login | undefined): Addresses {
  const fromEnvironment = clientEnvironment();
  const store =
    options.url ??
    required("PETSTORE_URL", fromEnvironment.url, parseVersionedUrl, VERSIONED_URL) ??
    login?.url ??
    DEFAULT_ADDRESSES[options.environment];
  const isLocal = store === DEFAULT_ADDRESSES[options.environment];
  const messages =
    options.messagesUrl ??
    required("PETSTORE_MESSAGES_URL", fromEnvironment.messagesUrl, parseBaseUrl, BASE_URL) ??
    login?.messagesUrl ??
    // A key for a shop elsewhere does not go to whatever listens here.
    (isLocal ? DEFAULT_MESSAGES_ADDRESS : undefined);
  return { url: store, messagesUrl: messages };
}

function required(
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

/**
 * Does something with the store.
 *
 * @throws Error, in words for the user, when there is no key, or when the shop refuses
 */
export async function withStore<Result>(
  options: RemoteOptions,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const { key, login } = keyFor(options.environment);
  const addresses = addressesOf(options, login);
  if (login !== undefined) requireSameAddress("url", addresses.url, login.url, options.environment);
  return call({ key, ...addresses }, options.environment, work);
}

/** The same with the message service. */
export async function withMessages<Result>(
  options: RemoteOptions,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const { key, login } = keyFor(options.environment);
  const addresses = addressesOf(options, login);
  if (addresses.messagesUrl === undefined)
    throw new ConfigError(
      "Where the message service is, --messages-url or PETSTORE_MESSAGES_URL has to say.",
    );
  if (login !== undefined)
    requireSameAddress("messages-url", addresses.messagesUrl, login.messagesUrl, options.environment);
  return call({ key, ...addresses }, options.environment, work);
}

/** Lets somebody work with a client for these addresses, and says what went wrong in words for the user. */
export async function call<Result>(
  { key, url, messagesUrl }: { readonly key: string } & Addresses,
  environment: Environment,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = createClient({ key, environment, baseUrl: url, messagesUrl, retries: COMMAND_RETRIES });
  try {
    return await work(client);
  } catch (error) {
    throw explainError(error, environment, key === clientEnvironment().key);
  }
}

/** The smallest question there is: whether the store is there, and takes the key. */
export async function askOnce(client: Client, options?: CallOptions): Promise<void> {
  await client.pets.list({ limit: 1 }, options).pages()[Symbol.asyncIterator]().next();
}

/** A key from the environment, or one that was stored, with all that was stored with it. */
function keyFor(environment: Environment): { readonly key: string; readonly login?: Login } {
  const { key } = clientEnvironment();
  if (key !== undefined) {
    requireEnvironment(key, environment, "PETSTORE_KEY");
    return { key };
  }
  const login = readCredentials()[environment];
  if (login !== undefined) return { key: login.key, login };
  throw new Error(`There is no key for ${environment}. Run: petstore login --environment ${environment}`);
}

/** @throws Error for a key of the other environment; it never repeats the key */
export function requireEnvironment(key: string, environment: Environment, name: string): void {
  const actual = environmentOfToken(key);
  if (actual === environment) return;
  if (actual === undefined)
    throw new Error(`${name} is not an API key: they begin with pet_live_ or pet_test_.`);
  throw new Error(`${name} is a key for ${actual}, not for ${environment}. Add: --environment ${actual}`);
}

/** A stored key goes where it was stored for, and nowhere else: an address that was mistyped must not learn it. */
function requireSameAddress(
  flag: string,
  wanted: string,
  stored: string | undefined,
  environment: Environment,
): void {
  if (wanted === stored) return;
  throw new Error(
    `The stored key for ${environment} is not for ${wanted}. Run: petstore login --environment ${environment} --${flag} ${wanted}`,
  );
}
