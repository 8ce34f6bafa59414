import { randomFraction } from "./random.ts";

const FIRST_BACKOFF_MS = 500;
export const LONGEST_BACKOFF_MS = 8_000;

const TRANSIENT_STATUSES: readonly number[] = [408, 429, 502, 503, 504];

/** True if sending the same request again may succeed later. */
export function isTransient(status: number, code: string | undefined): boolean {
  return TRANSIENT_STATUSES.includes(status) || code === "idempotency_in_progress";
}

/**
 * Calculates the delay before a retry: exponential backoff with full jitter, added to `Retry-After`. Therefore, clients whose
 * requests failed at the same time retry at different times, and no client retries earlier than the service allows.
 */
export function delayBeforeRetry(attempts: number, retryAfterSeconds = 0): number {
  const bound = Math.min(FIRST_BACKOFF_MS * 2 ** (attempts - 1), LONGEST_BACKOFF_MS);
  return retryAfterSeconds * 1000 + randomFraction() * bound;
}

/** Reads `Retry-After`, which is a number of seconds or a date (RFC 9110 §10.2.3). Returns seconds. */
export function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get("Retry-After")?.trim() ?? "";
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  const then = /[A-Za-z]/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(then)) return undefined;
  // The date is compared with the response's own `Date`, if it has one, because this machine's clock may be wrong.
  const now = Date.parse(headers.get("Date") ?? "");
  return Math.max(0, Math.ceil((then - (Number.isNaN(now) ? Date.now() : now)) / 1000));
}
