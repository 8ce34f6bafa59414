import type { Command } from "commander";
import type { Environment } from "../../context.ts";
import { isWellFormedToken } from "../../keys/token.ts";
import { addExamples } from "../examples.ts";
import { printJson, printStatus } from "../terminal/output.ts";
import { readSecret } from "../terminal/read-secret.ts";
import {
  addRemoteOptions,
  addressesOf,
  askOnce,
  call,
  type RemoteOptions,
  requireEnvironment,
} from "./connection.ts";
import { credentialsFile, readCredentials, storeLogin } from "./credentials.ts";

interface LoginOptions extends RemoteOptions {
  readonly json?: true;
}

/** `petstore login`, `petstore logout` */
export function addLoginCommands(program: Command): void {
  const login = program
    .command("login")
    .description(
      "store an API key for the commands of the shop; it is asked for, or read from standard input",
    );
  addRemoteOptions(login, "both")
    .option("--json", "print what was stored as JSON, without the key")
    .action(logIn);
  addExamples(
    login,
    "petstore login --environment staging",
    "petstore keys create --environment production | petstore login --environment production",
    "petstore login --url https://shop.example/v1 --messages-url https://messages.shop.example < key.txt",
  );
  const logout = program
    .command("logout")
    .description("forget the stored key of an environment; it stays valid until somebody revokes it");
  addRemoteOptions(logout, "none").option("--json", "print what was forgotten as JSON").action(logOut);
  addExamples(logout, "petstore logout --environment staging");
}

async function logIn(options: LoginOptions): Promise<void> {
  const { environment } = options;
  // A file that cannot be used is told of before anybody types a key.
  readCredentials();
  const addresses = addressesOf(options, undefined);
  const key = (await readSecret(`API key for ${environment}`)).trim();
  requireEnvironment(key, environment, "That");
  if (!isWellFormedToken(key))
    throw new Error("That API key is mistyped or cut short: its check does not fit.");
  await call({ key, ...addresses }, environment, askOnce);
  const { url, messagesUrl } = addresses;
  for (const address of new Set([url, messagesUrl ?? url])) {
    if (isOpenToOthers(address))
      printStatus(`The key goes to ${address} unencrypted: whoever is on the way can read it. Use https.`);
  }
  await storeLogin(environment, { key, url, ...(messagesUrl !== undefined && { messagesUrl }) });
  if (options.json) printJson({ environment, url, messagesUrl, file: credentialsFile() });
  else
    printStatus(
      `Logged in to ${environment} at ${url}. The key is in ${credentialsFile()}, which only you can read.`,
    );
}

/** Plain HTTP to another machine. */
function isOpenToOthers(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  const isHere = /^(localhost|127\.[0-9.]+|\[::1\])$/.test(hostname);
  return protocol === "http:" && !isHere;
}

async function logOut({
  environment,
  json,
}: {
  readonly environment: Environment;
  readonly json?: true;
}): Promise<void> {
  const login = readCredentials()[environment];
  if (login !== undefined) await storeLogin(environment, undefined);
  if (json) printJson({ environment, url: login?.url ?? null });
  else if (login === undefined) printStatus(`There is no key for ${environment} to forget.`);
  else
    printStatus(
      `Logged out of ${environment} at ${login.url}. To end the key for good: petstore keys revoke ID`,
    );
}
