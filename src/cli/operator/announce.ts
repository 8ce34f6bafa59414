import { hasPeople } from "../../accounts/accounts.ts";
import { createInvitation } from "../../accounts/invitations/invitations.ts";
import { describeSignUp, signUpPolicyOf } from "../../accounts/sign-up.ts";
import { type Config, SETTINGS } from "../../config.ts";
import { parseDatabaseUrl } from "../../platform/database-url.ts";
import { folderOffPath, invocation } from "../../platform/executable.ts";
import type { Running } from "../../server/serve.ts";
import { printStatus } from "../terminal/output.ts";
import { pasteable } from "../terminal/shell-quote.ts";

/** Announces the started service: in a banner on a terminal, in log lines elsewhere. */
export async function announce(config: Config, running: Running): Promise<void> {
  for (const warning of config.warnings) running.log.warn(warning);
  const start = startOf(config, running);
  const isOwned = await running
    .asOperator(({ query }) => hasPeople(query))
    // The service runs, whatever this query's outcome.
    .catch(() => true);
  const isBannerShown = process.stderr.isTTY === true;
  if (isBannerShown) printStatus(await banner(start, isOwned));
  // On one terminal the lines would repeat the banner.
  if (!(isBannerShown && process.stdout.isTTY)) logStart(start, isOwned);
}

interface Start {
  readonly config: Config;
  readonly running: Running;
  /** Base address that clients see; undefined if only messages are served. */
  readonly publicUrl: string | undefined;
  /** The console's address for people; undefined if no console is served. */
  readonly origin: string | undefined;
  /** A command of this program to paste, with the settings of the store. */
  readonly petstore: (command: string) => string;
  readonly signUp: string;
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
    signUp: describeSignUp(signUpPolicyOf(config), SETTINGS.signUp.variable),
  };
}

/** The service whose key and animals the banner's commands are about. */
function storeOf({ listeners }: Running) {
  return listeners.find(({ name }) => name === "production" || name === "staging");
}

/** Text for a person: addresses, and commands to paste for the first requests. */
async function banner(start: Start, isOwned: boolean): Promise<string> {
  const { config, running, petstore, signUp } = start;
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
    `Sign-up is ${signUp}.`,
    ...(isOwned ? [] : await firstOwnerLines(start)),
    "",
    ...(store === undefined ? [] : browserLines(new URL(store.address).origin)),
    `In another terminal${sameSettings}: create a key, add an animal, list the animals.`,
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
    "In a browser: add an animal, create a key; or try each operation of the API.",
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

/** How a person on this terminal becomes the first owner: an invitation is shown as its link. */
async function firstOwnerLines(start: Start): Promise<readonly string[]> {
  const { running, origin } = start;
  const command = firstOwnerCommand(start);
  if (command === undefined) return ["There is no owner yet: the first account is an owner's."];
  if (signUpPolicyOf(start.config).mode === "closed")
    return ["There is no owner yet. Create the first account, which is an owner's:", "", `  ${command}`];
  if (origin === undefined) return ["There is no owner yet. Print the first invitation:", "", `  ${command}`];
  const { path } = await running.asOperator((ctx) => createInvitation(ctx, { role: "owner" }));
  return [
    "There is no owner yet. This link makes the first account, once, within 72 hours:",
    "",
    `  ${origin}${path}`,
  ];
}

const DEFAULT_URL = `http://localhost:${SETTINGS.productionPort.default}/v1`;

/** The command that makes the first owner's account, or prints an invitation; undefined where anybody can sign up. */
function firstOwnerCommand({ config, publicUrl, petstore }: Start): string | undefined {
  const isElsewhere = publicUrl !== undefined && publicUrl !== DEFAULT_URL;
  const address = isElsewhere ? ` --production-url ${publicUrl}` : "";
  return {
    open: undefined,
    invite: petstore(`accounts invite --role owner${address}`),
    closed: petstore("accounts create EMAIL"),
  }[signUpPolicyOf(config).mode];
}

/** Logs the addresses, who can sign up, and the first owner's command: a log may be kept, and never has an invitation. */
function logStart(start: Start, isOwned: boolean): void {
  const { config, running, signUp } = start;
  const { mode } = signUpPolicyOf(config);
  running.log.info({ signUp: mode }, `sign-up is ${signUp}`);
  if (!isOwned) {
    const next = {
      open: "the first account is an owner's",
      invite: "the command prints the first invitation",
      closed: "the command creates the first account, which is an owner's",
    }[mode];
    running.log.info({ command: firstOwnerCommand(start) }, `there is no owner yet: ${next}`);
  }
  for (const { name, address } of running.listeners)
    running.log.info({ service: name, address }, "listening");
}
