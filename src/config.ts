import { BlockList, isIP } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { RUNTIME_SETTINGS, withRuntimeSettings } from "../bin/runtime.js";
import { ENVIRONMENTS, type ServiceName, SIGN_UP } from "./context.ts";
import { BODY_BYTES_MAX, CONNECTIONS_DEFAULT } from "./limits.ts";
import { type BucketAccess, isBucketUrl, parseBucketUrl } from "./platform/bucket-url.ts";
import { parseDatabaseUrl, withLibpqVariables } from "./platform/database-url.ts";
import { isServiceLink, readVariables } from "./platform/environment-variables.ts";
import { parseHttpUrl } from "./platform/http-url.ts";
import { isLoopbackHost, privateDestinationFault, unbracketHost } from "./platform/ip-address.ts";
import { parseMailAddress, parseSmtpUrl } from "./platform/smtp-url.ts";
import { LOG_LEVELS } from "./telemetry/logger.ts";

export const BODY_BYTES_DEFAULT = 65_536; // default of `PETSTORE_MAX_BODY_BYTES`; a larger body is answered with 413
const HISTORY_DAYS_DEFAULT = 90; // default of `PETSTORE_HISTORY_DAYS`; older events are deleted
const HISTORY_DAYS_MAX = 36_500; // highest value of `PETSTORE_HISTORY_DAYS`
const CONNECTIONS_MIN = 5; // lowest value of `PETSTORE_DATABASE_CONNECTIONS`: each of the three pools needs one connection, and two more are outside the pools
const CONNECTIONS_MAX = 1_000; // highest value of `PETSTORE_DATABASE_CONNECTIONS`
const PROCESSES_MAX = 64; // highest value of `PETSTORE_PROCESSES`
const BACKUP_INTERVAL_MAX_MS = 7 * 24 * 3_600_000; // highest value of `PETSTORE_BACKUP_EVERY`
const BACKUPS_KEPT_MAX = 100_000; // highest value of `PETSTORE_BACKUP_KEEP`

/** The two policies for webhooks on this machine or on private networks. */
const PRIVATE_DESTINATIONS = ["refuse", "allow"] as const;
export type PrivateDestinations = (typeof PRIVATE_DESTINATIONS)[number];

export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** The error for invalid settings. The message has one line for each of them, with its name and its valid values. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Describes a setting: its environment variable, and a flag with the same name, in commander's syntax (`--data-dir <dir>`). */
function setting(variable: string, value: string, meaning: string, fallback?: string) {
  const flag = variable.replace("PETSTORE_", "").toLowerCase().replaceAll("_", "-");
  return { variable, flag: `--${flag} <${value}>`, meaning, default: fallback };
}

