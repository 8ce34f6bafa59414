import { ServiceError } from "../errors.ts";
import {
  KNOWN_ADDRESS_MS,
  LOGIN_CLOCK_SKEW_MAX_MS,
  LOGIN_COUNT_RETENTION_MS,
  LOGIN_FREE_PER_ACCOUNT,
  LOGIN_FREE_PER_ADDRESS,
  LOGIN_FREE_PER_ADDRESS_AND_ACCOUNT,
  LOGIN_WAIT_MAX_MS,
  LOGIN_WAIT_MIN_MS,
  LOGIN_WAIT_PER_ACCOUNT_MAX_MS,
} from "../limits.ts";
import { sha256 } from "../platform/sha256.ts";
import type { Database, Query } from "../storage/database.ts";
import {
  type AttemptCount,
  giveBackAttempts,
  putAttempts,
  putKnownAddress,
  removeAttempts,
  selectAttempts,
  selectKnownAddress,
} from "./login-throttle-store.ts";

/** A password that is tried on an account. */
interface LoginAttempt {
  readonly email: string;
  /** Undefined for an address that has no account. */
  readonly accountId: number | undefined;
  readonly address: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Delays attempts to guess a password. Counts are in the database, so that every process knows them. */
export interface LoginThrottle {
  /**
   * Counts one try at an account's password before it is known how it ends, so that a hundred at once are a hundred.
   *
   * @throws ServiceError `rate_limited`, with `Retry-After`; such a try is not counted
   */
  consume(attempt: LoginAttempt): Promise<void>;
  /** It was the right password: the try, and those before it from there, were the owner's. */
  reset(attempt: LoginAttempt & { readonly accountId: number }): Promise<void>;
  /**
   * Counts an account that is made from this address.
   *
   * @throws ServiceError `rate_limited`, with `Retry-After`
   */
  consumeSignUp(address: string, now: number): Promise<void>;
}

interface Rule {
  readonly subject: string;
  readonly free: number;
  readonly waitMaxMs: number;
}

export function createLoginThrottle(accounts: Database): LoginThrottle {
  return {
    consume: (attempt) =>
      accounts.write(async (query) => {
        const rules = [byBoth(attempt), byAddress(attempt.address)];
        // Attempts of others must not lock an owner out at an address that is known.
        if (!(await isKnown(query, attempt))) rules.push(byAccount(attempt));
        await consumeAll(query, rules, attempt.now);
      }),
    reset: (attempt) => accounts.write((query) => resetAll(query, attempt)),
    consumeSignUp: (address, now) =>
      accounts.write((query) =>
        consumeAll(query, [{ ...byAddress(address), subject: hashOf("sign up", address) }], now),
      ),
  };
}

/** What was tried for this account from there was its owner's doing, so it counts against neither. */
async function resetAll(query: Query, attempt: LoginAttempt & { readonly accountId: number }): Promise<void> {
  const both = byBoth(attempt).subject;
  const [count] = await query(selectAttempts, [both]);
  const attempts = count?.attempts ?? 0;
  await query(removeAttempts, [both]);
  await query(giveBackAttempts, [byAddress(attempt.address).subject, attempts]);
  if (!(await isKnown(query, attempt))) await query(giveBackAttempts, [byAccount(attempt).subject, attempts]);
  await query(putKnownAddress, [attempt.accountId, hashOf(attempt.address), attempt.now]);
}

function byBoth({ email, address }: LoginAttempt): Rule {
  const subject = hashOf("both", email, address);
  return { subject, free: LOGIN_FREE_PER_ADDRESS_AND_ACCOUNT, waitMaxMs: LOGIN_WAIT_MAX_MS };
}

function byAddress(address: string): Rule {
  const subject = hashOf("address", address);
  return { subject, free: LOGIN_FREE_PER_ADDRESS, waitMaxMs: LOGIN_WAIT_MAX_MS };
}

function byAccount({ email }: LoginAttempt): Rule {
  const subject = hashOf("account", email);
  return { subject, free: LOGIN_FREE_PER_ACCOUNT, waitMaxMs: LOGIN_WAIT_PER_ACCOUNT_MAX_MS };
}

async function isKnown(query: Query, { accountId, address, now }: LoginAttempt): Promise<boolean> {
  // Queried for an address without an account, too: it must not be answered sooner.
  const found = await query(selectKnownAddress, [accountId ?? 0, hashOf(address), now - KNOWN_ADDRESS_MS]);
  return found.length > 0;
}

async function consumeAll(query: Query, rules: readonly Rule[], now: number): Promise<void> {
  let wait = 0;
  for (const rule of rules) {
    const [before] = await query(selectAttempts, [rule.subject]);
    const count = before !== undefined && isFresh(before, now) ? before : { attempts: 0, lastAt: now };
    wait = Math.max(wait, waitFor(count, rule, now));
    await query(putAttempts, [rule.subject, count.attempts + 1, Math.max(now, count.lastAt)]);
  }
  if (wait <= 0) return;
  const seconds = Math.ceil(wait / 1000);
  throw new ServiceError("rate_limited", `Too many attempts. Try again in ${inWords(seconds)}.`, {
    headers: { "Retry-After": String(seconds) },
  });
}

/**
 * A count from a moment ahead was written by a process that began later and was quicker; one from far ahead is a clock
 * that was set back, which must lock no account.
 */
function isFresh({ lastAt }: AttemptCount, now: number): boolean {
  return now - lastAt < LOGIN_COUNT_RETENTION_MS && lastAt - now < LOGIN_CLOCK_SKEW_MAX_MS;
}

function waitFor({ attempts, lastAt }: AttemptCount, { free, waitMaxMs }: Rule, now: number): number {
  if (attempts < free) return 0;
  return lastAt + Math.min(LOGIN_WAIT_MIN_MS * 2 ** (attempts - free), waitMaxMs) - now;
}

function inWords(seconds: number): string {
  if (seconds === 1) return "1 second";
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

function hashOf(...parts: readonly string[]): string {
  return sha256(JSON.stringify(parts)).toBase64({ alphabet: "base64url" });
}
