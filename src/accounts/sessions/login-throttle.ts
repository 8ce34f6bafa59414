import { ServiceError } from "../../errors.ts";
import type { Database, Query } from "../../storage/database.ts";
import {
  byBoth,
  isFresh,
  KNOWN_ADDRESS_MS,
  knownAddress,
  LOGIN_FREE_PER_ACCOUNT,
  LOGIN_TURN_MS,
  LOGIN_WAIT_PER_ACCOUNT_MS,
  type LoginRule,
  ofAccount,
  rulesAtNewAddress,
  rulesOfAddress,
  turnOf,
  waitFor,
} from "./login-rules.ts";
import {
  type AttemptCount,
  giveBackAttempts,
  putAttempts,
  removeAttempts,
  selectAttempts,
} from "./login-store.ts";

interface LoginAttempt {
  readonly email: string;
  /** The identifier of the account; undefined if no account has the email address. */
  readonly accountId: number | undefined;
  readonly address: string;
  readonly isSharedAddress: boolean;
  /** Time of the attempt, in milliseconds since 1970. */
  readonly now: number;
}

export function createLoginThrottle(accounts: Database) {
  return {
    /**
     * Counts a sign-in attempt before its password is checked, so that concurrent attempts are all counted.
     *
     * @returns true if the account's owner has signed in from this address before
     * @throws ServiceError `rate_limited`; after the time in `Retry-After`, the caller is admitted
     */
    async consume(attempt: LoginAttempt) {
      const { wait, isKnown } = await accounts.write((query) => consumeAttempt(query, attempt));
      refuseFor(wait);
      return isKnown;
    },
    /**
     * Subtracts a sign-in attempt from the counts, because its password was never checked. The account's limit then does not delay
     * the next attempt from this address.
     */
    undo: (attempt: LoginAttempt) => accounts.write((query) => undoAttempt(query, attempt)),
    /**
     * Deletes the counts of an account and an address after a sign-in, because the right password shows that the account's owner
     * made the attempts.
     */
    reset: (attempt: LoginAttempt & { readonly accountId: number }) =>
      accounts.write((query) => resetAll(query, attempt)),
    /**
     * Counts a passkey sign-in as an attempt from this network address. It does not count for any account, because the account is
     * not known yet.
     *
     * @throws ServiceError `rate_limited`, with `Retry-After`
     */
    async consumePasskey(address: string, now: number) {
      refuseFor(await accounts.write((query) => consumeAll(query, rulesOfAddress("address", address), now)));
    },
    /** Subtracts an attempt from the count after its passkey sign-in has succeeded. */
    resetPasskey: (address: string) =>
      accounts.write((query) => giveBack(query, subjectsOf(rulesOfAddress("address", address)), 1)),
    /** Counts the creation of an account from this network address. @throws ServiceError `rate_limited`, with `Retry-After` */
    async consumeSignUp(address: string, now: number) {
      refuseFor(await accounts.write((query) => consumeAll(query, rulesOfAddress("sign up", address), now)));
    },
    /** Counts a password reset request from this network address. @throws ServiceError `rate_limited`, with `Retry-After` */
    async consumeReset(address: string, now: number) {
      refuseFor(await accounts.write((query) => consumeAll(query, rulesOfAddress("reset", address), now)));
    },
  };
}

/** Slows down people who guess passwords. The counts are in the database, where all processes share them. */
export type LoginThrottle = ReturnType<typeof createLoginThrottle>;

/**
 * Counts a sign-in attempt, unless the attempt must wait.
 *
 * @returns the wait in milliseconds, and whether the account's owner has signed in from this network address before
 */
async function consumeAttempt(query: Query, attempt: LoginAttempt) {
  const { now } = attempt;
  // For a person at a known address, only the attempts on this account from this address count. Other people's attempts must not
  // lock the person out.
  const isKnown = await isKnownAddress(query, attempt);
  if (isKnown) return { isKnown, wait: await consumeAll(query, [byBoth(attempt)], now) };
  const turnWait = await waitForTurn(query, attempt);
  const rules = rulesAtNewAddress(attempt);
  const wait = Math.max(turnWait, await waitForAll(query, rules, now));
  if (wait <= 0) {
    await countAll(query, [...subjectsOf(rules), ofAccount(attempt)], now);
    await query(removeAttempts, [turnOf(attempt)]);
  }
  return { isKnown, wait };
}

