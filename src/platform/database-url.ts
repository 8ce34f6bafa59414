import { isLoopbackHost } from "./ip-address.ts";

/** The URL of one or more database servers (libpq, "Connection URIs"). */
interface DatabaseUrl {
  /** The scheme of the URL, without a colon. */
  readonly scheme: string;
  /** One URL for each server, with the TLS parameters for that server, which always include `sslmode`. */
  readonly servers: readonly string[];
  /** The hosts and the path of the URL, without user and password, as they appear in messages. */
  readonly shown: string;
  /**
   * The reason why a parameter is invalid: a sentence without its subject, which is the name of the parameter. Absent if all
   * parameters are valid.
   */
  readonly refusal?: string;
}

const UNENFORCED = ["disable", "allow", "prefer"];
const SSL_MODES = [...UNENFORCED, "require", "verify-ca", "verify-full"];

/**
 * The supported parameters of a database URL, each with its valid values, or "any". `target_session_attrs` has only one valid
 * value, because the target is always the writable server.
 */
const PARAMETERS: Readonly<Record<string, readonly string[] | "any">> = {
  sslmode: SSL_MODES,
  sslrootcert: "any",
  sslcert: "any",
  sslkey: "any",
  channel_binding: ["disable", "prefer", "require"],
  target_session_attrs: ["read-write"],
};

/** The environment variables of libpq. Each contains the default value of a URL parameter. */
const LIBPQ_VARIABLES: Readonly<Record<string, string>> = {
  PGSSLMODE: "sslmode",
  PGSSLROOTCERT: "sslrootcert",
  PGSSLCERT: "sslcert",
  PGSSLKEY: "sslkey",
  PGCHANNELBINDING: "channel_binding",
};

const DATABASE_URL = /^(([a-z]+):\/\/(?:[^/?#]*@)?)([^/?#@]+)(\/[^?#]*)?(?:\?([^#]*))?$/;

export function parseDatabaseUrl(text: string): DatabaseUrl | undefined {
  const [, start, scheme, hosts, path = "", search] = DATABASE_URL.exec(text) ?? [];
  if (start === undefined || scheme === undefined || hosts === undefined) return undefined;
  if (!isDecodable(start + path)) return undefined;
  const parameters = new URLSearchParams(search);
  const refusal = refusalOf(parameters);
  const servers = hosts.split(",").map((host) => `${start}${host}${path}`);
  if (servers.some((server) => (URL.parse(server)?.hostname ?? "") === "")) return undefined;
  return {
    scheme,
    servers: servers.map((server) => `${server}?${tlsOf(parameters, new URL(server))}`),
    shown: `${hosts}${path}`,
    ...(refusal && { refusal }),
  };
}

/**
 * Adds the parameters in libpq's environment variables to a URL. A URL whose own `sslmode` does not require TLS stays unchanged.
 */
export function withLibpqVariables(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const [, , , , , search] = DATABASE_URL.exec(text) ?? [];
  const parameters = new URLSearchParams(search);
  if (UNENFORCED.includes(parameters.get("sslmode") ?? "")) return text;
  const added = new URLSearchParams();
  for (const [variable, name] of Object.entries(LIBPQ_VARIABLES)) {
    const value = environment[variable];
    if (value && !parameters.has(name)) added.set(name, value);
  }
  return added.size === 0 ? text : `${text}${search === undefined ? "?" : "&"}${added}`;
}

/** True if a server is on this machine: at a loopback address, or at a Unix socket. */
export function isLocalServer({ hostname }: URL): boolean {
  return isLoopbackHost(hostname) || /^(%2f|\/)/i.test(hostname);
}

/**
 * Determines the TLS parameters for a server. Without `sslmode`, TLS is used if the server supports it, but not for a server on
 * this machine. If there is a root certificate, the server's certificate is verified. If the TLS handshake or the verification
 * fails, the connection fails too, and never becomes unencrypted.
 */
function tlsOf(given: URLSearchParams, server: URL): URLSearchParams {
  const files = ["sslrootcert", "sslcert", "sslkey", "channel_binding"];
  const parameters = new URLSearchParams(
    [...given].filter(([name, value]) => files.includes(name) && value !== ""),
  );
  const isEnforced = parameters.has("sslcert") || parameters.get("channel_binding") === "require";
  const root = parameters.get("sslrootcert");
  let mode = given.get("sslmode");
  if (root !== null) mode ??= "verify-full";
  mode ??= isLocalServer(server) ? "disable" : "prefer";
  if (isEnforced && UNENFORCED.includes(mode)) mode = "require";
  // In libpq, `require` with a root certificate means `verify-ca`: the certificate is verified, but not the host name. The driver
  // would verify the host name, too.
  if (root !== null && mode === "require") mode = "verify-ca";
  return new URLSearchParams([["sslmode", mode], ...parameters]);
}

function refusalOf(parameters: URLSearchParams): string | undefined {
  for (const [name, value] of parameters) {
    const values = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined;
    if (values === undefined)
      return `has the parameter ${name}, which petstore does not support. The supported parameters are ${listed(Object.keys(PARAMETERS))}.`;
    if (parameters.getAll(name).length > 1) return `has the parameter ${name} twice.`;
    if (values !== "any" && !values.includes(value))
      return `has ${name}=${value}, but ${name} must be one of ${values.join(", ")}.`;
    if (value === "") return `has ${name} without a file. Set ${name} to a file, or leave out ${name}.`;
  }
  return contradictionOf(parameters);
}

function contradictionOf(parameters: URLSearchParams): string | undefined {
  const mode = parameters.get("sslmode") ?? "verify-full";
  const root = parameters.get("sslrootcert");
  if (parameters.has("sslcert") !== parameters.has("sslkey"))
    return "needs both sslcert and sslkey, or neither.";
  if (root === "system" && mode !== "verify-full")
    return `has sslmode=${mode} with sslrootcert=system, which allows only verify-full, because anybody can get a certificate from a public authority.`;
  const demanding = ["sslrootcert", "sslcert"].find((name) => parameters.has(name));
  if (demanding !== undefined && UNENFORCED.includes(mode))
    return `has ${demanding} with sslmode=${mode}, which does not require TLS. Use require, verify-ca or verify-full.`;
  if (mode === "disable" && parameters.get("channel_binding") === "require")
    return "has channel_binding=require with sslmode=disable, but channel binding needs TLS.";
  return undefined;
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** True if the driver can decode the user, the password and the database in a URL. */
function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== "";
  } catch {
    return false;
  }
}
