import { BlockList, isIP } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { SIGN_UP, type SignUp } from "./context.ts";
import { BODY_BYTES_DEFAULT, BODY_BYTES_MAX, PROCESSES_MAX } from "./limits.ts";
import { isPrivateHost } from "./platform/ip-address.ts";
import { LOG_LEVELS, type LogLevel } from "./telemetry/logger.ts";
import { type ExporterConfig, readExporterConfig } from "./telemetry/tracing/exporter-config.ts";

/** Whether messages may be delivered to this machine and to private networks. */
const PRIVATE_DESTINATIONS = ["refuse", "allow"] as const;
export type PrivateDestinations = (typeof PRIVATE_DESTINATIONS)[number];

/** Requests in a window of time, for each key. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** Every setting, read once at start and checked. */
export interface Config {
  readonly host: string;
  readonly productionPort: number;
  readonly stagingPort: number;
  readonly messagesPort: number;
  readonly metricsPort: number;
  readonly metricsHost: string;
  /** Whether the metrics port was set: a service that runs alone serves metrics only then. */
  readonly isMetricsPortChosen: boolean;
  readonly productionUrl: string | undefined;
  readonly stagingUrl: string | undefined;
  readonly messagesUrl: string | undefined;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly signUp: SignUp;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: BlockList | undefined;
  readonly rateLimit: RateLimit | undefined;
  readonly maxBodyBytes: number;
  /** Number of serving processes. */
  readonly processes: number;
  /** Whether a supervisor started this process as a worker. */
  readonly isSupervised: boolean;
  readonly logLevel: LogLevel;
  readonly webhookUrl: string | undefined;
  readonly webhookPrivate: PrivateDestinations;
  readonly webhookSecret: string | undefined;
  /** The exporter of spans, from OpenTelemetry's own variables; undefined turns tracing off. */
  readonly traces: ExporterConfig | undefined;
}

/** An invalid setting. The message is one line that names it and says which values are valid. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** One setting: an environment variable and a flag of the same name. */
export interface Setting {
  readonly variable: string;
  /** In the syntax of commander: `--data-dir <dir>`. */
  readonly flag: string;
  readonly default: string | undefined;
  readonly meaning: string;
}

function setting(variable: string, value: string, fallback: string | undefined, meaning: string): Setting {
  const flag = variable.replace("PETSTORE_", "").toLowerCase().replaceAll("_", "-");
  return { variable, flag: `--${flag} <${value}>`, default: fallback, meaning };
}