export const SETTINGS = {
  host: setting("PETSTORE_HOST", "address", "network interface or address to listen on", "127.0.0.1"),
  productionPort: setting(
    "PETSTORE_PRODUCTION_PORT",
    "port",
    "port of production; 0 picks a free port",
    "8080",
  ),
  stagingPort: setting("PETSTORE_STAGING_PORT", "port", "port of staging", "8081"),
  messagesPort: setting("PETSTORE_MESSAGES_PORT", "port", "port of messages", "8082"),
  metricsPort: setting("PETSTORE_METRICS_PORT", "port", "port of the metrics for Prometheus", "8090"),
  metricsHost: setting(
    "PETSTORE_METRICS_HOST",
    "address",
    "network interface or address of the metrics port",
    "127.0.0.1",
  ),
  productionUrl: setting(
    "PETSTORE_PRODUCTION_URL",
    "url",
    "public base address of production, such as https://pets.example.com/v1",
  ),
  stagingUrl: setting(
    "PETSTORE_STAGING_URL",
    "url",
    "public base address of staging, such as https://staging.example.com/v1",
  ),
  messagesUrl: setting(
    "PETSTORE_MESSAGES_URL",
    "url",
    "public base address of messages, such as https://messages.example.com",
  ),
  dataDir: setting("PETSTORE_DATA_DIR", "dir", "folder of the SQLite databases", "./data"),
  databaseUrl: setting(
    "PETSTORE_DATABASE_URL",
    "url",
    "address of a PostgreSQL database, to use instead of SQLite",
  ),
  databaseDirectUrl: setting(
    "PETSTORE_DATABASE_DIRECT_URL",
    "url",
    "address of the PostgreSQL server itself, if PETSTORE_DATABASE_URL is the address of a pooler; used for migrations, and to listen for changes",
  ),
  databaseReplicas: setting(
    "PETSTORE_DATABASE_REPLICAS",
    "urls",
    "addresses of PostgreSQL standbys to read from, separated by commas",
  ),
  databaseSchemaPrefix: setting(
    "PETSTORE_DATABASE_SCHEMA_PREFIX",
    "prefix",
    "put before the names of the four schemas, such as shopa_, so that several stores share a PostgreSQL database",
  ),
  databaseConnections: setting(
    "PETSTORE_DATABASE_CONNECTIONS",
    "count",
    "most connections of a process to the PostgreSQL server",
    String(CONNECTIONS_DEFAULT),
  ),
  processes: setting(
    "PETSTORE_PROCESSES",
    "count",
    "number of serving processes; more than 1 needs PostgreSQL",
    "1",
  ),
  signUp: setting(
    "PETSTORE_SIGN_UP",
    "invite|open|closed",
    "who can create accounts: people with an invitation (invite), everybody who can reach the console (open), or only the operator, by the command line (closed)",
    "invite",
  ),
  smtpUrl: setting(
    "PETSTORE_SMTP_URL",
    "url",
    "mail server, such as smtps://user:password@example.com, which sends invitations and links for new passwords; unset: no mails",
  ),
  mailFrom: setting(
    "PETSTORE_MAIL_FROM",
    "address",
    "sender of the mails, such as petstore <pets@example.com>",
  ),
  oidcIssuer: setting(
    "PETSTORE_OIDC_ISSUER",
    "url",
    "issuer of an OpenID Connect provider for sign-in, such as https://accounts.google.com; unset: none",
  ),
  oidcClientId: setting("PETSTORE_OIDC_CLIENT_ID", "id", "identifier of petstore at that provider"),
  oidcClientSecret: setting("PETSTORE_OIDC_CLIENT_SECRET", "secret", "secret of petstore at that provider"),
  trustedProxies: setting(
    "PETSTORE_TRUSTED_PROXIES",
    "addresses",
    "proxies whose `X-Forwarded-For` is trusted, such as 10.0.0.0/8,::1",
  ),
  rateLimit: setting(
    "PETSTORE_RATE_LIMIT",
    "requests/seconds",
    "requests per key and process, such as 600/60s; unset: no limit",
  ),
  maxBodyBytes: setting(
    "PETSTORE_MAX_BODY_BYTES",
    "bytes",
    "maximum size of a request body",
    String(BODY_BYTES_DEFAULT),
  ),
  backupDir: setting(
    "PETSTORE_BACKUP_DIR",
    "dir|s3://…",
    "folder, or s3://bucket/prefix, for automatic backups; unset: no backups",
  ),
  backupEvery: setting("PETSTORE_BACKUP_EVERY", "time", "time between backups, such as 15m, 1h or 1d", "1h"),
  backupKeep: setting(
    "PETSTORE_BACKUP_KEEP",
    "count",
    "how many backups are kept; older ones are removed",
    "48",
  ),
  historyDays: setting(
    "PETSTORE_HISTORY_DAYS",
    "days",
    "how long events are kept; 0 keeps them all",
    String(HISTORY_DAYS_DEFAULT),
  ),
  logLevel: setting("PETSTORE_LOG", LOG_LEVELS.join("|"), `log level: ${LOG_LEVELS.join(", ")}`, "info"),
  webhookUrl: setting(
    "PETSTORE_MESSAGES_WEBHOOK",
    "url",
    "URL that messages are delivered to; unset: they stay in the inbox",
  ),
  webhookPrivate: setting(
    "PETSTORE_MESSAGES_WEBHOOK_PRIVATE",
    "refuse|allow",
    "whether the webhook may be on this machine or a private network",
    "refuse",
  ),
  webhookSecret: setting(
    "PETSTORE_MESSAGES_WEBHOOK_SECRET",
    "whsec",
    "secret that signs deliveries; unset: one is generated and stored",
  ),
  webhooksPrivate: setting(
    "PETSTORE_WEBHOOKS_PRIVATE",
    "refuse|allow",
    "whether webhooks for events may be on this machine or a private network, or use plain http",
    "refuse",
  ),
} as const;

