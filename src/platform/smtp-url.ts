import { unbracketHost } from "./ip-address.ts";

const PORTS = { "smtp:": 587, "smtps:": 465 }; // default ports (RFC 6409 §3.1, RFC 8314 §7.3)

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** True if the connection uses TLS from the beginning. If false, it switches to TLS with STARTTLS. */
  readonly isTls: boolean;
  readonly login?: { readonly user: string; readonly pass: string };
}

/** Parses `smtps://user:password@host:port`. Returns undefined for any other text. */
export function parseSmtpUrl(text: string): SmtpServer | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "smtp:" && url.protocol !== "smtps:")) return undefined;
  const { hostname, port, username, password, pathname, search, hash } = url;
  if (hostname === "" || !["", "/"].includes(pathname) || search + hash !== "") return undefined;
  if ((username === "") !== (password === "")) return undefined;
  try {
    return {
      host: unbracketHost(hostname),
      port: port === "" ? PORTS[url.protocol] : Number(port),
      isTls: url.protocol === "smtps:",
      ...(username !== "" && {
        login: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
      }),
    };
  } catch {
    return undefined;
  }
}

/** The sender of an email: an address, and a name that recipients see. */
export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

/** Parses `petstore <pets@example.com>`, or only an address. Returns undefined for any other text. */
export function parseMailAddress(text: string): MailAddress | undefined {
  const [, name = "", inBrackets, alone = inBrackets] =
    /^(?:([^<>\p{Cc}]*)<([^\s<>,;@]+@[^\s<>,;@]+)>|([^\s<>,;@]+@[^\s<>,;@]+))$/u.exec(text.trim()) ?? [];
  return alone === undefined ? undefined : { name: name.trim().replace(/^"(.*)"$/, "$1"), address: alone };
}
