import { BlockList, isIP } from "node:net";
import { SIGN_UP } from "../context.ts";
import { BODY_BYTES_MAX } from "../limits.ts";
import { isBucketUrl, parseBucketUrl } from "../platform/bucket-url.ts";
import { parseDatabaseUrl, withLibpqVariables } from "../platform/database-url.ts";
import { parseHttpUrl } from "../platform/http-url.ts";
import { isLoopbackHost, unbracketHost } from "../platform/ip-address.ts";
import { parseMailAddress, parseSmtpUrl } from "../platform/smtp-url.ts";
import { LOG_LEVELS } from "../telemetry/logger.ts";

export interface Kind<Value> {
  /** A description of the valid values. It completes the sentence "PETSTORE_… must be …". */
  readonly expected: string;
  /** Parses the text of a setting. Returns undefined if the text is invalid. */
  readonly parse: (text: string) => Value | undefined;
}

const HISTORY_DAYS_MAX = 36_500; // highest value of `PETSTORE_HISTORY_DAYS`
const CONNECTIONS_MIN = 5; // lowest value of `PETSTORE_DATABASE_CONNECTIONS`: one connection for each of the three connection pools, and two more outside the pools
const CONNECTIONS_MAX = 1_000; // highest value of `PETSTORE_DATABASE_CONNECTIONS`
const PROCESSES_MAX = 64; // highest value of `PETSTORE_PROCESSES`
const BACKUP_INTERVAL_MAX_MS = 7 * 24 * 3_600_000; // highest value of `PETSTORE_BACKUP_EVERY`
const BACKUPS_KEPT_MAX = 100_000; // highest value of `PETSTORE_BACKUP_KEEP`

/** The choice whether webhooks may be sent to this machine and to private networks. */
const PRIVATE_DESTINATIONS = ["refuse", "allow"] as const;
export type PrivateDestinations = (typeof PRIVATE_DESTINATIONS)[number];

export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

function oneOf<Word extends string>(words: readonly Word[], expected: string): Kind<Word> {
  return { expected, parse: (text) => words.find((word) => word === text) };
}

function integerIn(minimum: number, maximum: number, what = "a number"): Kind<number> {
  return {
    expected: `${what} from ${minimum} to ${maximum}`,
    parse(text) {
      const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
      return value >= minimum && value <= maximum ? value : undefined;
    },
  };
}

const nonEmpty = (text: string) => (text.trim() === "" ? undefined : text);

export const PORT = integerIn(0, 65_535, "a port");
export const PROCESSES = integerIn(1, PROCESSES_MAX);
export const DATABASE_CONNECTIONS = integerIn(CONNECTIONS_MIN, CONNECTIONS_MAX);
export const BODY_BYTES = integerIn(1, BODY_BYTES_MAX, "a number of bytes");
export const BACKUP_COUNT = integerIn(1, BACKUPS_KEPT_MAX);
export const HISTORY_DAYS = integerIn(0, HISTORY_DAYS_MAX, "a number of days");
export const SIGN_UP_POLICY = oneOf(SIGN_UP, "invite, open or closed");
export const LOG_LEVEL = oneOf(LOG_LEVELS, `one of ${LOG_LEVELS.join(", ")}`);
export const DESTINATION_POLICY = oneOf(PRIVATE_DESTINATIONS, "refuse or allow");
export const TEXT: Kind<string> = { expected: "not empty", parse: nonEmpty };
export const FOLDER: Kind<string> = { expected: "a folder", parse: nonEmpty };

export const BACKUP_PLACE: Kind<string> = {
  expected: "a folder, or s3://bucket/prefix without spaces",
  parse: (text) => (isBucketUrl(text) ? parseBucketUrl(text) && text : nonEmpty(text)),
};

/**
 * A host to listen on. An IPv6 address can be in brackets, as in a URL. A zone (`%eth0`) is not allowed, because URLs cannot
 * contain one.
 */
export const HOST: Kind<string> = {
  expected:
    "an IP address or a name of this machine, such as 127.0.0.1 or ::1, without a port and without a zone",
  parse(text) {
    const host = unbracketHost(text.trim());
    const isUsable = isIP(host) === 6 ? !host.includes("%") : /^[A-Za-z0-9._-]+$/.test(host);
    return isUsable ? host : undefined;
  },
};

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses an interval such as `15m` into milliseconds. */
export const BACKUP_INTERVAL: Kind<number> = {
  expected: `a duration of at most ${BACKUP_INTERVAL_MAX_MS / 86_400_000}d, such as 15m, 1h or 1d`,
  parse(text) {
    const [, count = "", unit = ""] = /^([1-9][0-9]{0,5})([smhd])$/.exec(text) ?? [];
    const milliseconds = Number(count) * (UNIT_MS[unit] ?? 0);
    return milliseconds > 0 && milliseconds <= BACKUP_INTERVAL_MAX_MS ? milliseconds : undefined;
  },
};

export const WEBHOOK_URL: Kind<string> = {
  expected: "an http or https URL",
  parse: (text) => parseHttpUrl(text) && text.replace(/\/+$/, ""),
};

