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
import type { RequireOrigin } from "./page-origins.ts";
import type { SessionCookie } from "./session-cookie.ts";

const USER_AGENT_LENGTH_MAX = 256; // maximum length of the stored `User-Agent` of a session, in characters

interface SessionAuthenticatorOptions {
  readonly environment: Environment;
  readonly accounts: Database;
  readonly cookie: SessionCookie;
  readonly passkeyCookie: SessionCookie;
  readonly trustedProxies: BlockList | undefined;
  readonly requireOrigin: RequireOrigin;
}

export function createSessionAuthenticator(options: SessionAuthenticatorOptions): Authenticator {
  const { environment, accounts, cookie, passkeyCookie, trustedProxies, requireOrigin } = options;
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
    requireOrigin(context);
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

function signInFirst(): ServiceError {
  return new ServiceError("unauthorized", "Sign in first.", {
    headers: { "WWW-Authenticate": SIGN_IN_CHALLENGE },
  });
}
