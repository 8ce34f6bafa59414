import { ServiceError } from "../errors.ts";

/** So many requests in so many seconds, for each key. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

export type RateLimiter = (keyId: string, now: number) => Readonly<Record<string, string>>;

interface Window {
  readonly endsAt: number;
  used: number;
}

/**
 * Counts each key's requests in windows of fixed length. The limiter returns the `RateLimit` fields
 * (draft-ietf-httpapi-ratelimit-headers) that the answer carries.
 *
 * @throws ServiceError (from the limiter) `rate_limited`, with `Retry-After`
 */
export function createRateLimiter(limit: RateLimit): RateLimiter {
  const { requests, seconds } = limit;
  const windows = new Map<string, Window>();
  const policy = `"default";q=${requests};w=${seconds}`;

  return (keyId, now) => {
    let window = windows.get(keyId);
    // A clock set back must not leave a key locked out until the old time comes round again.
    if (window === undefined || now >= window.endsAt || window.endsAt - now > seconds * 1000) {
      window = { endsAt: now + seconds * 1000, used: 0 };
      windows.set(keyId, window);
    }
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