/**
 * A setting whose value is a base URL. The service appends paths to this URL, so it has no query, no fragment and no user name.
 */
export const BASE_URL: Kind<string> = {
  expected: "an http or https URL",
  parse(text) {
    const url = /^[\x21-\x7e]+$/.test(text) ? URL.parse(text) : null;
    if (url === null || parseHttpUrl(text) === undefined) return undefined;
    if (/[?#]/.test(text) || url.username + url.password !== "") return undefined;
    return url.href.replace(/\/+$/, "");
  },
};

export const VERSIONED_URL: Kind<string> = {
  expected: "an http or https URL that ends in /v1",
  parse(text) {
    const url = BASE_URL.parse(text);
    return url?.endsWith("/v1") ? url : undefined;
  },
};

/**
 * Creates the definition of a setting whose value is a public URL. The path of the URL is fixed, because the console's pages and
 * links contain it. The operator chooses only the rest.
 */
function publicUrl(path: string): Kind<string> {
  const form = path === "" ? "has no path" : `consists of a host and the path ${path}`;
  return {
    expected: `an http or https URL that ${form}, such as https://pets.example.com${path}`,
    parse(text) {
      const url = BASE_URL.parse(text);
      return url !== undefined && url === new URL(url).origin + path ? url : undefined;
    },
  };
}
export const STORE_URL = publicUrl("/v1");
export const MESSAGES_URL = publicUrl("");

/**
 * The URL of an identity provider. It is kept exactly as written, including any slash at the end, because issuers are compared
 * character by character.
 */
export const ISSUER: Kind<string> = {
  expected: "an https URL without a query, or an http URL of this machine",
  parse(text) {
    const url = BASE_URL.parse(text);
    if (url === undefined) return undefined;
    return url.startsWith("https:") || isLoopbackHost(unbracketHost(new URL(url).hostname))
      ? text
      : undefined;
  },
};

export const SMTP_URL = {
  expected: "smtps://user:password@host, or smtp://… for STARTTLS",
  parse: parseSmtpUrl,
};
export const MAIL_SENDER = {
  expected: "an address, such as petstore <pets@example.com>",
  parse: parseMailAddress,
};

/**
 * The address of a PostgreSQL database. @param variables environment variables, which supply TLS parameters that are not in the
 * address (PGSSLMODE, …)
 */
export function postgresUrl(variables: Readonly<Record<string, string | undefined>>): Kind<string> {
  return {
    expected: "a postgres:// address",
    parse: (text) =>
      /^postgres(ql)?$/.test(parseDatabaseUrl(text)?.scheme ?? "")
        ? withLibpqVariables(text, variables)
        : undefined,
  };
}

/** The addresses of several PostgreSQL servers, separated by commas. */
export function postgresUrls(
  variables: Readonly<Record<string, string | undefined>>,
): Kind<readonly string[]> {
  return {
    expected: "postgres:// addresses, each of one server, separated by commas",
    parse(text) {
      const urls = text.split(/,(?=[a-z]+:)/).map((url) => postgresUrl(variables).parse(url.trim()));
      const parsed = urls.map((url) => parseDatabaseUrl(url ?? ""));
      const servers = parsed.flatMap((each) => (each?.refusal === undefined ? (each?.servers ?? []) : []));
      const areUsable = servers.length === urls.length && parsed.every((each) => each?.servers.length === 1);
      return areUsable ? servers : undefined;
    },
  };
}

export const SCHEMA_PREFIX: Kind<string> = {
  expected:
    "up to 32 lower-case letters, digits and _, beginning with a letter but not with pg_, such as shopa_",
  parse: (text) => (/^(?!pg_)[a-z][a-z0-9_]{0,31}$/.test(text) ? text : undefined),
};

export const PROXIES: Kind<BlockList> = {
  expected: "IP addresses or networks, separated by commas, such as 10.0.0.0/8,::1",
  parse(text) {
    const list = new BlockList();
    for (const part of text.split(",")) {
      const [, address = "", bits] = /^([0-9A-Fa-f:.]+)(?:\/([0-9]{1,3}))?$/.exec(part.trim()) ?? [];
      const family = isIP(address);
      const addressBits = family === 4 ? 32 : 128;
      if (family === 0 || Number(bits ?? 0) > addressBits) return undefined;
      list.addSubnet(address, Number(bits ?? addressBits), family === 4 ? "ipv4" : "ipv6");
    }
    return list;
  },
};

export const RATE_LIMIT: Kind<RateLimit> = {
  expected: "requests/seconds, such as 600/60s",
  parse(text) {
    const [, requests = "", seconds = ""] = /^([1-9][0-9]{0,8})\/([1-9][0-9]{0,5})s$/.exec(text) ?? [];
    return requests === "" ? undefined : { requests: Number(requests), seconds: Number(seconds) };
  },
};

export const WEBHOOK_SECRET: Kind<string> = {
  expected: "whsec_ followed by 24 to 64 bytes in base64",
  parse(text) {
    const bytes = Buffer.from(text.replace(/^whsec_/, ""), "base64").length;
    return text.startsWith("whsec_") && bytes >= 24 && bytes <= 64 ? text : undefined;
  },
};