export type SettingName = keyof typeof SETTINGS;
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];
export type Flags = Readonly<Partial<Record<SettingName, string>>>;
type EnvironmentVariables = Readonly<Record<string, string | undefined>>;
/** Parses a setting's text; undefined if it is invalid. */
type Parse<Value> = (text: string) => Value | undefined;

export type Config = Readonly<ReturnType<typeof loadConfig>>;

/**
 * Loads all settings of the service. A flag takes precedence over an environment variable, then come `PORT` and the default.
 *
 * @param services the services that the command concerns; if there is only one, it uses `PORT`, which hosting platforms set
 * @throws ConfigError that lists all misspelt variables, invalid values and contradictory settings
 */
export function loadConfig(
  flags: Flags,
  variables: EnvironmentVariables = process.env,
  services: readonly ServiceName[] = [],
) {
  const reader = readSettings(flags, variables, services);
  const { environment, mistakes, warnings, given, text, refuse, read, maybe } = reader;
  const config = {
    host: read("host", HOST, parseHost),
    productionPort: read("productionPort", PORT, parsePort),
    stagingPort: read("stagingPort", PORT, parsePort),
    messagesPort: read("messagesPort", PORT, parsePort),
    metricsPort: read("metricsPort", PORT, parsePort),
    metricsHost: read("metricsHost", HOST, parseHost),
    /** True if the metrics port was set explicitly. A program that runs a single service serves metrics only in that case. */
    isMetricsPortChosen: given("metricsPort") !== undefined,
    productionUrl: maybe("productionUrl", publicUrlForm("/v1"), parsePublicUrl("/v1")),
    stagingUrl: maybe("stagingUrl", publicUrlForm("/v1"), parsePublicUrl("/v1")),
    messagesUrl: maybe("messagesUrl", publicUrlForm(""), parsePublicUrl("")),
    dataDir: read("dataDir", "a folder", nonEmpty),
    databaseUrl: maybe("databaseUrl", "a postgres:// address", postgresUrl(environment)),
    databaseDirectUrl: maybe("databaseDirectUrl", "a postgres:// address", postgresUrl(environment)),
    databaseReplicas: maybe("databaseReplicas", REPLICAS, parseReplicas(environment)),
    databaseSchemaPrefix: maybe("databaseSchemaPrefix", SCHEMA_PREFIX, parseSchemaPrefix) ?? "",
    databaseConnections: read(
      "databaseConnections",
      CONNECTIONS,
      integerIn(CONNECTIONS_MIN, CONNECTIONS_MAX),
    ),
    signUp: read("signUp", "invite, open or closed", oneOf(SIGN_UP)),
    smtpUrl: maybe("smtpUrl", SMTP, parseSmtpUrl),
    mailFrom: maybe("mailFrom", "an address, such as petstore <pets@example.com>", parseMailAddress),
    oidcIssuer: maybe("oidcIssuer", ISSUER, parseIssuer),
    oidcClientId: maybe("oidcClientId", "not empty", nonEmpty),
    oidcClientSecret: maybe("oidcClientSecret", "not empty", nonEmpty),
    trustedProxies: maybe("trustedProxies", PROXIES, parseProxies),
    rateLimit: maybe("rateLimit", "requests/seconds, such as 600/60s", parseRateLimit),
    maxBodyBytes: read(
      "maxBodyBytes",
      `a number of bytes from 1 to ${BODY_BYTES_MAX}`,
      integerIn(1, BODY_BYTES_MAX),
    ),
    processes: read("processes", `a number from 1 to ${PROCESSES_MAX}`, integerIn(1, PROCESSES_MAX)),
    /** True in a worker process that a supervisor has started. */
    isSupervised: environment[SUPERVISED] === "1",
    backupDir: maybe("backupDir", "a folder, or s3://bucket/prefix without spaces", parseBackupDir),
    /** Interval of scheduled backups, in milliseconds. */
    backupEvery: read("backupEvery", BACKUP_INTERVAL, parseBackupInterval),
    backupKeep: read("backupKeep", BACKUP_COUNT, parseBackupCount),
    historyDays: read("historyDays", DAYS, integerIn(0, HISTORY_DAYS_MAX)),
    logLevel: read("logLevel", `one of ${LOG_LEVELS.join(", ")}`, oneOf(LOG_LEVELS)),
    webhookUrl: maybe("webhookUrl", "an http or https URL", parseUrl),
    webhookPrivate: read("webhookPrivate", "refuse or allow", oneOf(PRIVATE_DESTINATIONS)),
    webhookSecret: maybe("webhookSecret", WEBHOOK_SECRET, parseWebhookSecret),
    webhooksPrivate: read("webhooksPrivate", "refuse or allow", oneOf(PRIVATE_DESTINATIONS)),
    /** Name of the hosting platform, if it is one that deletes the files of an instance; undefined on other platforms. */
    forgetfulPlatform: FORGETFUL_PLATFORMS.find(([variable]) => environment[variable])?.[1],
    /** Warnings for the log of the service, one sentence each. */
    warnings,
  } satisfies Record<SettingName, unknown> & Record<string, unknown>;
  // An address that could not be read counts as given, so that no other setting is said to lack it.
  refuseContradictions({ ...config, databaseUrl: config.databaseUrl ?? text("databaseUrl") }, refuse);
  refuseIncomplete(config, environment, services, refuse);
  if (mistakes.length > 0) throw new ConfigError(mistakes.join("\n"));
  if (config.signUp === "open") warnings.push(OPEN_SIGN_UP);
  if (services.length > 1 && environment["PORT"]) warnings.push(PORT_IGNORED);
  return config;
}

