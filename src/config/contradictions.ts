import { ENVIRONMENTS, type ServiceName } from "../context.ts";
import { isBucketUrl } from "../platform/bucket-url.ts";
import { parseDatabaseUrl } from "../platform/database-url.ts";
import { isLoopbackHost, privateDestinationFault } from "../platform/ip-address.ts";
import { type EnvironmentVariables, parseBucketAccess } from "./environment.ts";
import { SETTINGS, type SettingName } from "./settings.ts";
import type { PrivateDestinations } from "./values.ts";

export type Refuse = (name: SettingName, reason: string) => void;

const ONE_PROCESS =
  "must be 1 with SQLite, because only one process can write to its databases. " +
  `To run several processes, set ${SETTINGS.databaseUrl.variable} to a PostgreSQL address.`;

const EMBEDDED_ONLY =
  "works only with SQLite. Unset this variable, and back up PostgreSQL with pg_dump (docs/guides/operate).";

interface Related {
  readonly databaseUrl: string | undefined;
  readonly databaseDirectUrl: string | undefined;
  readonly databaseReplicas: readonly string[] | undefined;
  readonly processes: number;
  readonly backupDir: string | undefined;
  readonly messagesWebhookUrl: string | undefined;
  readonly messagesWebhookPrivate: PrivateDestinations;
}

export function refuseContradictions(config: Related, refuse: Refuse): void {
  for (const name of ["databaseUrl", "databaseDirectUrl"] as const) {
    const unusable = parseDatabaseUrl(config[name] ?? "")?.refusal;
    if (unusable) refuse(name, unusable);
  }
  const { databaseUrl, processes, backupDir, messagesWebhookUrl, messagesWebhookPrivate } = config;
  for (const name of ["databaseDirectUrl", "databaseReplicas"] as const)
    if (config[name] !== undefined && databaseUrl === undefined)
      refuse(name, `needs ${SETTINGS.databaseUrl.variable}.`);
  if (processes > 1 && databaseUrl === undefined) refuse("processes", ONE_PROCESS);
  if (backupDir !== undefined && databaseUrl !== undefined) refuse("backupDir", EMBEDDED_ONLY);
  if (messagesWebhookUrl === undefined || messagesWebhookPrivate !== "refuse") return;
  const fault = privateDestinationFault(
    new URL(messagesWebhookUrl),
    SETTINGS.messagesWebhookPrivate.variable,
  );
  if (fault) refuse("messagesWebhookUrl", `${fault}.`);
}

/**
 * Groups of settings that must be set together, and only with a public address. The service never takes its address from a
 * request, because the sender could choose any address.
 */
const TOGETHER = [
  {
    names: ["oidcIssuer", "oidcClientId", "oidcClientSecret"],
    what: "sign-in by a provider",
    why: "the provider sends people back to this address",
  },
  { names: ["smtpUrl", "mailFrom"], what: "mail", why: "the links in emails lead to this address" },
] as const;

interface Incomplete {
  readonly host: string;
  readonly backupDir: string | undefined;
}

interface Texts {
  /** Returns the text of a setting, even if it is invalid, or undefined if it is not set. */
  readonly textOf: (name: SettingName) => string | undefined;
  readonly refuse: Refuse;
}

/** Refuses a setting if something that it needs is not set: another setting, a public address, or the keys for a bucket. */
export function refuseIncomplete(
  config: Incomplete,
  environment: EnvironmentVariables,
  services: readonly ServiceName[],
  { textOf, refuse }: Texts,
): void {
  const isMissing = (name: SettingName) => textOf(name) === undefined;
  for (const { names, what, why } of TOGETHER) {
    if (names.every(isMissing)) continue;
    const variables = names.map((name) => SETTINGS[name].variable).join(" and ");
    for (const name of names)
      if (isMissing(name)) refuse(name, `is missing, but ${what} needs ${variables}.`);
    for (const service of isLoopbackHost(config.host) ? [] : ENVIRONMENTS)
      if (services.includes(service) && isMissing(`${service}Url`))
        refuse(`${service}Url`, `is missing, but ${why}.`);
  }
  if (config.backupDir === undefined || !isBucketUrl(config.backupDir)) return;
  for (const mistake of parseBucketAccess(environment).mistakes) refuse("backupDir", mistake);
}
