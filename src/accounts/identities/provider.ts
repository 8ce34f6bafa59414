import type { authorizationCodeGrant, ClientAuth, Configuration } from "openid-client";
import { errorMessage, type ServiceError, unavailable } from "../../errors.ts";
import { systemClock } from "../../platform/clock.ts";
import { sha256 } from "../../platform/sha256.ts";

const ANSWER_SECONDS = 8; // deadline of each request to the provider
const SKEW_SECONDS = 60; // by which the clocks here and there may differ
const PAUSE_MS = 5_000; // after a provider that did not answer, before it is asked for its description again
const DISCOVERY_MS = 3_600_000; // age at which the provider's description is read again

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

const NAMES: Readonly<Record<string, string>> = {
  "accounts.google.com": "Google",
  "login.microsoftonline.com": "Microsoft",
};

/** The library is loaded, and the provider asked, at the first use. */
export function createProvider(settings: ProviderSettings) {
  const { hostname } = new URL(settings.issuer);
  const name = NAMES[hostname] ?? hostname;
  let known: Configuration | undefined;
  let asking: Promise<Configuration> | undefined;
  let askAgainAt = 0;

  /** @throws ServiceError `unavailable` if the provider cannot be asked */
  async function configurationOf(): Promise<Configuration> {
    // One request for everybody: strangers must not make this process ask with each of theirs.
    if (systemClock.monotonicMs() >= askAgainAt) asking ??= ask().finally(() => (asking = undefined));
    try {
      const configuration = await asking;
      if (configuration !== undefined) return configuration;
    } catch (error) {
      // A description of an hour ago is better than none.
      if (known === undefined) throw away(error);
    }
    if (known !== undefined) return known;
    throw away("It did not answer a moment ago.");
  }

  async function ask(): Promise<Configuration> {
    try {
      known = await discover(settings);
      askAgainAt = systemClock.monotonicMs() + DISCOVERY_MS;
      return known;
    } catch (error) {
      askAgainAt = systemClock.monotonicMs() + PAUSE_MS;
      throw error;
    }
  }

  function away(cause: unknown): ServiceError {
    // The text alone: the error may hold an answer with tokens.
    const reason = new Error(errorMessage(cause));
    return unavailable(
      `${name} cannot be reached. Sign in with your password or a passkey, or try again later.`,
      reason,
    );
  }

  return {
    name,
    /** Address to which the browser goes. @param secret of this attempt, from which state, nonce and PKCE verifier are derived */
    async departure(secret: string, redirectUri: string): Promise<string> {
      const configuration = await configurationOf();
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
    },
    /** Exchanges the code of a returned query for the person's claims. @returns undefined if anything does not match */
    async arrival(secret: string, redirectUri: string, query: string): Promise<Claims | undefined> {
      const configuration = await configurationOf();
      const { authorizationCodeGrant } = await import("openid-client");
      try {
        const current = new URL(redirectUri);
        current.search = query;
        const tokens = await authorizationCodeGrant(configuration, current, {
          expectedState: derived(secret, "state"),
          expectedNonce: derived(secret, "nonce"),
          pkceCodeVerifier: derived(secret, "verifier"),
          idTokenExpected: true,
        });
        return await claimsOf(configuration, tokens);
      } catch (error) {
        if (isOfNetwork(error)) throw away(error);
        return undefined;
      }
    },
    /** Address at which the provider ends its own session (OpenID Connect RP-Initiated Logout 1.0); undefined without one. */
    async end(returnTo: string): Promise<string | undefined> {
      const configuration = await configurationOf();
      if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
      const { buildEndSessionUrl } = await import("openid-client");
      return buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo }).href;
    },
  };
}

/** Reads the provider's description (OpenID Connect Discovery 1.0). */
async function discover({ issuer, clientId, clientSecret }: ProviderSettings): Promise<Configuration> {
  const {
    allowInsecureRequests,
    ClientSecretBasic,
    ClientSecretPost,
    clockTolerance,
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
    // The signature of the ID token is checked, not only the TLS connection on which it came.
    execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
  });
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
  const isAddress = typeof email === "string" && /^[^\p{Cc}\p{Cs}]{3,254}$/u.test(email);
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: isAddress ? email : undefined,
    isVerified: isVerified === true,
  };
}

export type Provider = ReturnType<typeof createProvider>;

/** A value of its own for each purpose: 43 characters of base64url, as PKCE asks for (RFC 7636 §4.1). */
function derived(secret: string, purpose: string): string {
  return sha256(`${purpose} ${secret}`).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** True for a provider that was not reached, or has failed itself. */
function isOfNetwork(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { cause, name } = error;
  const status = cause instanceof Response ? cause.status : 0;
  return name === "TypeError" || name === "TimeoutError" || status >= 500 || isOfNetwork(cause);
}