/** Reads the texts of all settings. Returns functions that parse them, and the list in which mistakes are collected. */
function readSettings(flags: Flags, variables: EnvironmentVariables, services: readonly ServiceName[]) {
  const { environment, mistakes, warnings } = readVariables(variables, SECRETS, VARIABLES);
  const given = (name: SettingName): string | undefined => flags[name] ?? variableOf(name, environment);
  const platform = ofPlatform(environment, services);
  const text = (name: SettingName): string | undefined =>
    given(name) ?? platform[name] ?? SETTINGS[name].default;
  const refuse = (name: SettingName, reason: string) =>
    void mistakes.push(`${sourceOf(name, flags, platform)} ${reason}`);
  const read = <Value>(name: SettingName, expected: string, parse: Parse<Value>): Value => {
    const value = parse(text(name) ?? "");
    if (value === undefined) refuse(name, `must be ${expected}.`);
    // If the text is invalid, the value is never used, because `loadConfig` throws.
    return value as Value;
  };
  const maybe = <Value>(name: SettingName, expected: string, parse: Parse<Value>) =>
    text(name) === undefined ? undefined : read(name, expected, parse);
  return { environment, mistakes, warnings, given, text, refuse, read, maybe };
}

/**
 * Returns the settings that follow from a hosting platform's `PORT`: if only one service runs, it listens on this port, on all
 * network interfaces.
 */
function ofPlatform(environment: EnvironmentVariables, [service, ...others]: readonly ServiceName[]): Flags {
  const { PORT: port } = environment;
  if (!port || service === undefined || others.length > 0) return {};
  const portName = `${service}Port` as const;
  return {
    ...(variableOf(portName, environment) === undefined && { [portName]: port }),
    ...(variableOf("host", environment) === undefined && { host: "0.0.0.0" }),
  };
}

/**
 * Platforms that have no permanent disk, each with the variable by which it is recognized (according to its documentation in 2026).
 */
const FORGETFUL_PLATFORMS = [
  ["K_SERVICE", "Cloud Run"],
  ["DYNO", "Heroku"],
] as const;

const PORT_IGNORED =
  "PORT is ignored, because several services run here. To run only one of them, on that port: petstore serve production";

const OPEN_SIGN_UP = `${SETTINGS.signUp.variable} is open: everybody who reaches the console can create an account. Set it to invite, and invite people: petstore accounts invite`;

const DAYS = `a number of days from 0 to ${HISTORY_DAYS_MAX}`;
const SCHEMA_PREFIX =
  "up to 32 lower-case letters, digits and _, with a letter first and not pg_, such as shopa_";
const CONNECTIONS = `a number from ${CONNECTIONS_MIN} to ${CONNECTIONS_MAX}`;
const PROXIES = "IP addresses or networks, separated by commas, such as 10.0.0.0/8,::1";
const REPLICAS = "postgres:// addresses of one server each, with commas between them";

