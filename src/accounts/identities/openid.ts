import type { authorizationCodeGrant, ClientAuth, Configuration, CustomFetch } from "openid-client";
import { errorMessage } from "../../errors.ts";
import { systemClock } from "../../platform/clock.ts";
import { createKept } from "../../platform/kept.ts";
import { sha256 } from "../../platform/sha256.ts";

// Sign-in with OpenID Connect, by means of the library openid-client. The library is loaded when it is first used.

const ANSWER_SECONDS = 8; // timeout of each request to the provider
const KEYS_MS = 5_000; // time for which the provider's keys are cached
const KEYS_TYPE = "application/jwk-set+json"; // media type of the provider's keys (RFC 7517 §8.5.2)
const SKEW_SECONDS = 60; // maximum accepted difference between this machine's clock and the provider's clock

export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A person, as described by the claims in a verified ID token. */
export interface Claims {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  /** True if the provider says that it has verified the person's email address. */
  readonly isVerified: boolean;
}

/** Responses to the token requests of sign-ins that are still in progress, keyed by PKCE code verifier. */
export type TokenAnswers = Map<string, Awaited<ReturnType<typeof fetch>>>;

/** Reads the provider's metadata document (OpenID Connect Discovery 1.0). */
export async function discover(
  { issuer, clientId, clientSecret }: ProviderSettings,
  answers: TokenAnswers,
): Promise<Configuration> {
  const {
    allowInsecureRequests,
    ClientSecretBasic,
    ClientSecretPost,
    clockTolerance,
    customFetch,
    discovery,
    enableNonRepudiationChecks,
  } = await import("openid-client");
  const isPlain = issuer.startsWith("http:");
  /**
   * Sends the client secret by a method that the provider's metadata lists. If the metadata lists none, the secret is sent in a
   * header (OpenID Connect Discovery 1.0 §3).
   */
  const authentication: ClientAuth = (server, ...request) => {
    const isInBody = server.token_endpoint_auth_methods_supported?.includes("client_secret_post");
    const authenticate = isInBody ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret);
    return authenticate(server, ...request);
  };
  return await discovery(new URL(issuer), clientId, { [clockTolerance]: SKEW_SECONDS }, authentication, {
    timeout: ANSWER_SECONDS,
    [customFetch]: fetchOnce(answers),
    // Makes the library verify the signature of the ID token. By default, the library relies on the TLS connection through which
    // the token came.
    execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
  });
}

/**
 * Sends each token request only once, because a provider accepts an authorization code only once. A repeated request gets the
 * earlier response. Sign-ins that need the provider's keys at the same time share one request for the keys.
 */
function fetchOnce(answers: TokenAnswers): CustomFetch {
  const keys = createKept<Keys>(KEYS_MS);
  return async (url, options) => {
    const request = options as RequestInit;
    if (new Headers(options.headers).get("Accept")?.includes(KEYS_TYPE)) {
      const { json, headers } = await keys.find(systemClock.monotonicMs(), url, () => readKeys(url, request));
      return Response.json(json, { headers });
    }
    const verifier = new URLSearchParams(String(options.body ?? "")).get("code_verifier");
    if (verifier === null) return fetch(url, request);
    const answer = answers.get(verifier) ?? (await fetch(url, request));
    answers.set(verifier, answer.clone() as typeof answer);
    return answer;
  };
}

interface Keys {
  readonly json: unknown;
  readonly headers: Headers;
}

async function readKeys(url: string, request: RequestInit): Promise<Keys> {
  const answer = await fetch(url, request);
  if (!answer.ok)
    throw new Error(`The sign-in provider's public keys cannot be read: ${url} answered ${answer.status}.`, {
      cause: answer,
    });
  return { json: await answer.json(), headers: answer.headers };
}

/** Returns the URL of the provider's sign-in page, which the browser opens next. */
export async function authorizationUrl(configuration: Configuration, secret: string, redirectUri: string) {
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import("openid-client");
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: "openid email",
    state: derived(secret, "state"),
    nonce: derived(secret, "nonce"),
    code_challenge: await calculatePKCECodeChallenge(derived(secret, "verifier")),
    code_challenge_method: "S256",
  });
  return url.href;
}

