import { networkOf } from "../../platform/ip-address.ts";
import { sha256 } from "../../platform/sha256.ts";
import type { AttemptCount } from "./login-store.ts";

const LOGIN_FREE_PER_ADDRESS_AND_ACCOUNT = 5; // attempts without a wait, from one address; the /64 of an IPv6 address counts as one address
const LOGIN_FREE_PER_SITE_AND_ACCOUNT = 20; // attempts without a wait, from all /64 of one IPv6 /48
const LOGIN_FREE_PER_ADDRESS = 20; // attempts without a wait, on all accounts together, from one address
const LOGIN_FREE_PER_SITE = 80; // attempts without a wait, on all accounts together, from one IPv6 /48
export const LOGIN_FREE_PER_ACCOUNT = 20; // attempts without a wait, from all unknown addresses together
const LOGIN_WAIT_MIN_MS = 1_000; // first wait after the free attempts; it doubles with each attempt
const LOGIN_WAIT_MAX_MS = 15 * 60_000; // longest wait of an address
export const LOGIN_WAIT_PER_ACCOUNT_MS = 30_000; // longest wait since the last attempt that other people can cause for the account's owner at a new address
export const LOGIN_TURN_MS = 10 * 60_000; // how long an address may use its turn before it has to wait again
const LOGIN_CLOCK_SKEW_MAX_MS = 60_000; // largest difference between the clocks of two processes; a count from further in the future is dropped
export const LOGIN_COUNT_RETENTION_MS = 3_600_000; // after this time without an attempt, a count starts at 0 again; longer than the longest wait
export const KNOWN_ADDRESS_MS = 90 * 24 * 3_600_000; // for this time after a sign-in from an address, the attempts of others do not delay it

/** Throttling rule: `free` attempts need not wait; after them, the wait doubles with each attempt. */
export interface LoginRule {
  /** Key of the count: a hash of whatever is counted, such as an email address together with a network address. */
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

/** Throttling rules for one network address, for all accounts together. */
export function rulesOfAddress(what: "address" | "sign up" | "reset", address: string): readonly LoginRule[] {
  const site = siteOf(address);
  const ofAddress = rule(LOGIN_FREE_PER_ADDRESS, what, address);
  return site === undefined ? [ofAddress] : [ofAddress, rule(LOGIN_FREE_PER_SITE, what, site)];
}

/** The /48 of an IPv6 network. One customer may have a whole /48 (RFC 6177), which contains 65,536 networks of /64. */
function siteOf(address: string): string | undefined {
  return address.includes(":") ? networkOf(address, 48) : undefined;
}

function rule(free: number, ...subject: readonly string[]): LoginRule {
  return { subject: hashOf(...subject), free };
}

export function byBoth({ email, address }: Origin): LoginRule {
  return rule(LOGIN_FREE_PER_ADDRESS_AND_ACCOUNT, "both", email, address);
}

/** Key of the count of attempts to sign in to an account from new addresses, all together. */
export function ofAccount({ email }: Origin): string {
  return hashOf("account", email);
}

/** Key of the record of the time from which a new address may try a throttled account once more. */
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

export function waitFor({ attempts, lastAt }: AttemptCount, { free }: LoginRule, now: number): number {
  if (attempts < free) return 0;
  return lastAt + Math.min(LOGIN_WAIT_MIN_MS * 2 ** (attempts - free), LOGIN_WAIT_MAX_MS) - now;
}

/**
 * True if a count's last attempt is recent, or slightly in the future. If it is far in the future, the clock has been set back
 * since.
 */
export function isFresh({ lastAt }: AttemptCount, now: number): boolean {
  return now - lastAt < LOGIN_COUNT_RETENTION_MS && lastAt - now < LOGIN_CLOCK_SKEW_MAX_MS;
}