/**
 * Returns how long an attempt from a new address must wait, in milliseconds. When the account's free attempts have been used up,
 * each new address waits once. Attempts from other addresses do not prolong this wait.
 */
async function waitForTurn(query: Query, attempt: LoginAttempt): Promise<number> {
  const { now } = attempt;
  const [turn] = await query(selectAttempts, [turnOf(attempt)]);
  if (turn !== undefined && isFresh(turn, now) && now - turn.lastAt < LOGIN_TURN_MS) return turn.lastAt - now;
  const { attempts, lastAt } = await countOf(query, ofAccount(attempt), now);
  const turnAt = lastAt + LOGIN_WAIT_PER_ACCOUNT_MS;
  if (attempts < LOGIN_FREE_PER_ACCOUNT || turnAt <= now) return 0;
  await query(putAttempts, { subject: turnOf(attempt), attempts: 0, lastAt: turnAt });
  return turnAt - now;
}

async function undoAttempt(query: Query, attempt: LoginAttempt) {
  if (await isKnownAddress(query, attempt)) {
    await query(giveBackAttempts, [byBoth(attempt).subject, 1]);
    return;
  }
  await giveBack(query, [...subjectsOf(rulesAtNewAddress(attempt)), ofAccount(attempt)], 1);
  await query(putAttempts, { subject: turnOf(attempt), attempts: 0, lastAt: attempt.now });
}

async function resetAll(query: Query, attempt: LoginAttempt & { readonly accountId: number }) {
  const both = byBoth(attempt).subject;
  const [count] = await query(selectAttempts, [both]);
  const attempts = count?.attempts ?? 0;
  if (!(await isKnownAddress(query, attempt)))
    await giveBack(query, [...subjectsOf(rulesAtNewAddress(attempt)), ofAccount(attempt)], attempts);
  await query(removeAttempts, [both]);
}

async function giveBack(query: Query, subjects: readonly string[], attempts: number) {
  for (const subject of subjects) await query(giveBackAttempts, [subject, attempts]);
}

async function isKnownAddress(query: Query, attempt: LoginAttempt): Promise<boolean> {
  const { accountId, address, isSharedAddress, now } = attempt;
  // The list of known addresses is queried even if the account does not exist, so that the response takes the same time.
  const [known] = await query(selectAttempts, [knownAddress(accountId ?? 0, address)]);
  return known !== undefined && known.lastAt > now - KNOWN_ADDRESS_MS && !isSharedAddress;
}

async function consumeAll(query: Query, rules: readonly LoginRule[], now: number): Promise<number> {
  const wait = await waitForAll(query, rules, now);
  if (wait <= 0) await countAll(query, subjectsOf(rules), now);
  return wait;
}

function subjectsOf(rules: readonly LoginRule[]): readonly string[] {
  return rules.map(({ subject }) => subject);
}

async function waitForAll(query: Query, rules: readonly LoginRule[], now: number): Promise<number> {
  let wait = 0;
  for (const rule of rules)
    wait = Math.max(wait, waitFor(await countOf(query, rule.subject, now), rule, now));
  return wait;
}

async function countAll(query: Query, subjects: readonly string[], now: number) {
  for (const subject of subjects) {
    const { attempts, lastAt } = await countOf(query, subject, now);
    await query(putAttempts, { subject, attempts: attempts + 1, lastAt: Math.max(now, lastAt) });
  }
}

async function countOf(query: Query, subject: string, now: number): Promise<AttemptCount> {
  const [count] = await query(selectAttempts, [subject]);
  return count !== undefined && isFresh(count, now) ? count : { attempts: 0, lastAt: now };
}

function refuseFor(wait: number) {
  if (wait <= 0) return;
  const seconds = Math.ceil(wait / 1000);
  throw new ServiceError("rate_limited", `Too many attempts. Try again in ${inWords(seconds)}.`, {
    headers: { "Retry-After": String(seconds) },
  });
}

function inWords(seconds: number): string {
  if (seconds === 1) return "1 second";
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