interface Exchange {
  readonly secret: string;
  readonly redirectUri: string;
  readonly query: string;
  readonly answers: TokenAnswers;
  /** Reads the provider's metadata and keys again. Returns undefined if they were read only a few seconds ago. */
  readonly renew: () => Promise<Configuration | undefined>;
}

/**
 * Exchanges the authorization code in the callback's query string for the user's claims. If the ID token is signed with an
 * unknown key, the provider's keys are read again.
 */
export async function exchange(configuration: Configuration, options: Exchange): Promise<Claims | undefined> {
  try {
    return await claimsOf(configuration, await grant(configuration, options));
  } catch (error) {
    const renewed = isOfUnknownKey(error) ? await options.renew() : undefined;
    if (renewed === undefined) throw error;
    return await claimsOf(renewed, await grant(renewed, options));
  } finally {
    options.answers.delete(derived(options.secret, "verifier"));
  }
}

async function grant(configuration: Configuration, { secret, redirectUri, query }: Exchange) {
  const { authorizationCodeGrant } = await import("openid-client");
  const current = new URL(redirectUri);
  current.search = query;
  return authorizationCodeGrant(configuration, current, {
    expectedState: derived(secret, "state"),
    expectedNonce: derived(secret, "nonce"),
    pkceCodeVerifier: derived(secret, "verifier"),
    idTokenExpected: true,
  });
}

function isOfUnknownKey(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "OAUTH_KEY_SELECTION_FAILED";
}

/** Returns the URL that ends the session at the provider (RP-Initiated Logout 1.0), or undefined if the provider has none. */
export async function endUrl(configuration: Configuration, returnTo: string): Promise<string | undefined> {
  const { buildEndSessionUrl } = await import("openid-client");
  try {
    return buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo }).href;
  } catch {
    return undefined;
  }
}

type Tokens = Awaited<ReturnType<typeof authorizationCodeGrant>>;

async function claimsOf(configuration: Configuration, tokens: Tokens): Promise<Claims | undefined> {
  const claims = tokens.claims();
  if (claims === undefined) return undefined;
  const hasMore = claims["email"] === undefined && configuration.serverMetadata().userinfo_endpoint;
  const { fetchUserInfo } = await import("openid-client");
  const { email, email_verified: isVerified } = hasMore
    ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
    : claims;
  // The subject of an ID token has at most 255 ASCII characters (OpenID Connect Core §2). No database can store U+0000.
  if (!/^[\x20-\x7e]{1,255}$/.test(claims.sub)) return undefined;
  // An email address that contains spaces or invisible characters is ignored, because two different addresses could look alike.
  const isAddress = typeof email === "string" && /^[^\p{Cc}\p{Cf}\p{Cs}\p{Z}]{3,254}$/u.test(email);
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: isAddress ? email : undefined,
    isVerified: isVerified === true,
  };
}

/**
 * Derives a value from a secret, different for each purpose. The value has 43 characters of base64url, as PKCE requires (RFC 7636
 * §4.1).
 */
function derived(secret: string, purpose: string): string {
  return sha256(`${purpose} ${secret}`).toBase64({ alphabet: "base64url", omitPadding: true });
}

/**
 * If an exchange failed through the fault of the provider or of the settings, returns the reason. Returns undefined if the
 * callback's query string or the token was wrong.
 */
export function faultOf(error: unknown): string | undefined {
  if (isOfNetwork(error)) return errorMessage(error);
  if (isRefusalOfClient(error))
    return "The sign-in provider does not accept this PETSTORE_OIDC_CLIENT_ID with this PETSTORE_OIDC_CLIENT_SECRET.";
  return undefined;
}

/** Returns true if the provider could not be reached, or responded with a server error. */
function isOfNetwork(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { cause, name } = error;
  const status = cause instanceof Response ? cause.status : 0;
  return name === "TypeError" || name === "TimeoutError" || status >= 500 || isOfNetwork(cause);
}

/**
 * Returns true if the provider refused this client's credentials (RFC 6749 §5.2). An error in the callback's query string may have
 * the same code, but has no HTTP status.
 */
function isRefusalOfClient(error: unknown): boolean {
  if (!(error instanceof Error && "status" in error)) return false;
  return error.status === 401 || ("error" in error && error.error === "invalid_client");
}