interface Related {
  readonly databaseUrl: string | undefined;
  readonly databaseDirectUrl: string | undefined;
  readonly databaseReplicas: readonly string[] | undefined;
  readonly processes: number;
  readonly backupDir: string | undefined;
  readonly webhookUrl: string | undefined;
  readonly webhookPrivate: PrivateDestinations;
}

function refuseContradictions(related: Related, refuse: (name: SettingName, reason: string) => void) {
  for (const name of ["databaseUrl", "databaseDirectUrl"] as const) {
    const unusable = parseDatabaseUrl(related[name] ?? "")?.refusal;
    if (unusable) refuse(name, unusable);
  }
  const { databaseUrl, processes, backupDir, webhookUrl, webhookPrivate } = related;
  for (const name of ["databaseDirectUrl", "databaseReplicas"] as const)
    if (related[name] !== undefined && databaseUrl === undefined)
      refuse(name, `needs ${SETTINGS.databaseUrl.variable}.`);
  if (processes > 1 && databaseUrl === undefined) refuse("processes", ONE_PROCESS);
  if (backupDir !== undefined && databaseUrl !== undefined) refuse("backupDir", EMBEDDED_ONLY);
  const fault = webhookUrl && privateDestinationFault(new URL(webhookUrl), SETTINGS.webhookPrivate.variable);
  if (webhookPrivate === "refuse" && fault) refuse("webhookUrl", `${fault}.`);
}

function refuseIncomplete(
  config: Incomplete,
  environment: EnvironmentVariables,
  services: readonly ServiceName[],
  refuse: (name: SettingName, reason: string) => void,
) {
  for (const { names, what, why } of TOGETHER)
    if (names.some((name) => config[name] !== undefined)) {
      for (const name of names)
        if (config[name] === undefined) refuse(name, `is missing, but ${what} needs ${inWords(names)}.`);
      for (const service of isLoopbackHost(config.host) ? [] : ENVIRONMENTS)
        if (services.includes(service) && config[`${service}Url`] === undefined)
          refuse(`${service}Url`, `is missing, but ${why}.`);
    }
  if (config.backupDir === undefined || !isBucketUrl(config.backupDir)) return;
  for (const mistake of readAccess(environment).mistakes) refuse("backupDir", mistake);
}

/**
 * Settings that work only together. A request's own address never replaces a missing public address, because the sender of the
 * request chooses it.
 */
const TOGETHER = [
  {
    names: ["oidcIssuer", "oidcClientId", "oidcClientSecret"],
    what: "sign-in by a provider",
    why: "the provider sends people back to this address",
  },
  { names: ["smtpUrl", "mailFrom"], what: "mail", why: "the links in mails lead to this address" },
] as const;

type Incomplete = Readonly<Record<(typeof TOGETHER)[number]["names"][number], unknown>> & {
  readonly host: string;
  readonly productionUrl: string | undefined;
  readonly stagingUrl: string | undefined;
  readonly backupDir: string | undefined;
};

const inWords = (names: readonly SettingName[]) => names.map((name) => SETTINGS[name].variable).join(" and ");

const SMTP = "smtps://user:password@host, or smtp://… for STARTTLS";

const ISSUER = "an https URL without a query, or an http one on this machine";

function parseIssuer(text: string): string | undefined {
  const url = parseBaseUrl(text);
  if (url === undefined) return undefined;
  // Issuers are compared exactly as written, with or without a slash at the end.
  return url.startsWith("https:") || isLoopbackHost(unbracketHost(new URL(url).hostname)) ? text : undefined;
}

/** Returns the value of a setting's environment variable. An empty value counts as unset, as in compose files and unit files. */
function variableOf(name: SettingName, environment: EnvironmentVariables): string | undefined {
  const { variable } = SETTINGS[name];
  const value = environment[variable];
  return isServiceLink(variable, value) ? undefined : value || undefined;
}

const ONE_PROCESS =
  "must be 1 with the embedded database, because only one process can write it. " +
  `To run more, set ${SETTINGS.databaseUrl.variable} to a PostgreSQL address.`;

const EMBEDDED_ONLY =
  "works with the embedded databases only. Unset it, and back up PostgreSQL with pg_dump (docs/guides/operate).";

