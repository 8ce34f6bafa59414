import type { Environment, KeyActor } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { environmentOfToken } from "../keys/token.ts";
import type { KeyVerifier } from "../keys/verify-key.ts";
import { andThen, type Maybe } from "../platform/maybe.ts";
import type { Authenticator, Call } from "./call.ts";
import { REALM, requireAccess } from "./require-access.ts";

/**
 * `WWW-Authenticate` challenge for unknown, expired and revoked keys. It is the same for all three, so that the response does not
 * reveal why the key is refused.
 */
const INVALID_TOKEN = `${REALM}, error="invalid_token", error_description="The API key is invalid, expired or revoked"`;

const MALFORMED = `${REALM}, error="invalid_request", error_description="The header must be: Bearer <API_KEY>"`;

interface ApiKeyCheck extends Pick<KeyVerifier, "getCached" | "verifyKey"> {
  /** The environment whose keys are accepted. If it is left out, keys of both environments are accepted. */
  readonly environment?: Environment | undefined;
}

/**
 * Authenticates programs by their bearer key. Web pages of any origin may call the endpoints, because browsers never add a bearer
 * key by themselves.
 */
export function createApiKeyAuthenticator(check: ApiKeyCheck): Authenticator {
  function authenticateFromCache({ request, now }: Call): KeyActor | undefined {
    const header = request.headers.get("authorization");
    if (header === null) return undefined;
    if (!header.startsWith("Bearer ") && header.slice(0, SCHEME.length).toLowerCase() !== SCHEME)
      return undefined;
    const actor = check.getCached(header.slice(SCHEME.length), now);
    const isElsewhere = check.environment !== undefined && actor?.environment !== check.environment;
    return isElsewhere ? undefined : actor;
  }
  return {
    allowsAnyOrigin: true,
    authenticateFromCache,
    authenticate: (call) => authenticate(check, call),
    revalidate: (call, operation) =>
      andThen(authenticateFromCache(call) ?? authenticate(check, call), (actor) => {
        requireAccess(operation, actor);
        return undefined;
      }),
  };
}

/**
 * The prefix of an `Authorization` header that the fast path recognizes, in upper or lower case. The slower `authenticate` also
 * accepts several spaces after "Bearer".
 */
const SCHEME = "bearer ";

/**
 * Finds the actor that a request's bearer key belongs to (RFC 6750 §2.1).
 *
 * @throws ServiceError `unauthorized`, with a challenge (RFC 6750 §3)
 */
function authenticate(check: ApiKeyCheck, { request, now }: Call): Maybe<KeyActor> {
  const header = request.headers.get("authorization") ?? "";
  const [, token] = /^bearer +(\S+)$/i.exec(header) ?? [];
  if (token === undefined) throw /^bearer\b/i.test(header) ? MALFORMED_HEADER : KEY_REQUIRED;
  const environment = environmentOfToken(token);
  if (check.environment !== undefined && environment !== undefined && environment !== check.environment) {
    throw unauthorized(
      `This API key is for ${environment}, but this service is ${check.environment}.`,
      INVALID_TOKEN,
    );
  }
  return andThen(check.verifyKey(token, now), (actor) => {
    if (actor === undefined) throw INVALID_KEY;
    return actor;
  });
}

// The errors for bad keys are created only once, because creating an error with its stack costs as much as looking up a key.
const REQUIRED = "An API key is required: send it as Authorization: Bearer <API_KEY>.";
const KEY_REQUIRED = unauthorized(REQUIRED, REALM);
const MALFORMED_HEADER = unauthorized(REQUIRED, MALFORMED);
export const INVALID_KEY = unauthorized("The API key is invalid, expired or revoked.", INVALID_TOKEN);
/** Errors that are thrown so often that their encoded responses are cached. */
export const REUSED_ERRORS: ReadonlySet<ServiceError> = new Set([
  KEY_REQUIRED,
  MALFORMED_HEADER,
  INVALID_KEY,
]);

function unauthorized(message: string, challenge: string): ServiceError {
  return new ServiceError("unauthorized", message, { headers: { "WWW-Authenticate": challenge } });
}
