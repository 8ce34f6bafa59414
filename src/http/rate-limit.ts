import type { RateLimit } from "../config/values.ts";
import type { AccountActor, AnonymousActor } from "../context.ts";
import { ServiceError } from "../errors.ts";

const RATE_LIMIT_KEYS_MAX = 100_000; // maximum number of keys whose requests one process counts; if there are more, the oldest count is dropped

type Lines = Readonly<Record<string, string>>;

export interface Charge {
  readonly headers: Lines;
  /** Subtracts this request from the count again, and returns the resulting `RateLimit` headers. */
  readonly refund: () => Lines;
}

export type RateLimiter = (keyId: string) => Charge;

interface Window {
  /** End of the time window, in milliseconds on the monotonic clock. */
  readonly endsAt: number;
  used: number;
}

/**
 * Counts each key's requests in fixed windows of time, separately in each process. The `RateLimit` fields follow
 * draft-ietf-httpapi-ratelimit-headers. Each window is dropped when it ends. If there are more than `RATE_LIMIT_KEYS_MAX`
 * windows, the oldest is dropped too.
 *
 * @param monotonicMs a clock that nobody can set; with the time of day, setting the machine's clock would block keys or reset
 *   their limits
 * @throws ServiceError (when the returned limiter is called) `rate_limited`, with `Retry-After`
 */
export function createRateLimiter(
  limit: RateLimit,
  monotonicMs: () => number = performance.now.bind(performance),
  keysMax = RATE_LIMIT_KEYS_MAX,
): RateLimiter {
  const { requests, seconds } = limit;
  /**
   * The time windows in which requests are counted, keyed by API key or account. The window that ends first comes first, because
   * all windows have the same length.
   */
  const windows = new Map<string, Window>();
  const policy = `"default";q=${requests};w=${seconds}`;

  function windowOf(keyId: string, now: number): Window {
    const known = windows.get(keyId);
    if (known !== undefined && now < known.endsAt) return known;
    for (const [oldest, { endsAt }] of windows) {
      if (now < endsAt && windows.size < keysMax) break;
      windows.delete(oldest);
    }
    const window = { endsAt: now + seconds * 1000, used: 0 };
    windows.set(keyId, window);
    return window;
  }

  return (keyId) => {
    const now = monotonicMs();
    const window = windowOf(keyId, now);
    const reset = Math.ceil((window.endsAt - now) / 1000);
    const linesOf = (used: number) => ({
      "RateLimit-Policy": policy,
      RateLimit: `"default";r=${Math.max(0, requests - used)};t=${reset}`,
    });
    if (window.used >= requests) {
      throw new ServiceError("rate_limited", `Rate limit exceeded. Retry after ${reset} seconds.`, {
        headers: { ...linesOf(window.used), "Retry-After": String(reset) },
      });
    }
    return { headers: linesOf(++window.used), refund: () => linesOf(--window.used) };
  };
}

/**
 * Counts a request against the limit of its key or account. Anonymous requests are not counted here, because password checks have
 * their own limit.
 */
export function chargeOf(limiter: RateLimiter | undefined, actor: AccountActor | AnonymousActor) {
  if (actor.kind === "anonymous") return undefined;
  return limiter?.(actor.kind === "key" ? actor.keyId : `account ${actor.accountId}`);
}