/** Environment variable that a supervisor sets for its worker processes. It is not a setting. */
const SUPERVISED = "PETSTORE_SUPERVISED";

const VARIABLES = [
  ...Object.values(SETTINGS).map(({ variable }) => variable),
  "PETSTORE_KEY",
  "PETSTORE_URL",
  "PETSTORE_LISTEN_SECRET",
];

/**
 * Environment variables of the settings that contain a password or a key. For each of them, a variable `…_FILE` may name a file
 * with the value instead.
 */
export const SECRETS: readonly string[] = [
  SETTINGS.databaseUrl,
  SETTINGS.databaseDirectUrl,
  SETTINGS.databaseReplicas,
  SETTINGS.webhookSecret,
  SETTINGS.oidcClientSecret,
  SETTINGS.smtpUrl,
].map(({ variable }) => variable);
const REMOTE_SECRETS = ["PETSTORE_KEY", "PETSTORE_LISTEN_SECRET"];

/**
 * Returns the settings of the runtime that are missing. That can happen only if the executable was started directly, without its
 * unit or image.
 */
export function missingRuntimeSettings(environment: EnvironmentVariables = process.env): readonly string[] {
  return Object.keys(RUNTIME_SETTINGS).filter((name) => !environment[name]);
}

/** Adds the TLS parameters of libpq's environment variables (PGSSLMODE, …) to a database URL that lacks them. */
export function withTlsVariables(url: string, environment: EnvironmentVariables = process.env): string {
  return withLibpqVariables(url, environment);
}

/**
 * Returns the environment variables for a worker process: those of this process, and one that says that a supervisor has started
 * the process.
 */
export function supervisedEnvironment(): Record<string, string | undefined> {
  return { ...withRuntimeSettings(process.env), [SUPERVISED]: "1" };
}

/** Returns the environment variables of this process without `PETSTORE_…`, for a command that gets all settings as flags. */
export function environmentWithoutSettings(): Record<string, string | undefined> {
  const variables = Object.entries(withRuntimeSettings(process.env));
  return Object.fromEntries(variables.filter(([name]) => !name.startsWith("PETSTORE_")));
}

/**
 * Reads the environment variables that are used by the remote commands, which call a service over HTTP.
 *
 * @throws ConfigError if a variable is misspelt, or the file of a secret cannot be read
 */
export function readRemoteSettings(variables: EnvironmentVariables = process.env) {
  const { environment, mistakes } = readVariables(variables, REMOTE_SECRETS, VARIABLES);
  if (mistakes.length > 0) throw new ConfigError(mistakes.join("\n"));
  const listenSecret = environment["PETSTORE_LISTEN_SECRET"] || undefined;
  if (listenSecret !== undefined && parseWebhookSecret(listenSecret) === undefined)
    throw new ConfigError(`PETSTORE_LISTEN_SECRET must be ${WEBHOOK_SECRET}.`);
  return {
    /** Secret that `petstore listen` uses to sign the events that it forwards. */
    listenSecret,
    key: environment["PETSTORE_KEY"] || undefined,
    url: environment["PETSTORE_URL"] || undefined,
    messagesUrl: environment["PETSTORE_MESSAGES_URL"] || undefined,
    browser: environment["BROWSER"] || undefined,
    /** True if graphical programs can be started (X11, Wayland). */
    hasDesktop: Boolean(environment["DISPLAY"] || environment["WAYLAND_DISPLAY"]),
    /** Folder of the user's configuration files (XDG Base Directory). */
    configHome: environment["XDG_CONFIG_HOME"] || join(environment["HOME"] || homedir(), ".config"),
  } as const;
}

/**
 * Reads the keys and the address of an S3-compatible store from the environment variables that all programs for such stores use.
 *
 * @throws ConfigError if a variable is missing or invalid
 */
export function readBucketAccess(environment: EnvironmentVariables = process.env): BucketAccess {
  const { access, mistakes } = readAccess(environment);
  if (mistakes.length > 0) throw new ConfigError(mistakes.map((mistake) => `A bucket ${mistake}`).join("\n"));
  return access;
}

