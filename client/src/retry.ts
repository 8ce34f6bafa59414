import { randomFraction } from "./random.ts";

// What is worth another attempt, and when.

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;

const PASSING_STATUSES: readonly number[] = [408, 429, 502, 503, 504];

/** Whether the same request may well succeed a moment later. Every other refusal would only be given again. */
export function isTransient(status: number, code: string | undefined): boolean {
  return PASSING_STATUSES.includes(status) || code === "idempotency_in_progress";
}

/**
 * How long to wait after so many attempts: a random share of a bound that doubles, so that clients which failed together
 * do not come back together. It is added to what the service asked for, which nobody comes before.
 */
export function delayBeforeRetry(attempts: number, retryAfterSeconds = 0): number {
  const bound = Math.min(FIRST_BACKOFF_MS * 2 ** (attempts - 1), LONGEST_BACKOFF_MS);
  return retryAfterSeconds * 1000 + randomFraction() * bound;
}

/** The seconds that `Retry-After` asks for, given as a number or as a date (RFC 9110 §10.2.3). */
export function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get("Retry-After")?.trim() ?? "";
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  const then = /[A-Za-z]/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(then)) return undefined;
  // Told by its own clock where that can be seen: ours may be wrong.
  const now = Date.parse(headers.get("Date") ?? "");
  return Math.max(0, Math.ceil((then - (Number.isNaN(now) ? Date.now() : now)) / 1000));
}
