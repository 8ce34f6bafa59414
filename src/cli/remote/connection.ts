import { InvalidArgumentError, Option } from "commander";
import { type CallOptions, type Client, createClient } from "../../../client/src/client.ts";
import type { Hooks } from "../../../client/src/hooks.ts";
import { DEFAULT_ADDRESSES, DEFAULT_MESSAGES_ADDRESS } from "../../../client/src/service-addresses.ts";
import { readRemoteSettings } from "../../config/environment.ts";
import { ConfigError } from "../../config/settings.ts";
import { BASE_URL, VERSIONED_URL } from "../../config/values.ts";
import { ENVIRONMENTS, type Environment, type ServiceName } from "../../context.ts";
import { environmentOfToken } from "../../keys/token.ts";
import { COMMAND_RETRIES } from "../../limits.ts";
import { formatTime, systemClock } from "../../platform/clock.ts";
import type { Command } from "../command.ts";
import { escapeControls } from "../terminal/escape-controls.ts";
import { printStatus } from "../terminal/output.ts";
import { addOutputOptions, type OutputOptions } from "../terminal/output-formats.ts";
import { type Login, readCredentials } from "./credentials.ts";
import { explainError } from "./explain-error.ts";

export interface Addresses {
  readonly url: string;
  readonly messagesUrl: string | undefined;
}
type AddressName = keyof Addresses;

export interface RemoteOptions extends OutputOptions, DebugOption, Partial<Addresses> {
  readonly environment: Environment;
}

const ADDRESSES = {
  url: {
    flag: "--url",
    variable: "PETSTORE_URL",
    service: "store",
    kind: VERSIONED_URL,
  },
  messagesUrl: {
    flag: "--messages-url",
    variable: "PETSTORE_MESSAGES_URL",
    service: "message service",
    kind: BASE_URL,
  },
} as const;

export function addRemoteOptions(
  command: Command,
  addresses: readonly AddressName[] = ["url"],
  environment: Environment = "production",
): Command {
  command.addOption(
    new Option("--environment <name>", "environment of the store").choices(ENVIRONMENTS).default(environment),
  );
  for (const name of addresses) {
    const { flag, variable, service } = ADDRESSES[name];
    const meaning = `base address of the ${service} (${variable}; default: the address stored by petstore login)`;
    command.option(`${flag} <url>`, meaning, (text) =>
      parseAddress(name, text, "The address", InvalidArgumentError),
    );
  }
  return command.option("--debug", "print every request and response on standard error");
}

export function addPrintedOptions(command: Command, addresses?: readonly AddressName[]): Command {
  return addRemoteOptions(addOutputOptions(command), addresses);
}

function parseAddress(
  name: AddressName,
  text: string,
  subject: string,
  Refusal: new (message: string) => Error,
): string {
  const { parse, expected } = ADDRESSES[name].kind;
  const address = parse(text);
  if (address === undefined) throw new Refusal(`${subject} must be ${expected}.`);
  return address;
}

export type LocalAddresses = Readonly<Record<ServiceName, string>>;

export const DEFAULT_LOCAL: LocalAddresses = { ...DEFAULT_ADDRESSES, messages: DEFAULT_MESSAGES_ADDRESS };

/**
 * Finds the services' base addresses. Each address comes from a flag, an environment variable, the stored login, or the default for
 * this machine, in this order of precedence.
 */
export function addressesOf(
  options: RemoteOptions,
  login: { readonly [Name in AddressName]?: string | undefined } | undefined,
  local = DEFAULT_LOCAL,
): Addresses {
  const given = (name: AddressName) => options[name] ?? addressFromEnvironment(name) ?? login?.[name];
  const url = given("url") ?? local[options.environment];
  // If the store is on another machine, the local default is not used for the message service, because the store's key must not
  // be sent to a program on this machine.
  const isLocal = url === local[options.environment];
  return { url, messagesUrl: given("messagesUrl") ?? (isLocal ? local.messages : undefined) };
}

function addressFromEnvironment(name: AddressName): string | undefined {
  const text = readRemoteSettings()[name];
  return text === undefined ? undefined : parseAddress(name, text, ADDRESSES[name].variable, ConfigError);
}

export interface Connection extends Addresses {
  readonly key: string;
}

/**
 * Finds the user's API key and the services' addresses. A key that `petstore login` has stored is used only if the address of
 * `service` was stored with it.
 *
 * @throws Error with a message for the user if there is no key, or only a key for another address
 */
