import { errorMessage, type ServiceError, unavailable } from "../../errors.ts";
import { systemClock } from "../../platform/clock.ts";
import { AcquireTimeoutError, createSemaphore, withPermit } from "../../platform/semaphore.ts";
import {
  authorizationUrl,
  type Claims,
  discover,
  endUrl,
  exchange,
  faultOf,
  type ProviderSettings,
  type TokenAnswers,
} from "./openid.ts";

const PAUSE_MS = 5_000; // time to wait before the provider's metadata is requested again, after a request for it failed
const AT_ONCE_MAX = 32; // maximum number of people who may wait for the provider at the same time, so that strangers who begin sign-ins cannot use up all concurrent requests
const RENEWAL_MS = 5_000; // minimum time between two reads of the provider's keys that are caused by tokens with an unknown signing key
const DISCOVERY_MS = 3_600_000; // age at which the provider's metadata is read again

type Configuration = Awaited<ReturnType<typeof discover>>;

const NAMES: Readonly<Record<string, string>> = {
  "accounts.google.com": "Google",
  "login.microsoftonline.com": "Microsoft",
};

/**
 * Creates a client for an identity provider. It loads the library and contacts the provider only when somebody first needs the
 * provider.
 */
export function createProvider(settings: ProviderSettings) {
  const { hostname } = new URL(settings.issuer);
  const name = NAMES[hostname] ?? hostname;
  const answers: TokenAnswers = new Map();
  const permits = createSemaphore({ permits: AT_ONCE_MAX, queueMax: 0, waitMs: 0 });

  /** Makes a request to the provider. @throws ServiceError `unavailable` if too many people are already waiting */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return withPermit(permits, work).catch((error: unknown) => {
      if (!(error instanceof AcquireTimeoutError)) throw error;
      throw unavailable(`Too many people are signing in through ${name} right now. Try again in a moment.`);
    });
  }

  function away(cause: unknown): ServiceError {
    // Only the message of the error is logged, because the error itself may contain a response with tokens.
    const reason = new Error(errorMessage(cause));
    return unavailable(
      `${name} cannot be reached. Sign in with your password or a passkey, or try again later.`,
      reason,
    );
  }

  const { configurationOf, renew } = createConfiguration(() => discover(settings, answers), {
    inTurn,
    away,
  });

  return {
    name,
    /**
     * Returns the URL of the provider's sign-in page.
     *
     * @param secret the secret of this sign-in attempt, from which `state`, `nonce` and the PKCE verifier are derived
     */
    async departure(secret: string, redirectUri: string): Promise<string> {
      const configuration = await configurationOf();
      try {
        return await authorizationUrl(configuration, secret, redirectUri);
      } catch (error) {
        // The provider cannot be used, because its metadata contains no usable URL of a sign-in page.
        throw away(error);
      }
    },
    /**
     * Exchanges the authorization code in the callback's query string for the user's claims.
     *
     * @returns undefined if any check fails
     */
    async arrival(secret: string, redirectUri: string, query: string): Promise<Claims | undefined> {
      const configuration = await configurationOf();
      return inTurn(async () => {
        try {
          return await exchange(configuration, {
            ...{ secret, redirectUri, query, answers },
            renew: () => renew(configuration),
          });
        } catch (error) {
          const fault = faultOf(error);
          if (fault !== undefined) throw away(fault);
          return undefined;
        }
      });
    },
    /**
     * Returns the URL that ends the session at the provider (OpenID Connect RP-Initiated Logout 1.0), or undefined if the
     * provider has no such URL.
     */
    async end(returnTo: string): Promise<string | undefined> {
      return endUrl(await configurationOf(), returnTo);
    },
  };
}

interface Waiting {
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  away(cause: unknown): ServiceError;
}

/** Caches the provider's metadata, which is read when it is first needed, and again from time to time. */
function createConfiguration(discoverAgain: () => Promise<Configuration>, { inTurn, away }: Waiting) {
  let known: Configuration | undefined;
  let asking: Promise<Configuration> | undefined;
  let askAgainAt = 0;
  let renewAgainAt = 0;

  /** @throws ServiceError `unavailable` if the provider's metadata cannot be read */
  const configurationOf = () => read(inTurn);

  async function read(wait: Waiting["inTurn"]): Promise<Configuration> {
    // All callers share one request to the provider. Otherwise, every request from a stranger would make this process send
    // another request to the provider.
    if (systemClock.monotonicMs() >= askAgainAt) asking ??= ask();
    const answer = asking;
    if (answer !== undefined) {
      // Prevents a report of an unhandled rejection: if too many people are already waiting for the provider, nobody awaits this
      // promise.
      answer.catch(() => {});
      try {
        return await wait(() => answer);
      } catch (error) {
        // If the provider's metadata cannot be read again, the older metadata is used.
        if (known === undefined) throw error;
      }
    }
    if (known !== undefined) return known;
    throw away(
      "The sign-in provider did not answer a moment ago. petstore waits for a short time before it tries again.",
    );
  }

  async function ask(): Promise<Configuration> {
    try {
      known = await discoverAgain();
      askAgainAt = systemClock.monotonicMs() + DISCOVERY_MS;
      return known;
    } catch (error) {
      askAgainAt = systemClock.monotonicMs() + PAUSE_MS;
      throw away(error);
    } finally {
      asking = undefined;
    }
  }

  /** Reads the provider's metadata and keys again, because a provider may replace its keys at any time. */
  async function renew(used: Configuration): Promise<Configuration | undefined> {
    const now = systemClock.monotonicMs();
    if (known === used && now >= renewAgainAt) {
      renewAgainAt = now + RENEWAL_MS;
      askAgainAt = 0;
    }
    // The caller already holds a permit for requests to the provider. If it needed a second permit, only half as many people could
    // sign in at the same time.
    const renewed = await read((work) => work());
    return renewed === used ? undefined : renewed;
  }

  return { configurationOf, renew };
}

export type Provider = ReturnType<typeof createProvider>;
