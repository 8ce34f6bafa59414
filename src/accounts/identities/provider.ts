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

const PAUSE_MS = 5_000; // after a provider that did not answer, before it is asked for its description again
const AT_ONCE_MAX = 32; // people who may wait for the provider; strangers who begin sign-ins must not hold all requests
const RENEWAL_MS = 5_000; // between two readings of the keys because a token was signed with an unknown one
const DISCOVERY_MS = 3_600_000; // age at which the provider's description is read again

type Configuration = Awaited<ReturnType<typeof discover>>;

const NAMES: Readonly<Record<string, string>> = {
  "accounts.google.com": "Google",
  "login.microsoftonline.com": "Microsoft",
};

/** The library is loaded, and the provider asked, at the first use. */
export function createProvider(settings: ProviderSettings) {
  const { hostname } = new URL(settings.issuer);
  const name = NAMES[hostname] ?? hostname;
  const answers: TokenAnswers = new Map();
  const permits = createSemaphore({ permits: AT_ONCE_MAX, queueMax: 0, waitMs: 0 });

  /** Waits for the provider. @throws ServiceError `unavailable` if too many are waiting */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return withPermit(permits, work).catch((error: unknown) => {
      if (!(error instanceof AcquireTimeoutError)) throw error;
      throw unavailable(`Too many people are waiting for ${name}. Try again.`);
    });
  }

  function away(cause: unknown): ServiceError {
    // The text alone: the error may hold an answer with tokens.
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
    /** Address to which the browser goes. @param secret of this attempt, from which state, nonce and PKCE verifier are derived */
    async departure(secret: string, redirectUri: string): Promise<string> {
      const configuration = await configurationOf();
      try {
        return await authorizationUrl(configuration, secret, redirectUri);
      } catch (error) {
        // The description has no address that a browser may open.
        throw away(error);
      }
    },
    /** Exchanges the code of a returned query for the person's claims. @returns undefined if anything does not match */
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
    /** Address at which the provider ends its own session (OpenID Connect RP-Initiated Logout 1.0); undefined without one. */
    async end(returnTo: string): Promise<string | undefined> {
      return endUrl(await configurationOf(), returnTo);
    },
  };
}

interface Waiting {
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  away(cause: unknown): ServiceError;
}

/** The provider's description, read at the first use and again from time to time. */
function createConfiguration(read: () => Promise<Configuration>, { inTurn, away }: Waiting) {
  let known: Configuration | undefined;
  let asking: Promise<Configuration> | undefined;
  let askAgainAt = 0;
  let renewAgainAt = 0;

  /** @throws ServiceError `unavailable` if the provider cannot be asked */
  async function configurationOf(): Promise<Configuration> {
    // One request for everybody: strangers must not make this process ask with each of theirs.
    if (systemClock.monotonicMs() >= askAgainAt) asking ??= ask();
    const answer = asking;
    if (answer !== undefined) {
      // If too many are waiting, nobody waits for this one.
      answer.catch(() => {});
      try {
        return await inTurn(() => answer);
      } catch (error) {
        // A description of an hour ago is better than none.
        if (known === undefined) throw error;
      }
    }
    if (known !== undefined) return known;
    throw away("It did not answer a moment ago.");
  }

  async function ask(): Promise<Configuration> {
    try {
      known = await read();
      askAgainAt = systemClock.monotonicMs() + DISCOVERY_MS;
      return known;
    } catch (error) {
      askAgainAt = systemClock.monotonicMs() + PAUSE_MS;
      throw away(error);
    } finally {
      asking = undefined;
    }
  }

  /** Reads the description and the keys again, because a provider may replace its keys at any time. */
  async function renew(used: Configuration): Promise<Configuration | undefined> {
    const now = systemClock.monotonicMs();
    if (known === used && now >= renewAgainAt) {
      renewAgainAt = now + RENEWAL_MS;
      askAgainAt = 0;
    }
    const renewed = await configurationOf();
    return renewed === used ? undefined : renewed;
  }

  return { configurationOf, renew };
}

export type Provider = ReturnType<typeof createProvider>;
