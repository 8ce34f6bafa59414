import { type Refuse, refuseContradictions, refuseIncomplete } from "./config/contradictions.ts";
import { type EnvironmentVariables, SUPERVISED } from "./config/environment.ts";
import {
  ConfigError,
  type Flags,
  SECRETS,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  VARIABLES,
} from "./config/settings.ts";
import * as values from "./config/values.ts";
import type { ServiceName } from "./context.ts";
import { isServiceLink, readVariables } from "./platform/environment-variables.ts";

export type Config = Readonly<ReturnType<typeof loadConfig>>;

/**
 * Loads all settings of the service. A flag takes precedence over an environment variable. A setting that has neither gets its
 * default. On hosting platforms, the host and the port come from `PORT` instead of the default.
 *
 * @param services the services that the command starts or calls; `PORT` is used only if there is exactly one
 * @throws ConfigError that lists all misspelt variables, invalid values and contradictory settings
 */
export function loadConfig(
  flags: Flags,
  variables: EnvironmentVariables = process.env,
  services: readonly ServiceName[] = [],
) {
  const { environment, mistakes, warnings } = readVariables(variables, SECRETS, VARIABLES);
  const { textOf, isChosen, refuse, required, optional } = readSettings(
    flags,
    environment,
    services,
    mistakes,
  );
  const config = {
    host: required("host", values.HOST),
    productionPort: required("productionPort", values.PORT),
    stagingPort: required("stagingPort", values.PORT),
    messagesPort: required("messagesPort", values.PORT),
    metricsPort: required("metricsPort", values.PORT),
    metricsHost: required("metricsHost", values.HOST),
    /** True if the operator has set the metrics port. Otherwise, a process that runs only one service opens no metrics port. */
    isMetricsPortChosen: isChosen("metricsPort"),
    productionUrl: optional("productionUrl", values.STORE_URL),
    stagingUrl: optional("stagingUrl", values.STORE_URL),
    messagesUrl: optional("messagesUrl", values.MESSAGES_URL),
    dataDir: required("dataDir", values.FOLDER),
    databaseUrl: optional("databaseUrl", values.postgresUrl(environment)),
    databaseDirectUrl: optional("databaseDirectUrl", values.postgresUrl(environment)),
    databaseReplicas: optional("databaseReplicas", values.postgresUrls(environment)),
    databaseSchemaPrefix: optional("databaseSchemaPrefix", values.SCHEMA_PREFIX) ?? "",
    databaseConnections: required("databaseConnections", values.DATABASE_CONNECTIONS),
    signUp: required("signUp", values.SIGN_UP_POLICY),
    smtpUrl: optional("smtpUrl", values.SMTP_URL),
    mailFrom: optional("mailFrom", values.MAIL_SENDER),
    oidcIssuer: optional("oidcIssuer", values.ISSUER),
    oidcClientId: optional("oidcClientId", values.TEXT),
    oidcClientSecret: optional("oidcClientSecret", values.TEXT),
    trustedProxies: optional("trustedProxies", values.PROXIES),
    rateLimit: optional("rateLimit", values.RATE_LIMIT),
    maxBodyBytes: required("maxBodyBytes", values.BODY_BYTES),
    processes: required("processes", values.PROCESSES),
    /** True in a worker process that a supervisor has started. */
    isSupervised: environment[SUPERVISED] === "1",
    backupDir: optional("backupDir", values.BACKUP_PLACE),
    /** The interval of scheduled backups, in milliseconds. */
    backupEvery: required("backupEvery", values.BACKUP_INTERVAL),
    backupKeep: required("backupKeep", values.BACKUP_COUNT),
    historyDays: required("historyDays", values.HISTORY_DAYS),
    logLevel: required("logLevel", values.LOG_LEVEL),
    messagesWebhookUrl: optional("messagesWebhookUrl", values.WEBHOOK_URL),
    messagesWebhookPrivate: required("messagesWebhookPrivate", values.DESTINATION_POLICY),
    messagesWebhookSecret: optional("messagesWebhookSecret", values.WEBHOOK_SECRET),
    webhooksPrivate: required("webhooksPrivate", values.DESTINATION_POLICY),
    /**
     * The name of the hosting platform, if it is one that deletes an instance's files when the instance stops. Otherwise undefined.
     */
    forgetfulPlatform: FORGETFUL_PLATFORMS.find(([variable]) => environment[variable])?.[1],
    warnings,
  } satisfies Record<SettingName, unknown> & Record<string, unknown>;
  // An invalid database address is passed on as unparsed text. Without the text, this check would report the address as missing,
  // although it is only invalid.
  refuseContradictions({ ...config, databaseUrl: config.databaseUrl ?? textOf("databaseUrl") }, refuse);
  refuseIncomplete(config, environment, services, { textOf, refuse });
  if (mistakes.length > 0) throw new ConfigError(mistakes.join("\n"));
  if (config.signUp === "open") warnings.push(OPEN_SIGN_UP);
  if (services.length > 1 && environment["PORT"]) warnings.push(PORT_IGNORED);
  return config;
}

