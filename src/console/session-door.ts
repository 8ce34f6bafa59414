import type { BlockList } from "node:net";
import { verifySession } from "../accounts/sessions.ts";
import type { Client, Environment } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { clientAddress } from "../http/client-address.ts";
import type { Door } from "../http/door.ts";
import type { Addresses, Exchange } from "../http/exchange.ts";
import { USER_AGENT_LENGTH_MAX } from "../limits.ts";
import type { Database } from "../storage/database.ts";
import type { SessionCookie } from "./session-cookie.ts";

interface SessionDoorOptions {
  readonly environment: Environment;
  readonly accounts: Database;
  readonly cookie: SessionCookie;
  readonly trustedProxies: BlockList | undefined;
}

/** The door for people: a session's cookie opens it, and only to this service's own pages. */
export function createSessionDoor({
  environment,
  accounts,
  cookie,
  trustedProxies,
}: SessionDoorOptions): Door {
  function clientOf({ request, peer }: Exchange, { origin }: Addresses): Client {
    const userAgent = request.headers.get("user-agent") ?? "";
    return {
      address: clientAddress(peer(), request.headers.get("x-forwarded-for"), trustedProxies),
      userAgent: userAgent.slice(0, USER_AGENT_LENGTH_MAX).toWellFormed(),
      origin,
    };
  }

  async function admitVisitor(exchange: Exchange, addresses: Addresses) {
    requireOwnOrigin(exchange, addresses);
    const client = clientOf(exchange, addresses);
    const token = cookie.read(exchange.request.headers.get("cookie"));
    const actor =
      token === undefined
        ? undefined
        : await verifySession(accounts, token, environment, client, exchange.now);
    return actor ?? { kind: "visitor" as const, environment, ...client };
  }

  return {
    allowsAnyOrigin: false,
    admitVisitor,
    async admit(exchange, addresses) {
      const actor = await admitVisitor(exchange, addresses);
      if (actor.kind === "session") return actor;
      throw new ServiceError("unauthorized", "Sign in first.", {
        headers: { "WWW-Authenticate": 'Cookie realm="petstore", form-action="/sign-in"' },
      });
    },
  };
}

/**
 * A browser says which page a change comes from (Fetch §3.2.5), and no page can make it say otherwise.
 *
 * @throws ServiceError `forbidden` for a change that another page asks for, or nobody knows which
 */
function requireOwnOrigin({ request, method }: Exchange, { origin }: Addresses): void {
  if (method === "GET") return;
  const from = request.headers.get("origin") ?? "";
  // The page may also have been opened at the address that this process listens on, beside the public one.
  const host = request.headers.get("host");
  if (from === origin || from === `http://${host}` || from === `https://${host}`) return;
  throw new ServiceError("forbidden", "A change must come from this store's own pages.");
}
