import { isWellFormedToken } from "../../keys/token.ts";
import type { Command } from "../command.ts";
import { printStatus } from "../terminal/output.ts";
import { printOutcome } from "../terminal/output-formats.ts";
import { readSecret } from "../terminal/prompt.ts";
import {
  addRemoteOptions,
  addressesOf,
  callService,
  checkConnection,
  type RemoteOptions,
  requireEnvironment,
} from "./connection.ts";
import { credentialsFile, readCredentials, removeLogin, storeLogin } from "./credentials.ts";

export function addCommands(program: Command): void {
  const login = program
    .command("login")
    .description(
      "check an API key and store it for later commands; asks for the key, or reads it from standard input",
    )
    .addExamples(
      "petstore login --environment staging",
      "petstore keys create --environment production | petstore login",
      "petstore login --url https://pets.example/v1 < key.txt",
    );
  addRemoteOptions(login, ["url", "messagesUrl"])
    .option("--json", "print the stored addresses as JSON, without the key")
    .action(logIn);

  const logout = program
    .command("logout")
    .description("delete the stored key of an environment; the key itself stays valid until it is revoked")
    .addExamples("petstore logout --environment staging");
  addRemoteOptions(logout, [])
    .option("--json", "print the environment and its address as JSON")
    .action(logOut);
}

async function logIn(options: RemoteOptions) {
  const { environment } = options;
  // Reports an unusable file of stored logins before the user has to type a key.
  readCredentials();
  const addresses = addressesOf(options, undefined);
  const key = (await readSecret(`API key for ${environment}`)).trim();
  requireEnvironment(key, environment, "The input");
  if (!isWellFormedToken(key))
    throw new Error(
      "The API key is incomplete or has a typing mistake: its checksum is wrong. Copy the whole key.",
    );
  await callService({ key, ...addresses }, options, checkConnection);
  const { url, messagesUrl } = addresses;
  for (const address of new Set([url, messagesUrl ?? url])) {
    if (isUnencrypted(address))
      printStatus(
        `The key is sent to ${address} without encryption: others on the network can read it. Use https.`,
      );
  }
  await storeLogin(environment, { key, url, ...(messagesUrl !== undefined && { messagesUrl }) });
  const file = credentialsFile();
  const sentence = `Logged in to ${environment} at ${url}. The key is in ${file}, which only you can read.`;
  printOutcome(options, { environment, url, messagesUrl, file }, sentence);
}

function isUnencrypted(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  const isHere = /^(localhost|127\.[0-9.]+|\[::1\])$/.test(hostname);
  return protocol === "http:" && !isHere;
}

async function logOut(options: RemoteOptions) {
  const { environment } = options;
  const login = readCredentials()[environment];
  if (login !== undefined) await removeLogin(environment);
  const sentence =
    login === undefined
      ? `There is no stored key for ${environment}.`
      : `Logged out of ${environment} at ${login.url}. The key stays valid. To revoke it: petstore keys revoke ID`;
  printOutcome(options, { environment, url: login?.url ?? null }, sentence);
}