/** Creates the functions that read and parse the settings. They add a line to `mistakes` for each invalid setting. */
function readSettings(
  flags: Flags,
  environment: EnvironmentVariables,
  services: readonly ServiceName[],
  mistakes: string[],
) {
  const variables = variablesOf(environment);
  const platform = platformSettings(environment, variables, services);
  const textOf = (name: SettingName): string | undefined =>
    flags[name] ?? variables[name] ?? platform[name] ?? SETTINGS[name].default;
  /** Returns where the value of a setting comes from: the name of a flag or of an environment variable, or `PORT`. */
  const sourceOf = (name: SettingName) => {
    if (flags[name] !== undefined) return SETTINGS[name].flag.split(" ")[0];
    return platform[name] === undefined ? SETTINGS[name].variable : "PORT";
  };
  const refuse: Refuse = (name, reason) => void mistakes.push(`${sourceOf(name)} ${reason}`);
  const required = <Value>(name: SettingName, { expected, parse }: values.Kind<Value>): Value => {
    const value = parse(textOf(name) ?? "");
    if (value === undefined) refuse(name, `must be ${expected}.`);
    // An invalid text results in undefined. Nothing uses this result, because `loadConfig` then throws an error.
    return value as Value;
  };
  const optional = <Value>(name: SettingName, kind: values.Kind<Value>): Value | undefined =>
    textOf(name) === undefined ? undefined : required(name, kind);
  const isChosen = (name: SettingName) => (flags[name] ?? variables[name]) !== undefined;
  return { textOf, isChosen, refuse, required, optional };
}

/** Returns the settings in environment variables. As in compose files and unit files, an empty value counts as not set. */
function variablesOf(environment: EnvironmentVariables): Flags {
  const given = SETTING_NAMES.map((name) => {
    const { variable } = SETTINGS[name];
    const value = environment[variable];
    return [name, isServiceLink(variable, value) ? undefined : value || undefined] as const;
  });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/**
 * Returns the host and the port for a hosting platform, which sets the variable `PORT`. If the command runs exactly one service,
 * the service listens on this port, on all network interfaces. With several services, `PORT` is ignored.
 */
function platformSettings(
  { PORT: port }: EnvironmentVariables,
  variables: Flags,
  [service, ...others]: readonly ServiceName[],
): Flags {
  if (!port || service === undefined || others.length > 0) return {};
  const portName = `${service}Port` as const;
  return {
    ...(variables[portName] === undefined && { [portName]: port }),
    ...(variables.host === undefined && { host: "0.0.0.0" }),
  };
}

/**
 * Platforms without a permanent disk, and the environment variable that each of them sets (according to their documentation in
 * 2026).
 */
const FORGETFUL_PLATFORMS = [
  ["K_SERVICE", "Cloud Run"],
  ["DYNO", "Heroku"],
] as const;

const PORT_IGNORED =
  "PORT is ignored, because this command starts several services. To run only one service, on this port: petstore serve production";

const OPEN_SIGN_UP = `${SETTINGS.signUp.variable} is open: everybody who can reach the console can create an account. Set this variable to invite, and invite people: petstore accounts invite`;
