import { hasPeople } from "../../accounts/accounts.ts";
import { createOwnerLink } from "../../accounts/invitations/invitations.ts";
import { SIGN_UP_IN_WORDS } from "../../accounts/sign-up.ts";
import { SETTINGS } from "../../config/settings.ts";
import type { Config } from "../../config.ts";
import { parseDatabaseUrl } from "../../platform/database-url.ts";
import { folderOffPath, invocation } from "../../platform/executable.ts";
import type { Running } from "../../server/serve.ts";
import { printStatus } from "../terminal/output.ts";
import { pasteable } from "../terminal/shell-quote.ts";
import { mayShowLink, ownerCommand, ownerLines, withoutOwner } from "./first-owner.ts";

/** Announces that the service has started: with a banner on a terminal, otherwise with log lines. */
export async function announce(config: Config, running: Running): Promise<void> {
  for (const warning of config.warnings) running.log.warn(warning);
  const start = startOf(config, running);
  const isOwned = await running
    .asOperator(({ query }) => hasPeople(query))
    // Only the announcement needs to know whether the store has an owner, so the service runs even if the query fails.
    .catch(() => true);
  const isBannerShown = process.stderr.isTTY === true;
  if (isBannerShown) printStatus(await banner(start, isOwned));
  // If the log goes to the same terminal as the banner, these log lines would only repeat the banner.
  if (!(isBannerShown && process.stdout.isTTY)) logStart(start, isOwned);
}

interface Start {
  readonly config: Config;
  readonly running: Running;
  /** Base address of the store, as clients see it; undefined if this process serves only messages. */
  readonly publicUrl: string | undefined;
  /** The address where people open the console; undefined if this process does not serve the console. */
  readonly origin: string | undefined;
  /** Returns a petstore command for people to paste into a shell, with the settings that locate the store. */
  readonly petstore: (command: string) => string;
  /** The command that a person runs to become the first owner; undefined if anybody can create the first owner's account. */
  readonly ownerCommand: string | undefined;
}

function startOf(config: Config, running: Running): Start {
  const isOtherFolder = config.databaseUrl === undefined && config.dataDir !== SETTINGS.dataDir.default;
  const dataDir = isOtherFolder ? ` --data-dir ${pasteable(config.dataDir)}` : "";
  const program = pasteable(invocation());
  const store = storeOf(running);
  const publicUrl = (store?.name === "staging" ? config.stagingUrl : config.productionUrl) ?? store?.address;
  return {
    config,
    running,
    publicUrl,
    origin: publicUrl && new URL(publicUrl).origin,
    petstore: (words) => `${program} ${words}${dataDir}`,
    ownerCommand: ownerCommand(config, publicUrl),
  };
}

/** Finds the service that the commands in the banner use. These commands create a key and read animals. */
function storeOf({ listeners }: Running) {
  return listeners.find(({ name }) => name === "production" || name === "staging");
}

/** Returns the banner, which shows the service's addresses, and commands for the first requests. */
async function banner(start: Start, isOwned: boolean): Promise<string> {
  const { config, running, petstore } = start;
  const { databaseUrl, dataDir } = config;
  const lines = running.listeners.map(({ name, address }) => `  ${name.padEnd(12)}${address}`);
  const data = databaseUrl === undefined ? dataDir : (parseDatabaseUrl(databaseUrl)?.shown ?? "");
  const sameSettings = databaseUrl === undefined ? "" : `, with the same ${SETTINGS.databaseUrl.variable}`;
  const store = storeOf(running);
  const folder = folderOffPath();
  return [
    "",
    "petstore is ready.",
    "",
    ...lines,
    `  ${"data".padEnd(12)}${data}`,
    "",
    `Sign-up is ${SIGN_UP_IN_WORDS[config.signUp]}.`,
    ...(isOwned ? [] : ownerLines(config, await ownerLink(start), start.ownerCommand)),
    "",
    ...(store === undefined ? [] : browserLines(new URL(store.address).origin)),
    `Run these lines in another terminal${sameSettings}. They create a key, add an animal and list all animals:`,
    "",
    ...(folder === undefined ? [] : [`  export PATH=${pasteable(folder)}:$PATH`]),
    `  export PETSTORE_KEY=$(${petstore(`keys create --environment ${store?.name ?? "production"}`)})`,
    ...(store === undefined ? [] : curlLines(store.address)),
    "",
    "Stop with Ctrl-C.",
    "",
  ].join("\n");
}

function browserLines(origin: string): readonly string[] {
  return [
    "Or open the console in a browser to add animals and create keys, or try the API on its reference page.",
    "",
    `  ${origin}/`,
    `  ${origin}/docs`,
    "",
  ];
}

function curlLines(address: string): readonly string[] {
  const authorization = '-H "Authorization: Bearer $PETSTORE_KEY"';
  const body = `-H "Content-Type: application/json" -d '{"name":"Fluffy","categoryId":1,"status":"available"}'`;
  return [`  curl ${address}/pets ${authorization} ${body}`, `  curl ${address}/pets ${authorization}`];
}

/**
 * Creates a link for the first owner, to be shown on this terminal. Returns undefined if no link may be shown or stored. The
 * banner then shows the command for the first owner instead.
 */
async function ownerLink({ config, running, origin }: Start): Promise<string | undefined> {
  if (origin === undefined || !mayShowLink(config)) return undefined;
  // If the link cannot be stored, the service runs anyway, and the banner shows no link.
  const link = await running.asOperator(createOwnerLink).catch(() => undefined);
  return link && origin + link.path;
}

/**
 * Logs the service's addresses, says who can sign up, and logs the command for the first owner. Never logs a link, because other
 * people may read the log later.
 */
function logStart({ config, running, ownerCommand: command }: Start, isOwned: boolean): void {
  const { signUp } = config;
  running.log.info({ signUp }, `sign-up is ${SIGN_UP_IN_WORDS[signUp]}`);
  if (!isOwned) running.log.info({ command }, `there is no owner yet: ${withoutOwner(config)}`);
  for (const { name, address } of running.listeners)
    running.log.info({ service: name, address }, "listening");
}