function readAccess(environment: EnvironmentVariables) {
  const region = environment["AWS_REGION"] || environment["AWS_DEFAULT_REGION"] || "us-east-1";
  const given = environment["AWS_ENDPOINT_URL_S3"] || environment["AWS_ENDPOINT_URL"];
  const endpoint = given ? parseBaseUrl(given) : `https://s3.${region}.amazonaws.com`;
  const accessKeyId = environment["AWS_ACCESS_KEY_ID"] ?? "";
  const secretAccessKey = environment["AWS_SECRET_ACCESS_KEY"] ?? "";
  const sessionToken = environment["AWS_SESSION_TOKEN"] ?? "";
  const mistakes = [
    ...(accessKeyId && secretAccessKey ? [] : ["needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."]),
    ...(/^[a-z0-9-]+$/.test(region) ? [] : ["needs AWS_REGION to be a region, such as eu-central-1."]),
    ...(endpoint === undefined ? ["needs AWS_ENDPOINT_URL_S3 to be an http or https URL."] : []),
  ];
  return {
    access: { accessKeyId, secretAccessKey, sessionToken, region, endpoint: endpoint ?? "" },
    mistakes,
  };
}

const LOOPBACK = "localhost,127.0.0.1,::1";

/** Adds this machine to `NO_PROXY`, so that no proxy gets the API key of a local service. Must be called before the first fetch. */
export function bypassProxyForLoopback(environment: Record<string, string | undefined> = process.env): void {
  const given = environment["no_proxy"] || environment["NO_PROXY"];
  if (given?.trim() === "*") return;
  // Both variables are set, because Bun prefers the lower-case name.
  for (const name of ["no_proxy", "NO_PROXY"])
    environment[name] = given === undefined ? LOOPBACK : `${given},${LOOPBACK}`;
}

/** True if the output must not have colours, because `NO_COLOR` is set (no-color.org) or the terminal does not support them. */
export function isColourless(environment: EnvironmentVariables = process.env): boolean {
  return Boolean(environment["NO_COLOR"]) || environment["TERM"] === "dumb";
}

/** Returns the language of the person at the terminal (POSIX), such as `pl_PL.UTF-8`. */
export function readLanguage(environment: EnvironmentVariables = process.env): string {
  return environment["LC_ALL"] || environment["LC_CTYPE"] || environment["LANG"] || "";
}

/**
 * Returns the width of help texts, in characters: `COLUMNS`, or else the width of the terminal, or else 80, as in a pipe. It is at
 * least 40.
 */
export function readHelpWidth(environment: EnvironmentVariables = process.env): number {
  return Math.max(40, Number(environment["COLUMNS"]) || process.stdout.columns || 80);
}

const HOST =
  "an IP address or a name of this machine, such as 127.0.0.1 or ::1, without a port and without a zone";
const PORT = "a port from 0 to 65535";
export const VERSIONED_URL = "an http or https URL that ends in /v1";
export const BASE_URL = "an http or https URL";

/** Returns the name of the flag that has set a setting or, if there is none, of the environment variable. */
function sourceOf(name: SettingName, flags: Flags, platform: Flags): string {
  if (flags[name] !== undefined) return SETTINGS[name].flag.split(" ")[0] ?? "";
  return platform[name] === undefined ? SETTINGS[name].variable : "PORT";
}

function parseBackupDir(text: string): string | undefined {
  return isBucketUrl(text) ? parseBucketUrl(text) && text : nonEmpty(text);
}

function nonEmpty(text: string): string | undefined {
  return text.trim() === "" ? undefined : text;
}

/**
 * Parses an address to listen on. An IPv6 address may be in brackets, as in a URL. It must not have a zone (`%eth0`), because a URL
 * must not have one.
 */
function parseHost(text: string): string | undefined {
  const host = unbracketHost(text.trim());
  const isUsable = isIP(host) === 6 ? !host.includes("%") : /^[A-Za-z0-9._-]+$/.test(host);
  return isUsable ? host : undefined;
}

function oneOf<Word extends string>(words: readonly Word[]): Parse<Word> {
  return (text) => words.find((word) => word === text);
}

function integerIn(minimum: number, maximum: number): Parse<number> {
  return (text) => {
    const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
    return value >= minimum && value <= maximum ? value : undefined;
  };
}

const parsePort = integerIn(0, 65_535);

