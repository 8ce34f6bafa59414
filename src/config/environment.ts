import { homedir } from "node:os";
import { join } from "node:path";
import { RUNTIME_SETTINGS, withRuntimeSettings } from "../../bin/runtime.js";
import type { BucketAccess } from "../platform/bucket-url.ts";
import { withLibpqVariables } from "../platform/database-url.ts";
import { readVariables } from "../platform/environment-variables.ts";
import { ConfigError, VARIABLES } from "./settings.ts";
import { BASE_URL, WEBHOOK_SECRET } from "./values.ts";

// Environment variables that are not settings of the service.

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** The variable that a supervisor sets for its worker processes. */
export const SUPERVISED = "PETSTORE_SUPERVISED";
const REMOTE_SECRETS = ["PETSTORE_KEY", "PETSTORE_LISTEN_SECRET"];

/**
 * Returns the names of Bun's environment variables that should be set but are not. The systemd unit and the container image set
 * them, so they are missing only if somebody has started the executable directly.
 */
export function missingRuntimeSettings(environment: EnvironmentVariables = process.env): readonly string[] {
  return Object.keys(RUNTIME_SETTINGS).filter((name) => !environment[name]);
}

/** Adds the TLS parameters in libpq's environment variables (PGSSLMODE, …) to a database URL, unless the URL already has them. */
export function withTlsVariables(url: string, environment: EnvironmentVariables = process.env): string {
  return withLibpqVariables(url, environment);
}

/**
 * Returns the environment variables for a worker process: the variables of this process, and one that marks the new process as a
 * worker.
 */
export function supervisedEnvironment(): Record<string, string | undefined> {
  return { ...withRuntimeSettings(process.env), [SUPERVISED]: "1" };
}

/** Returns the environment variables of this process, except `PETSTORE_…`, for a command that receives all settings as flags. */
export function environmentWithoutSettings(): Record<string, string | undefined> {
  const variables = Object.entries(withRuntimeSettings(process.env));
  return Object.fromEntries(variables.filter(([name]) => !name.startsWith("PETSTORE_")));
}

/**
 * Reads the environment variables for the remote commands, which call a running service over HTTP.
 *
 * @throws ConfigError if a variable is misspelt, or the file with a secret cannot be read
 */
export function readRemoteSettings(variables: EnvironmentVariables = process.env) {
  const { environment, mistakes } = readVariables(variables, REMOTE_SECRETS, VARIABLES);
  if (mistakes.length > 0) throw new ConfigError(mistakes.join("\n"));
  const listenSecret = environment["PETSTORE_LISTEN_SECRET"] || undefined;
  if (listenSecret !== undefined && WEBHOOK_SECRET.parse(listenSecret) === undefined)
    throw new ConfigError(`PETSTORE_LISTEN_SECRET must be ${WEBHOOK_SECRET.expected}.`);
  return {
    /** The secret that `petstore listen` uses to sign the events it forwards. */
    listenSecret,
    key: environment["PETSTORE_KEY"] || undefined,
    url: environment["PETSTORE_URL"] || undefined,
    messagesUrl: environment["PETSTORE_MESSAGES_URL"] || undefined,
    browser: environment["BROWSER"] || undefined,
    /** True if a graphical display (X11 or Wayland) is available, so that a browser can be opened. */
    hasDesktop: Boolean(environment["DISPLAY"] || environment["WAYLAND_DISPLAY"]),
    /** The folder for the user's configuration files (XDG Base Directory). */
    configHome: environment["XDG_CONFIG_HOME"] || join(environment["HOME"] || homedir(), ".config"),
  } as const;
}

/**
 * Reads the access keys and the address of an S3-compatible object store from the usual environment variables (`AWS_…`).
 *
 * @throws ConfigError if a variable is missing or invalid
 */
export function readBucketAccess(environment: EnvironmentVariables = process.env): BucketAccess {
  const { access, mistakes } = parseBucketAccess(environment);
  if (mistakes.length > 0) throw new ConfigError(mistakes.map((mistake) => `A bucket ${mistake}`).join("\n"));
  return access;
}

/**
 * Returns the access keys and the address of an object store, and a description of each mistake. A description is the end of a
 * sentence that begins with the name of a setting: "needs AWS_REGION."
 */
export function parseBucketAccess(environment: EnvironmentVariables) {
  const region = environment["AWS_REGION"] || environment["AWS_DEFAULT_REGION"] || "us-east-1";
  const given = environment["AWS_ENDPOINT_URL_S3"] || environment["AWS_ENDPOINT_URL"];
  const endpoint = given ? BASE_URL.parse(given) : `https://s3.${region}.amazonaws.com`;
  const accessKeyId = environment["AWS_ACCESS_KEY_ID"] ?? "";
  const secretAccessKey = environment["AWS_SECRET_ACCESS_KEY"] ?? "";
  const sessionToken = environment["AWS_SESSION_TOKEN"] ?? "";
  const mistakes = [
    ...(accessKeyId && secretAccessKey ? [] : ["needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."]),
    ...(/^[a-z0-9-]+$/.test(region)
      ? []
      : ["needs the region of the bucket in AWS_REGION, such as eu-central-1."]),
    ...(endpoint === undefined ? ["needs an http or https URL in AWS_ENDPOINT_URL_S3."] : []),
  ];
  return {
    access: { accessKeyId, secretAccessKey, sessionToken, region, endpoint: endpoint ?? "" },
    mistakes,
  };
}

const LOOPBACK = "localhost,127.0.0.1,::1";

/**
 * Adds this machine to `NO_PROXY`. Requests to a local service contain an API key, so they must never go to a proxy. Call this
 * before the first request.
 */
export function bypassProxyForLoopback(environment: Record<string, string | undefined> = process.env): void {
  const given = environment["no_proxy"] || environment["NO_PROXY"];
  if (given?.trim() === "*") return;
  // Sets both `no_proxy` and `NO_PROXY`, because Bun prefers the variable in lower case.
  for (const name of ["no_proxy", "NO_PROXY"])
    environment[name] = given === undefined ? LOOPBACK : `${given},${LOOPBACK}`;
}

/** True if the output must have no colours, because `NO_COLOR` is set (no-color.org) or because the terminal has none. */
export function isColourless(environment: EnvironmentVariables = process.env): boolean {
  return Boolean(environment["NO_COLOR"]) || environment["TERM"] === "dumb";
}

/** Returns the language of the user's terminal (POSIX), such as `pl_PL.UTF-8`. */
export function readLanguage(environment: EnvironmentVariables = process.env): string {
  return environment["LC_ALL"] || environment["LC_CTYPE"] || environment["LANG"] || "";
}

/**
 * Returns the width of help texts, in characters: `COLUMNS` if it is set, otherwise the width of the terminal, and 80 if there is
 * no terminal. It is never less than 40.
 */
export function readHelpWidth(environment: EnvironmentVariables = process.env): number {
  return Math.max(40, Number(environment["COLUMNS"]) || process.stdout.columns || 80);
}
