import { networkOf } from "../../platform/ip-address.ts";
import { sha256 } from "../../platform/sha256.ts";
import { members, numberColumn } from "../../storage/row.ts";
import { type Statement, statement } from "../../storage/statement.ts";

const LOGIN_FREE_PER_ADDRESS_AND_ACCOUNT = 5; // attempts without a wait; an IPv6 address is its /64
const LOGIN_FREE_PER_SITE_AND_ACCOUNT = 20; // attempts without a wait, from all /64 of one IPv6 /48
const LOGIN_FREE_PER_ADDRESS = 20; // attempts without a wait, on all accounts together
const LOGIN_FREE_PER_SITE = 80; // attempts without a wait, on all accounts together, from one IPv6 /48

/** Throttling rule: `free` attempts without a wait; after them the wait doubles with each attempt. */
export interface LoginRule {
  /** Key of the count: a hash of what is counted, such as an email address with a network address. */
  readonly subject: string;
  readonly free: number;
}

interface Origin {
  readonly email: string;
  readonly address: string;
}

export function rulesAtNewAddress(attempt: Origin): readonly LoginRule[] {
  const { email, address } = attempt;
  const rules = [byBoth(attempt), ...rulesOfAddress("address", address)];
  const site = siteOf(address);
  if (site === undefined) return rules;
  return [...rules, rule(LOGIN_FREE_PER_SITE_AND_ACCOUNT, "both", email, site)];
}

/** Throttling rules for one network address, on all accounts together. */
export function rulesOfAddress(what: "address" | "sign up", address: string): readonly LoginRule[] {
  const site = siteOf(address);
  const ofAddress = rule(LOGIN_FREE_PER_ADDRESS, what, address);
  return site === undefined ? [ofAddress] : [ofAddress, rule(LOGIN_FREE_PER_SITE, what, site)];
}

/** The /48 of an IPv6 network: one customer may have a whole one (RFC 6177), with 65,536 networks of /64. */
function siteOf(address: string): string | undefined {
  return address.includes(":") ? networkOf(address, 48) : undefined;
}

function rule(free: number, ...subject: readonly string[]): LoginRule {
  return { subject: hashOf(...subject), free };
}

export function byBoth({ email, address }: Origin): LoginRule {
  return rule(LOGIN_FREE_PER_ADDRESS_AND_ACCOUNT, "both", email, address);
}

/** Key of the count of attempts to sign in to an account from all new addresses. */
export function ofAccount({ email }: Origin): string {
  return hashOf("account", email);
}

/** Key of the record with the time from which a new address may try a throttled account once more. */
export function turnOf({ email, address }: Origin): string {
  return hashOf("turn", email, address);
}

/** Key of the record of an address from which the account's owner has signed in. */
export function knownAddress(accountId: number, address: string): string {
  return hashOf("known", String(accountId), address);
}

function hashOf(...parts: readonly string[]): string {
  return sha256(JSON.stringify(parts)).toBase64({ alphabet: "base64url" });
}

/** Number of recent attempts to sign in, and the time of the last, in milliseconds since 1970. */
export interface AttemptCount {
  readonly attempts: number;
  readonly lastAt: number;
}

export const selectAttempts: Statement<[subject: string], AttemptCount> = statement(
  "SELECT attempts, last_at FROM attempt_count WHERE subject = $1",
  members({ attempts: numberColumn, lastAt: numberColumn }),
);

export const putAttempts: Statement<[subject: string, attempts: number, lastAt: number]> = statement(
  `INSERT INTO attempt_count (subject, attempts, last_at) VALUES ($1, $2, $3)
    ON CONFLICT (subject) DO UPDATE SET attempts = excluded.attempts, last_at = excluded.last_at`,
);

export const giveBackAttempts: Statement<[subject: string, attempts: number]> = statement(
  "UPDATE attempt_count SET attempts = CASE WHEN attempts > $2 THEN attempts - $2 ELSE 0 END WHERE subject = $1",
);

export const removeAttempts: Statement<[subject: string]> = statement(
  "DELETE FROM attempt_count WHERE subject = $1",
);

export const pruneAttempts: Statement<[until: number]> = statement(
  "DELETE FROM attempt_count WHERE last_at <= $1 AND account_id IS NULL",
);

/** Stores an address from which the account's owner has signed in; deleted with the account. */
export const putKnownAddress: Statement<[subject: string, accountId: number, lastAt: number]> = statement(
  `INSERT INTO attempt_count (subject, account_id, attempts, last_at) SELECT $1, id, 0, $3 FROM account WHERE id = $2
    ON CONFLICT (subject) DO UPDATE SET last_at = excluded.last_at`,
);

export const pruneKnownAddresses: Statement<[until: number]> = statement(
  "DELETE FROM attempt_count WHERE last_at <= $1 AND account_id IS NOT NULL",
);
