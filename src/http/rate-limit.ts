import type { RateLimit } from "../config.ts";
import { ServiceError } from "../errors.ts";
import { RATE_LIMIT_KEYS_MAX } from "../limits.ts";

export type RateLimiter = (keyId: string) => Readonly<Record<string, string>>;

interface Window {
  /** Milliseconds, on the clock that nobody sets. */
  readonly endsAt: number;
  used: number;
}

/**
 * Counts each key's requests in windows of fixed length, in this process. The limiter returns the `RateLimit` fields
 * (draft-ietf-httpapi-ratelimit-headers) that the answer carries. Windows that have ended are forgotten, and so is the
 * oldest one when there are more than `RATE_LIMIT_KEYS_MAX`.
 *
 * @param elapsed milliseconds since some moment; not the time of day, which can be set and would lock keys or free them
 * @throws ServiceError (from the limiter) `rate_limited`, with `Retry-After`
 */
export function createRateLimiter(
  limit: RateLimit,
  elapsed: () => number = performance.now.bind(performance),
  keysMax = RATE_LIMIT_KEYS_MAX,
): RateLimiter {
  const { requests, seconds } = limit;
  /** All windows are of one length, so that the first one in is the first to end. */
  const windows = new Map<string, Window>();
  const policy = `"default";q=${requests};w=${seconds}`;

  function forgetEnded(now: number): void {
    for (const [keyId, { endsAt }] of windows) {
      if (now < endsAt && windows.size < keysMax) return;
      windows.delete(keyId);
    }
  }
  function windowOf(keyId: string, now: number): Window {
    const known = windows.get(keyId);
    if (known !== undefined && now < known.endsAt) return known;
    forgetEnded(now);
    const window = { endsAt: now + seconds * 1000, used: 0 };
    windows.set(keyId, window);
    return window;
  }

  return (keyId) => {
    const now = elapsed();
    const window = windowOf(keyId, now);
    const reset = Math.ceil((window.endsAt - now) / 1000);
    const remaining = Math.max(0, requests - window.used - 1);
    const headers = { "RateLimit-Policy": policy, RateLimit: `"default";r=${remaining};t=${reset}` };
    if (window.used >= requests) {
      throw new ServiceError("rate_limited", `Rate limit exceeded. Retry after ${reset} seconds.`, {
        headers: { ...headers, "Retry-After": String(reset) },
      });
    }
    window.used++;
    return headers;
  };
}