export const SETTINGS = {
  host: setting("PETSTORE_HOST", "address", "127.0.0.1", "interface to listen on"),
  productionPort: setting(
    "PETSTORE_PRODUCTION_PORT",
    "port",
    "8080",
    "port of production; 0 picks a free port",
  ),
  stagingPort: setting("PETSTORE_STAGING_PORT", "port", "8081", "port of staging"),
  messagesPort: setting("PETSTORE_MESSAGES_PORT", "port", "8082", "port of messages"),
  metricsPort: setting("PETSTORE_METRICS_PORT", "port", "8090", "port of the metrics for Prometheus"),
  metricsHost: setting("PETSTORE_METRICS_HOST", "address", "127.0.0.1", "interface for the metrics port"),
  productionUrl: setting(
    "PETSTORE_PRODUCTION_URL",
    "url",
    undefined,
    "public base address of production, ending in /v1",
  ),
  stagingUrl: setting(
    "PETSTORE_STAGING_URL",
    "url",
    undefined,
    "public base address of staging, ending in /v1",
  ),
  messagesUrl: setting("PETSTORE_MESSAGES_URL", "url", undefined, "public base address of messages"),
  dataDir: setting("PETSTORE_DATA_DIR", "dir", "./data", "folder of the embedded databases"),
  databaseUrl: setting(
    "PETSTORE_DATABASE_URL",
    "url",
    undefined,
    "PostgreSQL address; replaces the embedded databases",
  ),
  processes: setting("PETSTORE_PROCESSES", "count", "1", "serving processes; more than 1 needs PostgreSQL"),
  signUp: setting(
    "PETSTORE_SIGN_UP",
    "open|closed",
    "open",
    "whether people can create accounts in the console",
  ),
  trustedProxies: setting(
    "PETSTORE_TRUSTED_PROXIES",
    "addresses",
    undefined,
    "proxies whose `X-Forwarded-For` is trusted, such as 10.0.0.0/8,::1",
  ),
  rateLimit: setting(
    "PETSTORE_RATE_LIMIT",
    "requests/seconds",
    undefined,
    "requests per key and process, such as 600/60s; unset: no limit",
  ),
  maxBodyBytes: setting(
    "PETSTORE_MAX_BODY_BYTES",
    "bytes",
    String(BODY_BYTES_DEFAULT),
    "maximum size of a request body",
  ),
  logLevel: setting("PETSTORE_LOG", "level", "info", `log level: ${LOG_LEVELS.join(", ")}`),
  webhookUrl: setting(
    "PETSTORE_MESSAGES_WEBHOOK",
    "url",
    undefined,
    "address that messages are delivered to; unset: the inbox",
  ),
  webhookPrivate: setting(
    "PETSTORE_MESSAGES_WEBHOOK_PRIVATE",
    "refuse|allow",
    "refuse",
    "whether the webhook may be on this machine or a private network",
  ),
  webhookSecret: setting(
    "PETSTORE_MESSAGES_WEBHOOK_SECRET",
    "whsec",
    undefined,
    "secret that signs deliveries; unset: one is generated and stored",
  ),
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;
export type Flags = Readonly<Partial<Record<SettingName, string>>>;
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Precedence: flag, environment variable, default.
 *
 * @throws ConfigError for an invalid value, or settings that contradict each other
 */
export function loadConfig(flags: Flags, environment: Environment = process.env): Config {
  const text = (name: SettingName): string | undefined =>
    // An empty variable counts as unset: compose files and unit files unset a variable so.
    flags[name] ?? (environment[SETTINGS[name].variable] || SETTINGS[name].default);
  const read = <Value>(
    name: SettingName,
    expected: string,
    parse: (given: string) => Value | undefined,
  ): Value => {
    const value = parse(text(name) ?? "");
    if (value === undefined) throw refused(name, expected, flags);
    return value;
  };
  const maybe = <Value>(name: SettingName, expected: string, parse: (given: string) => Value | undefined) =>
    text(name) === undefined ? undefined : read(name, expected, parse);

  const processes = read("processes", `a number from 1 to ${PROCESSES_MAX}`, integerIn(1, PROCESSES_MAX));
  if (processes > 1 && text("databaseUrl") === undefined) {
    throw new ConfigError(
      `${given("processes", flags)} must be 1 on the embedded database, which one process writes. ` +
        `To run more, set ${SETTINGS.databaseUrl.variable} to a PostgreSQL address.`,
    );
  }
  const webhookUrl = maybe("webhookUrl", "an http or https URL", parseUrl);
  const webhookPrivate = read("webhookPrivate", PRIVATE_DESTINATIONS.join(" or "), (given) =>
    oneOf(PRIVATE_DESTINATIONS, given),
  );
  if (webhookUrl !== undefined && webhookPrivate === "refuse") requirePublicWebhook(webhookUrl, flags);
  return {
    host: read("host", "an address of this machine, such as 127.0.0.1", nonEmpty),
    productionPort: read("productionPort", PORT, parsePort),
    stagingPort: read("stagingPort", PORT, parsePort),
    messagesPort: read("messagesPort", PORT, parsePort),
    metricsPort: read("metricsPort", PORT, parsePort),
    metricsHost: read("metricsHost", "an address of this machine, such as 127.0.0.1", nonEmpty),
    isMetricsPortChosen: Boolean(flags.metricsPort ?? environment[SETTINGS.metricsPort.variable]),
    productionUrl: maybe("productionUrl", VERSIONED_URL, parseVersionedUrl),
    stagingUrl: maybe("stagingUrl", VERSIONED_URL, parseVersionedUrl),
    messagesUrl: maybe("messagesUrl", BASE_URL, parseBaseUrl),
    dataDir: read("dataDir", "a folder", nonEmpty),
    databaseUrl: maybe("databaseUrl", "a postgres:// address", parseDatabaseUrl),
    signUp: read("signUp", "open or closed", (given) => oneOf(SIGN_UP, given)),
    trustedProxies: maybe(
      "trustedProxies",
      "IP addresses or networks, separated by commas, such as 10.0.0.0/8,::1",
      parseProxies,
    ),
    rateLimit: maybe("rateLimit", "requests/seconds, such as 600/60s", parseRateLimit),
    maxBodyBytes: read(
      "maxBodyBytes",
      `a number of bytes from 1 to ${BODY_BYTES_MAX}`,
      integerIn(1, BODY_BYTES_MAX),
    ),
    processes,
    isSupervised: environment[SUPERVISED] === "1",
    logLevel: read("logLevel", `one of ${LOG_LEVELS.join(", ")}`, (given) => oneOf(LOG_LEVELS, given)),
    webhookUrl,
    webhookPrivate,
    webhookSecret: maybe("webhookSecret", "whsec_ followed by 24 to 64 bytes in base64", parseWebhookSecret),
    traces: readTraces(environment),
  };
}

/** Refuses a private IP address at start; a name is resolved and checked at each delivery. */
function requirePublicWebhook(url: string, flags: Flags): void {
  const { hostname } = new URL(url);
  if (!isPrivateHost(hostname)) return;
  throw new ConfigError(
    `${given("webhookUrl", flags)} leads to ${hostname}, which is private. ` +
      `Set ${SETTINGS.webhookPrivate.variable}=allow to deliver messages there.`,
  );
}

function readTraces(environment: Environment): ExporterConfig | undefined {
  const traces = readExporterConfig(environment);
  if (traces !== undefined && parseUrl(traces.url) === undefined)
    throw new ConfigError("OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL.");
  return traces;
}

/** Set by the supervisor for its workers; not a setting. */
const SUPERVISED = "PETSTORE_SUPERVISED";

/** The environment of a worker process. */
export function supervisedEnvironment(): Record<string, string | undefined> {
  return { ...process.env, [SUPERVISED]: "1" };
}

/** The environment variables of the remote commands; the service itself reads none of them. */
export function readRemoteSettings(environment: Environment = process.env) {
  return {
    key: environment["PETSTORE_KEY"] || undefined,
    url: environment["PETSTORE_URL"] || undefined,
    messagesUrl: environment["PETSTORE_MESSAGES_URL"] || undefined,
    /** The folder for configuration files of the user (XDG Base Directory). */
    configHome: environment["XDG_CONFIG_HOME"] || join(environment["HOME"] || homedir(), ".config"),
  } as const;
}

/** `NO_COLOR` (no-color.org), or a terminal without colours. */
export function isColourless(environment: Environment = process.env): boolean {
  return Boolean(environment["NO_COLOR"]) || environment["TERM"] === "dumb";
}

const PORT = "a port from 0 to 65535";
export const VERSIONED_URL = "an http or https URL that ends in /v1";
export const BASE_URL = "an http or https URL";

function refused(name: SettingName, expected: string, flags: Flags): ConfigError {
  return new ConfigError(`${given(name, flags)} must be ${expected}.`);
}

/** The flag or the variable, by which of them set the value. */
function given(name: SettingName, flags: Flags): string {
  return flags[name] === undefined ? SETTINGS[name].variable : (SETTINGS[name].flag.split(" ")[0] ?? "");
}

function nonEmpty(text: string): string | undefined {
  return text.trim() === "" ? undefined : text;
}

function oneOf<const Words extends readonly string[]>(words: Words, text: string): Words[number] | undefined {
  return words.find((word) => word === text);
}

function integerIn(minimum: number, maximum: number) {
  return (text: string): number | undefined => {
    const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
    return value >= minimum && value <= maximum ? value : undefined;
  };
}

const parsePort = integerIn(0, 65_535);

function parseUrl(text: string): string | undefined {
  const url = URL.parse(text);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.hash === "";
  return isPlain ? text.replace(/\/+$/, "") : undefined;
}

function parseDatabaseUrl(text: string): string | undefined {
  const url = URL.parse(text);
  return url !== null && /^postgres(ql)?:$/.test(url.protocol) && url.hostname !== "" ? text : undefined;
}

/** A base address for links: without a query, a fragment or credentials. */
export function parseBaseUrl(text: string): string | undefined {
  const url = /^[\x21-\x7e]+$/.test(text) ? URL.parse(text) : null;
  if (url === null || parseUrl(text) === undefined || url.search !== "" || url.username !== "")
    return undefined;
  return url.href.replace(/\/+$/, "");
}

export function parseVersionedUrl(text: string): string | undefined {
  const url = parseBaseUrl(text);
  return url?.endsWith("/v1") ? url : undefined;
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

function parseWebhookSecret(text: string): string | undefined {
  const bytes = Buffer.from(text.replace(/^whsec_/, ""), "base64").length;
  return text.startsWith("whsec_") && bytes >= 24 && bytes <= 64 ? text : undefined;
}
