import type { Environment, KeyActor } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { environmentOfToken } from "../keys/token.ts";
import type { Authenticator } from "./authenticator.ts";
import type { RequestContext } from "./request-context.ts";

const REALM = 'Bearer realm="petstore"';
/** One text for unknown, expired and revoked: which of them it is, is nobody else's business. */
const INVALID_TOKEN = `${REALM}, error="invalid_token", error_description="The API key is invalid, expired or revoked"`;

const MALFORMED = `${REALM}, error="invalid_request", error_description="The header must be: Bearer <API_KEY>"`;

/** What a bearer key is checked against. */
interface KeyCheck {
  /** The only environment whose keys open it; without one, keys of either do. */
  readonly environment?: Environment;
  verifyKey(token: string, now: number): Promise<KeyActor | undefined>;
  /** The same, at once, for a key that is remembered. */
  getCached(token: string, now: number): KeyActor | undefined;
}

/** The authenticator for programs. A bearer key travels in a header, never by itself, so any page may call through it. */
export function createApiKeyAuthenticator(check: KeyCheck): Authenticator {
  function authenticateFromCache(request: Request, now: number): KeyActor | undefined {
    const header = request.headers.get("authorization");
    if (!header?.startsWith(USUAL_SCHEME)) return undefined;
    const actor = check.getCached(header.slice(USUAL_SCHEME.length), now);
    const isElsewhere = check.environment !== undefined && actor?.environment !== check.environment;
    return isElsewhere ? undefined : actor;
  }
  return {
    allowsAnyOrigin: true,
    authenticateFromCache,
    authenticate: async (exchange) =>
      authenticateFromCache(exchange.request, exchange.now) ?? authenticate(check, exchange),
  };
}

/** As nearly everybody writes it; other spellings take the longer way. */
const USUAL_SCHEME = "Bearer ";

/**
 * Who is asking, by the bearer key (RFC 6750 §2.1).
 *
 * @throws ServiceError `unauthorized`, with a challenge (RFC 6750 §3)
 */
async function authenticate(check: KeyCheck, { request, now }: RequestContext): Promise<KeyActor> {
  const header = request.headers.get("authorization");
  const [, token] = /^bearer +(\S+)$/i.exec(header ?? "") ?? [];
  if (token === undefined) {
    throw unauthorized(
      "An API key is required: send it as Authorization: Bearer <API_KEY>.",
      /^bearer\b/i.test(header ?? "") ? MALFORMED : REALM,
    );
  }
  const environment = environmentOfToken(token);
  if (check.environment !== undefined && environment !== undefined && environment !== check.environment) {
    throw unauthorized(`This API key is for ${environment}; this is ${check.environment}.`, INVALID_TOKEN);
  }
  const actor = await check.verifyKey(token, now);
  if (actor === undefined) throw unauthorized("The API key is invalid, expired or revoked.", INVALID_TOKEN);
  return actor;
}

function unauthorized(message: string, challenge: string): ServiceError {
  return new ServiceError("unauthorized", message, { headers: { "WWW-Authenticate": challenge } });
}
