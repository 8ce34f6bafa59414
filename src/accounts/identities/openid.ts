import type { authorizationCodeGrant, ClientAuth, Configuration, CustomFetch } from "openid-client";
import { errorMessage } from "../../errors.ts";
import { sha256 } from "../../platform/sha256.ts";

// One sign-in by OpenID Connect, as openid-client does it: the library is loaded at the first use.

const ANSWER_SECONDS = 8; // deadline of each request to the provider
const SKEW_SECONDS = 60; // by which the clocks here and there may differ

export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A person, as the provider has described them in a signed and checked ID token. */
export interface Claims {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  /** True if the provider says that the address is the person's. */
  readonly isVerified: boolean;
}

/** Answers to token requests that are under way, keyed by the code's verifier. */
export type TokenAnswers = Map<string, Awaited<ReturnType<typeof fetch>>>;

/** Reads the provider's description (OpenID Connect Discovery 1.0). */
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
  /** Sends the secret as the provider's description says; without a word, in a header (OpenID Connect Discovery 1.0 §3). */
  const authentication: ClientAuth = (server, ...request) => {
    const isInBody = server.token_endpoint_auth_methods_supported?.includes("client_secret_post");
    const authenticate = isInBody ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret);
    return authenticate(server, ...request);
  };
  return await discovery(new URL(issuer), clientId, { [clockTolerance]: SKEW_SECONDS }, authentication, {
    timeout: ANSWER_SECONDS,
    [customFetch]: fetchTokensOnce(answers),
    // The signature of the ID token is checked, not only the TLS connection on which it came.
    execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
  });
}

/** Repeats the answer of a token request, because a provider takes a code only once. */
function fetchTokensOnce(answers: TokenAnswers): CustomFetch {
  return async (url, options) => {
    const verifier = new URLSearchParams(String(options.body ?? "")).get("code_verifier");
    if (verifier === null) return fetch(url, options as RequestInit);
    const answer = answers.get(verifier) ?? (await fetch(url, options as RequestInit));
    answers.set(verifier, answer.clone() as typeof answer);
    return answer;
  };
}

/** Address to which the browser goes. */
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
  /** Reads the provider's description and keys again; undefined if that was done a moment ago. */
  readonly renew: () => Promise<Configuration | undefined>;
}

/** Exchanges the code of a returned query for the person's claims. If the token's key is unknown, the keys are read again. */
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

/** Address at which the provider ends its own session (RP-Initiated Logout 1.0); undefined without one that a browser may open. */
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
  // At most 255 ASCII characters (OpenID Connect Core §2); no database stores U+0000.
  if (!/^[\x20-\x7e]{1,255}$/.test(claims.sub)) return undefined;
  // Without spaces and invisible characters, which an address here never has, and which would make two look alike.
  const isAddress = typeof email === "string" && /^[^\p{Cc}\p{Cf}\p{Cs}\p{Z}]{3,254}$/u.test(email);
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: isAddress ? email : undefined,
    isVerified: isVerified === true,
  };
}

/** A value of its own for each purpose: 43 characters of base64url, as PKCE asks for (RFC 7636 §4.1). */
function derived(secret: string, purpose: string): string {
  return sha256(`${purpose} ${secret}`).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** Fault of the provider, or of the settings, in a failed exchange; undefined if the returned query or the token was wrong. */
export function faultOf(error: unknown): string | undefined {
  if (isOfNetwork(error)) return errorMessage(error);
  if (isRefusalOfClient(error)) return "It refuses PETSTORE_OIDC_CLIENT_ID with PETSTORE_OIDC_CLIENT_SECRET.";
  return undefined;
}

/** True for a provider that was not reached, or has failed itself. */
function isOfNetwork(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { cause, name } = error;
  const status = cause instanceof Response ? cause.status : 0;
  return name === "TypeError" || name === "TimeoutError" || status >= 500 || isOfNetwork(cause);
}

/** True for an answer that refuses this client (RFC 6749 §5.2). A returned query may say the same, but has no status. */
function isRefusalOfClient(error: unknown): boolean {
  if (!(error instanceof Error && "status" in error)) return false;
  return error.status === 401 || ("error" in error && error.error === "invalid_client");
}
