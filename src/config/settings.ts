import { CONNECTIONS_DEFAULT } from "../limits.ts";
import { LOG_LEVELS } from "../telemetry/logger.ts";

export const BODY_BYTES_DEFAULT = 65_536; // default of `PETSTORE_MAX_BODY_BYTES`; a larger body is answered with 413
const HISTORY_DAYS_DEFAULT = 90; // default of `PETSTORE_HISTORY_DAYS`; older events are deleted

/**
 * Declares a setting: its environment variable, and its flag in commander's syntax. The flag's name is derived from the name of the
 * variable: `PETSTORE_DATA_DIR` becomes `--data-dir <dir>`.
 */
function setting(variable: string, value: string, meaning: string, fallback?: string) {
  const flag = variable.replace("PETSTORE_", "").toLowerCase().replaceAll("_", "-");
  return { variable, flag: `--${flag} <${value}>`, meaning, default: fallback };
}

export const SETTINGS = {
  host: setting(
    "PETSTORE_HOST",
    "address",
    "host name or IP address on which the services accept connections",
    "127.0.0.1",
  ),
  productionPort: setting(
    "PETSTORE_PRODUCTION_PORT",
    "port",
    "port of production; 0 picks a free port",
    "8080",
  ),
  stagingPort: setting("PETSTORE_STAGING_PORT", "port", "port of staging", "8081"),
  messagesPort: setting("PETSTORE_MESSAGES_PORT", "port", "port of the message service", "8082"),
  metricsPort: setting(
    "PETSTORE_METRICS_PORT",
    "port",
    "port on which Prometheus can read the metrics",
    "8090",
  ),
  metricsHost: setting(
    "PETSTORE_METRICS_HOST",
    "address",
    "host name or IP address on which the metrics can be read",
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
    "public base address of the message service, such as https://messages.example.com",
  ),
  dataDir: setting("PETSTORE_DATA_DIR", "dir", "folder that contains the SQLite databases", "./data"),
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
    "addresses of PostgreSQL standby servers to read from, separated by commas",
  ),
  databaseSchemaPrefix: setting(
    "PETSTORE_DATABASE_SCHEMA_PREFIX",
    "prefix",
    "text to put before the names of petstore's four database schemas, such as shopa_, so that several stores can share a PostgreSQL database",
  ),
  databaseConnections: setting(
    "PETSTORE_DATABASE_CONNECTIONS",
    "count",
    "maximum number of connections that each process opens to the PostgreSQL server",
    String(CONNECTIONS_DEFAULT),
  ),
  processes: setting(
    "PETSTORE_PROCESSES",
    "count",
    "number of processes that answer requests; a number above 1 needs PostgreSQL",
    "1",
  ),
  signUp: setting(
    "PETSTORE_SIGN_UP",
    "invite|open|closed",
    "who can create accounts: people with an invitation (invite), everybody who can reach the console (open), or only the operator, on the command line (closed)",
    "invite",
  ),
  smtpUrl: setting(
    "PETSTORE_SMTP_URL",
    "url",
    "mail server that sends invitations and links for new passwords, such as smtps://user:password@example.com; if not set, no emails are sent",
  ),
  mailFrom: setting(
    "PETSTORE_MAIL_FROM",
    "address",
    "sender of all emails from petstore, such as petstore <pets@example.com>",
  ),
  oidcIssuer: setting(
    "PETSTORE_OIDC_ISSUER",
    "url",
    "issuer of the OpenID Connect provider that people can sign in with, such as https://accounts.google.com; if not set, people sign in without a provider",
  ),
  oidcClientId: setting(
    "PETSTORE_OIDC_CLIENT_ID",
    "id",
    "client ID that the OpenID Connect provider has given to petstore",
  ),
  oidcClientSecret: setting(
    "PETSTORE_OIDC_CLIENT_SECRET",
    "secret",
    "client secret that the OpenID Connect provider has given to petstore",
  ),
  trustedProxies: setting(
    "PETSTORE_TRUSTED_PROXIES",
    "addresses",
    "proxies whose `X-Forwarded-For` is trusted, such as 10.0.0.0/8,::1",
  ),
  rateLimit: setting(
    "PETSTORE_RATE_LIMIT",
    "requests/seconds",
    "maximum number of requests that one process accepts from one API key, such as 600/60s (600 in 60 seconds); if not set, there is no limit",
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
    "folder, or s3://bucket/prefix, for automatic backups; if not set, no backups are made",
  ),
  backupEvery: setting(
    "PETSTORE_BACKUP_EVERY",
    "time",
    "time between automatic backups, such as 15m, 1h or 1d",
    "1h",
  ),
  backupKeep: setting(
    "PETSTORE_BACKUP_KEEP",
    "count",
    "how many automatic backups are kept; older ones are removed",
    "48",
  ),
  historyDays: setting(
    "PETSTORE_HISTORY_DAYS",
    "days",
    "number of days for which events are kept before they are deleted; 0 keeps all events",
    String(HISTORY_DAYS_DEFAULT),
  ),
  logLevel: setting("PETSTORE_LOG", LOG_LEVELS.join("|"), `log level: ${LOG_LEVELS.join(", ")}`, "info"),
  messagesWebhookUrl: setting(
    "PETSTORE_MESSAGES_WEBHOOK",
    "url",
    "URL that messages are delivered to; if not set, messages are only stored, and people can read them in the console",
  ),
  messagesWebhookPrivate: setting(
    "PETSTORE_MESSAGES_WEBHOOK_PRIVATE",
    "refuse|allow",
    "whether messages may be delivered to this machine or to a private network",
    "refuse",
  ),
  messagesWebhookSecret: setting(
    "PETSTORE_MESSAGES_WEBHOOK_SECRET",
    "whsec",
    "secret key for the signatures of the webhook that receives messages; if not set, the service generates a key and stores it",
  ),
  webhooksPrivate: setting(
    "PETSTORE_WEBHOOKS_PRIVATE",
    "refuse|allow",
    "whether events may be delivered to this machine or to a private network, and over plain http",
    "refuse",
  ),
} as const;

export type SettingName = keyof typeof SETTINGS;
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];
export type Flags = Readonly<Partial<Record<SettingName, string>>>;

/**
 * All environment variables whose names begin with `PETSTORE_`: the settings of the service, and the variables of the remote
 * commands.
 */
export const VARIABLES: readonly string[] = [
  ...Object.values(SETTINGS).map(({ variable }) => variable),
  "PETSTORE_KEY",
  "PETSTORE_URL",
  "PETSTORE_LISTEN_SECRET",
];

/**
 * The settings that contain a password or a key. Each can also be read from a file. The variable for the path of that file has the
 * setting's name with `_FILE` at the end.
 */
export const SECRETS: readonly string[] = [
  SETTINGS.databaseUrl,
  SETTINGS.databaseDirectUrl,
  SETTINGS.databaseReplicas,
  SETTINGS.messagesWebhookSecret,
  SETTINGS.oidcClientSecret,
  SETTINGS.smtpUrl,
].map(({ variable }) => variable);

/** Thrown for invalid settings. The message has one line for each invalid setting, with its name and its valid values. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