export const BACKUP_COUNT = `a number from 1 to ${BACKUPS_KEPT_MAX}`;
export const parseBackupCount = integerIn(1, BACKUPS_KEPT_MAX);

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const BACKUP_INTERVAL = `a time up to ${BACKUP_INTERVAL_MAX_MS / 86_400_000}d, such as 15m, 1h or 1d`;

/** Parses the interval between backups, such as `15m`, into milliseconds; undefined if it is invalid. */
function parseBackupInterval(text: string): number | undefined {
  const [, count = "", unit = ""] = /^([1-9][0-9]{0,5})([smhd])$/.exec(text) ?? [];
  const milliseconds = Number(count) * (UNIT_MS[unit] ?? 0);
  return milliseconds > 0 && milliseconds <= BACKUP_INTERVAL_MAX_MS ? milliseconds : undefined;
}

function parseUrl(text: string): string | undefined {
  return parseHttpUrl(text) && text.replace(/\/+$/, "");
}

function parseSchemaPrefix(text: string): string | undefined {
  return /^(?!pg_)[a-z][a-z0-9_]{0,31}$/.test(text) ? text : undefined;
}

function postgresUrl(environment: EnvironmentVariables): Parse<string> {
  return (text) =>
    /^postgres(ql)?$/.test(parseDatabaseUrl(text)?.scheme ?? "")
      ? withLibpqVariables(text, environment)
      : undefined;
}

function parseReplicas(environment: EnvironmentVariables): Parse<readonly string[]> {
  const parse = postgresUrl(environment);
  return (text) => {
    const urls = text.split(/,(?=[a-z]+:)/).map((url) => parse(url.trim()));
    const parsed = urls.map((url) => parseDatabaseUrl(url ?? ""));
    const servers = parsed.flatMap((each) => (each?.refusal === undefined ? (each?.servers ?? []) : []));
    const areUsable = servers.length === urls.length && parsed.every((each) => each?.servers.length === 1);
    return areUsable ? servers : undefined;
  };
}

/**
 * Parses a base address for links. Undefined if the text is not an http or https URL, or if it has a query, a fragment or a user
 * name.
 */
export function parseBaseUrl(text: string): string | undefined {
  const url = /^[\x21-\x7e]+$/.test(text) ? URL.parse(text) : null;
  if (url === null || parseUrl(text) === undefined) return undefined;
  if (/[?#]/.test(text) || url.username + url.password !== "") return undefined;
  return url.href.replace(/\/+$/, "");
}

export function parseVersionedUrl(text: string): string | undefined {
  const url = parseBaseUrl(text);
  return url?.endsWith("/v1") ? url : undefined;
}

/** Describes what a public base address must look like. Its path is fixed, because the console's pages and links contain it. */
function publicUrlForm(path: string): string {
  const form = path === "" ? "has no path" : `has the path ${path} and nothing else`;
  return `an http or https URL that ${form}, such as https://pets.example.com${path}`;
}

function parsePublicUrl(path: string): Parse<string> {
  return (text) => {
    const url = parseBaseUrl(text);
    return url !== undefined && url === new URL(url).origin + path ? url : undefined;
  };
}

function parseProxies(text: string): BlockList | undefined {
  const list = new BlockList();
  for (const part of text.split(",")) {
    const [, address = "", bits] = /^([0-9A-Fa-f:.]+)(?:\/([0-9]{1,3}))?$/.exec(part.trim()) ?? [];
    const family = isIP(address);
    const addressBits = family === 4 ? 32 : 128;
    if (family === 0 || Number(bits ?? 0) > addressBits) return undefined;
    list.addSubnet(address, Number(bits ?? addressBits), family === 4 ? "ipv4" : "ipv6");
  }
  return list;
}

function parseRateLimit(text: string): RateLimit | undefined {
  const [, requests = "", seconds = ""] = /^([1-9][0-9]{0,8})\/([1-9][0-9]{0,5})s$/.exec(text) ?? [];
  return requests === "" ? undefined : { requests: Number(requests), seconds: Number(seconds) };
}

const WEBHOOK_SECRET = "whsec_ followed by 24 to 64 bytes in base64";

function parseWebhookSecret(text: string): string | undefined {
  const bytes = Buffer.from(text.replace(/^whsec_/, ""), "base64").length;
  return text.startsWith("whsec_") && bytes >= 24 && bytes <= 64 ? text : undefined;
}
