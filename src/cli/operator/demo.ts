import { type Client, PetstoreUnauthorizedError } from "../../../client/src/client.ts";
import { DEFAULT_ADDRESSES } from "../../../client/src/service-addresses.ts";
import { hasPeople, requireAccount } from "../../accounts/accounts.ts";
import { createOwnerLink } from "../../accounts/invitations/invitations.ts";
import { configuredAddress } from "../../api/server-urls.ts";
import { readRemoteSettings } from "../../config/environment.ts";
import type { Config } from "../../config.ts";
import { errorMessage } from "../../errors.ts";
import { createKey, revokeKey } from "../../keys/verbs.ts";
import { invocation } from "../../platform/executable.ts";
import { bindAddressesFor } from "../../server/listener.ts";
import type { Command } from "../command.ts";
import { readReadiness } from "../doctor/readiness.ts";
import { type Connection, callService, requireEnvironment } from "../remote/connection.ts";
import { credentialsFile, readCredentials, storeLogin } from "../remote/credentials.ts";
import { openBrowser } from "../terminal/open-browser.ts";
import { printStatus } from "../terminal/output.ts";
import { printSecret } from "../terminal/output-formats.ts";
import type { ConfirmOptions } from "../terminal/prompt.ts";
import { withAccounts } from "./accounts-database.ts";
import { mayShowLink, ownerCommand, ownerLines } from "./first-owner.ts";
import { addSettings, configOf, STORE_SETTINGS } from "./settings.ts";

const STAGING = { environment: "staging" } as const;

export function addCommands(program: Command): void {
  const command = program
    .command("demo")
    .description(
      "fill staging with a sample shop, and open the console; also creates a key and logs in with it; the service must be running on this machine",
    )
    .option("-y, --yes", "replace the data in staging, and the stored login for staging")
    .addExamples("petstore demo", "export PETSTORE_KEY=$(petstore demo --yes)");
  addSettings(command, [
    ...STORE_SETTINGS,
    "host",
    "stagingPort",
    "messagesPort",
    "stagingUrl",
    "messagesUrl",
  ]);
  command.action(showDemo);
}

/** Fills staging with a sample shop, logs in with a new key, and opens the console. Prints only the key on standard output. */
async function showDemo(options: ConfirmOptions) {
  const { key: ownKey } = readRemoteSettings();
  // If PETSTORE_KEY is set, it takes precedence over a stored login, so it must be a key for staging.
  if (ownKey !== undefined) requireEnvironment(ownKey, "staging", "PETSTORE_KEY");
  const config = configOf(options);
  const url = configuredAddress(config, "staging");
  const petstore = invocation();
  await requireReady(config, `Staging does not answer at ${url}. Start the service: ${petstore} serve`);
  printStatus(`Staging is ready at ${url}.`);
  const login = readCredentials().staging;
  if (login !== undefined && login.url !== url && !options.yes)
    throw new Error(
      `You are already logged in to staging at ${login.url}. To replace this login, run: ${petstore} demo --yes`,
    );
  const key = await createStagingKey(options);
  const connection = { key: key.token, url, messagesUrl: configuredAddress(config, "messages") };
  try {
    await fillShop(connection, options);
  } catch (error) {
    // Revokes the new key, because the command failed before anybody saw it.
    await withAccounts(options, (ctx) => revokeKey(ctx, { keyId: key.id }));
    throw error;
  }
  // If the login cannot be stored, the command continues, because the key also works without a stored login, and must still be
  // printed.
  const unstored = await storeLogin("staging", connection).then(() => undefined, errorMessage);
  const place = `in ${credentialsFile()}`;
  printStatus(unstored ?? `Logged in to staging with the new key ${key.id}, which is stored ${place}.`);
  await showConsole(options, config, new URL(url).origin);
  printStatus(nextSteps(petstore, new URL(url), unstored === undefined));
  const lost = `The key ${key.id} was created, but could not be printed. Revoke it: ${petstore} keys revoke ${key.id}.`;
  const ifLost = unstored === undefined ? `The key is ${place}.` : lost;
  printSecret({ quiet: true }, { item: key, secret: key.token, ifLost });
}

async function requireReady(config: Config, refusal: string) {
  const states = await Promise.all(bindAddressesFor(config, ["staging"]).map(readReadiness));
  if (states.some((state) => state !== "ready")) throw new Error(refusal);
}

function createStagingKey(options: object) {
  return withAccounts(options, async (ctx) => {
    const { id: accountId } = await requireAccount(ctx, undefined);
    const { key, token } = await createKey(ctx, {
      accountId,
      environment: "staging",
      name: "petstore demo",
      access: "read-write",
      expiresAt: undefined,
    });
    return { id: key.id, token };
  });
}

async function fillShop(connection: Connection, { yes }: ConfirmOptions) {
  await callService(connection, STAGING, async (client) => {
    const found = await firstOf(client).catch((error: unknown) => {
      if (!(error instanceof PetstoreUnauthorizedError)) throw error;
      throw new Error(
        "Staging refused a key that was created in this data folder. Set --data-dir to the service's data folder.",
      );
    });
    if (found !== undefined && !yes)
      throw new Error(
        `Staging already has data: ${found}. To replace all of it with the sample shop, add --yes.`,
      );
    const { pets, categories, orders } = await client.rehearsal.reset({ fixture: "shop" });
    printStatus(`Staging has a sample shop: ${pets} animals in ${categories} categories, ${orders} orders.`);
  });
}

/** Finds one resource that staging already contains, and describes it. Returns undefined if staging is empty. */
async function firstOf({ pets, categories, orders }: Client): Promise<string | undefined> {
  for await (const { id, name } of pets.list({ limit: 1 })) return `animal ${id}, ${name}`;
  for await (const { id, name } of categories.list({ limit: 1 })) return `category ${id}, ${name}`;
  for await (const { id } of orders.list({ limit: 1 })) return `order ${id}`;
  return undefined;
}

/**
 * Opens the console. If there is no owner yet, nobody can sign in, so this function instead says how to become the first owner.
 */
async function showConsole(options: object, config: Config, origin: string) {
  const address = `${origin}/`;
  const isOwned = await withAccounts(options, ({ query }) => hasPeople(query));
  const isOpened = isOwned && process.stderr.isTTY && openBrowser(address);
  printStatus(isOpened ? `Opening ${address} in the browser.` : `The console is at ${address}`);
  if (isOwned) return;
  const link = mayShowLink(config) ? await withAccounts(options, createOwnerLink) : undefined;
  printStatus(["", ...ownerLines(config, link && origin + link.path, ownerCommand(config))].join("\n"));
}

function nextSteps(petstore: string, { href: url, origin }: URL, isLoggedIn: boolean): string {
  const address = url === DEFAULT_ADDRESSES.staging ? "" : ` --url ${url}`;
  return [
    "",
    "The shop has a month of history. Once you are signed in, see its sales, an order that is late, and what happened to an animal:",
    "",
    `  ${origin}/`,
    `  ${origin}/orders`,
    `  ${origin}/animals/5`,
    "",
    `Commands to try next (first set PETSTORE_KEY to the key below${isLoggedIn ? ", or use your stored login" : ""}):`,
    "",
    `  ${petstore} pets list --environment staging${address}`,
    `  curl ${url}/pets -H "Authorization: Bearer $PETSTORE_KEY"`,
    `  ${petstore} listen --forward-to http://localhost:3000/hook${address}`,
    "",
  ].join("\n");
}