export function connectionFor(options: RemoteOptions, service: AddressName = "url"): Connection {
  const { environment } = options;
  const { key, login } = keyFor(environment);
  const addresses = addressesOf(options, login);
  const address = addresses[service];
  if (address === undefined)
    throw new ConfigError(
      "The message service's address is missing. Set --messages-url or PETSTORE_MESSAGES_URL.",
    );
  // A stored key is sent only to the address that was stored with it, so that it is never sent to a mistyped address.
  if (login !== undefined && address !== login[service])
    throw new Error(
      `The stored key for ${environment} is for another address, not for ${address}. Run: petstore login --environment ${environment} ${ADDRESSES[service].flag} ${address}`,
    );
  return { key, ...addresses };
}

/**
 * Runs `work` with a client that uses the user's key.
 *
 * @throws Error with a message for the user if there is no key, or a request fails
 */
export async function withClient<Result>(
  options: RemoteOptions,
  work: (client: Client) => Promise<Result>,
  service: AddressName = "url",
): Promise<Result> {
  return callService(connectionFor(options, service), options, work);
}

/** Runs `work` with a client. Rewrites the client's errors for the user. */
export async function callService<Result>(
  { key, url, messagesUrl }: Connection,
  options: Pick<RemoteOptions, "environment" | "debug">,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const { environment } = options;
  const client = createClient({
    key,
    environment,
    baseUrl: url,
    messagesUrl,
    retries: COMMAND_RETRIES,
    ...debugHooks(options),
  });
  try {
    return await work(client);
  } catch (error) {
    throw explainError(error, environment, key === readRemoteSettings().key);
  }
}

/** Sends the smallest possible request, to check that the store responds and accepts the user's key. */
export async function checkConnection(client: Client, options?: CallOptions): Promise<void> {
  await client.pets.list({ limit: 1 }, options);
}

function keyFor(environment: Environment): { readonly key: string; readonly login?: Login } {
  const { key } = readRemoteSettings();
  if (key !== undefined) {
    requireEnvironment(key, environment, "PETSTORE_KEY");
    return { key };
  }
  const logins = readCredentials();
  const login = logins[environment];
  if (login !== undefined) return { key: login.key, login };
  const other = ENVIRONMENTS.find((one) => logins[one] !== undefined);
  const hint = other === undefined ? "" : ` You are logged in to ${other}: add --environment ${other}`;
  throw new Error(
    `There is no key for ${environment}. Create one in the console or with petstore keys create. Then set the variable PETSTORE_KEY to the new key, or run: petstore login --environment ${environment}.${hint}`,
  );
}

/** Refuses a value that is not an API key for this environment. The error never contains the value. @throws Error */
export function requireEnvironment(key: string, environment: Environment, name: string): void {
  const actual = environmentOfToken(key);
  if (actual === environment) return;
  if (actual === undefined)
    throw new Error(`${name} is not an API key. An API key begins with pet_live_ or pet_test_.`);
  // A person who wants to work in staging may have forgotten that `PETSTORE_KEY` is set to a key for production. The command must
  // then not change production.
  const isLeftSet = actual === "production" && name === "PETSTORE_KEY";
  const remedy = isLeftSet ? `Unset the variable: unset ${name}` : `Add: --environment ${actual}`;
  throw new Error(`${name} is a key for ${actual}, not for ${environment}. ${remedy}`);
}

interface DebugOption {
  readonly debug?: true;
}

/**
 * Returns the hooks for `--debug`, which print a line for each response and each retry. They do not print headers, because one of
 * the headers contains the key.
 */
export function debugHooks({ debug }: DebugOption): Hooks {
  if (!debug) return {};
  const report = (text: string) =>
    printStatus(`debug: ${formatTime(systemClock.now())} ${escapeControls(text)}`);
  return {
    onAnswer({ status, requestId, durationMs, request: { method, address, attempt } }) {
      const id = requestId === "" ? "" : ` (request ${requestId})`;
      report(`${method} ${address}: ${status}${id} after ${Math.round(durationMs)} ms, attempt ${attempt}`);
    },
    onRetry({ delayMs, request: { method, address, attempt } }) {
      report(`${method} ${address}: attempt ${attempt} failed, will retry in ${Math.round(delayMs)} ms`);
    },
  };
}
