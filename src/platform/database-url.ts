/** A URL of one or several database servers (libpq, "Connection URIs"). */
interface DatabaseUrl {
  /** Scheme of the URL, without its colon. */
  readonly scheme: string;
  readonly servers: readonly string[];
  /** Hosts and path of the URL, without user and password. */
  readonly shown: string;
  /** Description of an invalid parameter, as a sentence without its subject. */
  readonly refusal?: string;
}

const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];
/** Supported parameters of a database URL, with their values. Only a writable server is ever used. */
const PARAMETERS = new Map([
  ["sslmode", SSL_MODES],
  ["target_session_attrs", ["read-write"]],
]);

const DATABASE_URL = /^(([a-z]+):\/\/(?:[^/?#]*@)?)([^/?#@]+)(\/[^?#]*)?(?:\?([^#]*))?$/;

export function parseDatabaseUrl(text: string): DatabaseUrl | undefined {
  const [, start, scheme, hosts, path = "", search] = DATABASE_URL.exec(text) ?? [];
  if (start === undefined || scheme === undefined || hosts === undefined) return undefined;
  if (!isDecodable(start + path)) return undefined;
  const parameters = new URLSearchParams(search);
  const refusal = refusalOf(parameters);
  const mode = parameters.get("sslmode");
  const servers = hosts
    .split(",")
    .map((host) => `${start}${host}${path}${mode === null ? "" : `?sslmode=${mode}`}`);
  if (servers.some((server) => (URL.parse(server)?.hostname ?? "") === "")) return undefined;
  return { scheme, servers, shown: `${hosts}${path}`, ...(refusal && { refusal }) };
}

function refusalOf(parameters: URLSearchParams): string | undefined {
  for (const [name, value] of parameters) {
    const values = PARAMETERS.get(name);
    if (values === undefined)
      return `has the parameter ${name}, which would have no effect. It takes ${[...PARAMETERS.keys()].join(" and ")}.`;
    if (parameters.getAll(name).length > 1) return `has ${name} twice.`;
    if (!values.includes(value)) return `has ${name}=${value}; it takes ${values.join(", ")}.`;
  }
  return undefined;
}

/** True if the driver can decode user, password and database of a URL. */
function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== "";
  } catch {
    return false;
  }
}
