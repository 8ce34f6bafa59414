import type { BlockList } from "node:net";
import { selectRoleOfSession } from "../accounts/sessions/session-store.ts";
import { SIGN_IN_CHALLENGE, verifySession } from "../accounts/sessions/sessions.ts";
import type { Browser, Environment } from "../context.ts";
import { ServiceError } from "../errors.ts";
import type { Authenticator, Call } from "../http/call.ts";
import { clientAddress } from "../http/client-address.ts";
import { requireAccess } from "../http/require-access.ts";
import { SESSION_IDLE_MS } from "../limits.ts";
import type { Database } from "../storage/database.ts";
import type { SessionCookie } from "./session-cookie.ts";

const USER_AGENT_LENGTH_MAX = 256; // stored characters of a session's `User-Agent`

interface SessionAuthenticatorOptions {
  readonly environment: Environment;
  readonly accounts: Database;
  readonly cookie: SessionCookie;
  readonly passkeyCookie: SessionCookie;
  readonly trustedProxies: BlockList | undefined;
  /** Host names allowed for the console's pages, in addition to loopback. */
  readonly names: "public" | "any" | "none";
}

/** Authenticates people by session cookie; changes must come from this service's own origin. */
export function createSessionAuthenticator(options: SessionAuthenticatorOptions): Authenticator {
  const { environment, accounts, cookie, passkeyCookie, trustedProxies } = options;
  function browserOf({ request, peer, addresses: { origin } }: Call): Browser {
    const userAgent = request.headers.get("user-agent") ?? "";
    return {
      ...clientAddress(peer(), request.headers.get("x-forwarded-for"), trustedProxies),
      userAgent: userAgent.slice(0, USER_AGENT_LENGTH_MAX).toWellFormed(),
      passkeyTokens: passkeyCookie.read(request.headers.get("cookie")),
      origin,
    };
  }

  async function authenticateOptional(context: Call) {
    requireOwnOrigin(context, options);
    const browser = browserOf(context);
    for (const token of cookie.read(context.request.headers.get("cookie"))) {
      const actor = await verifySession(accounts, token, environment, browser, context.now);
      if (actor !== undefined) return actor;
    }
    return { kind: "anonymous" as const, environment, ...browser };
  }

  return {
    allowsAnyOrigin: false,
    authenticateOptional,
    async revalidate({ actor, now }, operation) {
      if (actor?.kind !== "session") return undefined;
      const [role] = await accounts.read(selectRoleOfSession, [actor.sessionId, now, now - SESSION_IDLE_MS]);
      if (role === undefined) throw signInFirst();
      requireAccess(operation, { ...actor, role });
      return role;
    },
    async authenticate(context) {
      const actor = await authenticateOptional(context);
      if (actor.kind === "session") return actor;
      throw signInFirst();
    },
  };
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/;

function signInFirst(): ServiceError {
  return new ServiceError("unauthorized", "Sign in first.", {
    headers: { "WWW-Authenticate": SIGN_IN_CHALLENGE },
  });
}

/**
 * Requires the service's own origin for changes. Browsers set `Origin` (Fetch §3.2.5), and pages cannot change it, but any
 * host name can resolve to this machine (DNS rebinding). Valid hosts are the public one, loopback, and, on a network without
 * a public URL, the one in `Host`.
 *
 * @throws ServiceError `forbidden` for a change from another origin, or without `Origin`
 */
function requireOwnOrigin(
  { request, method, addresses }: Call,
  { names, environment }: SessionAuthenticatorOptions,
) {
  if (method === "GET") return;
  const from = request.headers.get("origin") ?? "";
  const host = request.headers.get("host") ?? "";
  const isHere = from === `http://${host}` || from === `https://${host}`;
  if (isHere && (names === "any" || LOOPBACK.test(host))) return;
  if (names === "public" && from === addresses.origin) return;
  // The message does not repeat `Origin` or `Host`, because a response must not contain what may be a secret.
  const variable = `PETSTORE_${environment.toUpperCase()}_URL`;
  const advice =
    names === "public"
      ? `Open it at ${addresses.origin}, or set ${variable} to its new address.`
      : `If petstore is behind a proxy, set ${variable} to its public address, such as https://pets.example.com/v1.`;
  throw new ServiceError(
    "forbidden",
    `The console does not accept changes from this page's address. ${advice}`,
  );
}
