import { networkOf } from "../../platform/ip-address.ts";
import { sha256 } from "../../platform/sha256.ts";
import type { AttemptCount } from "./login-store.ts";

const LOGIN_FREE_PER_ADDRESS_AND_ACCOUNT = 5; // number of sign-in attempts that one network address may make on one account before it has to wait; the /64 network of an IPv6 address counts as one address
const LOGIN_FREE_PER_SITE_AND_ACCOUNT = 20; // number of sign-in attempts that all /64 networks of one IPv6 /48 network together may make on one account before they have to wait
const LOGIN_FREE_PER_ADDRESS = 20; // number of sign-in attempts that one network address may make on all accounts together before it has to wait
const LOGIN_FREE_PER_SITE = 80; // number of sign-in attempts that one IPv6 /48 network may make on all accounts together before it has to wait
export const LOGIN_FREE_PER_ACCOUNT = 20; // number of sign-in attempts that all unknown addresses together may make on one account before they have to wait
const LOGIN_WAIT_MIN_MS = 1_000; // the wait of an address whose free sign-in attempts have been used up; it doubles with each further attempt
const LOGIN_WAIT_MAX_MS = 15 * 60_000; // the longest time that one network address has to wait before its next sign-in attempt
export const LOGIN_WAIT_PER_ACCOUNT_MS = 30_000; // longest time that other people's attempts can keep an account's owner from signing in at a new address, counted from the last of these attempts
export const LOGIN_TURN_MS = 10 * 60_000; // time within which an address must make its next attempt after a wait; if it makes the attempt later, it must wait again
const LOGIN_CLOCK_SKEW_MAX_MS = 60_000; // maximum expected difference between the clocks of two processes; if the last attempt of a count lies further in the future, the count is discarded
export const LOGIN_COUNT_RETENTION_MS = 3_600_000; // time without an attempt after which a count is reset to 0; it is longer than the longest wait
export const KNOWN_ADDRESS_MS = 90 * 24 * 3_600_000; // time for which an address stays known after the account's owner has signed in from it; other people's attempts do not delay sign-ins from a known address

/**
 * A rule that limits sign-in attempts: the first `free` attempts do not have to wait, and each further attempt must wait twice
 * as long as the one before it.
 */
export interface LoginRule {
  /**
   * The key of the stored count of attempts. It is a hash of the thing that the rule limits, such as the combination of an email
   * address and a network address.
   */
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

/** The rules that limit sign-in attempts from one network address, no matter on which account. */
export function rulesOfAddress(what: "address" | "sign up" | "reset", address: string): readonly LoginRule[] {
  const site = siteOf(address);
  const ofAddress = rule(LOGIN_FREE_PER_ADDRESS, what, address);
  return site === undefined ? [ofAddress] : [ofAddress, rule(LOGIN_FREE_PER_SITE, what, site)];
}

/**
 * Returns the IPv6 /48 network that contains an address. A single customer of an Internet provider may have a whole /48 network
 * (RFC 6177), which contains 65,536 networks of size /64.
 */
function siteOf(address: string): string | undefined {
  return address.includes(":") ? networkOf(address, 48) : undefined;
}

function rule(free: number, ...subject: readonly string[]): LoginRule {
  return { subject: hashOf(...subject), free };
}

export function byBoth({ email, address }: Origin): LoginRule {
  return rule(LOGIN_FREE_PER_ADDRESS_AND_ACCOUNT, "both", email, address);
}

/** Returns the key under which all sign-in attempts on an account from new addresses are counted. */
export function ofAccount({ email }: Origin): string {
  return hashOf("account", email);
}

/**
 * While sign-ins to an account are throttled, a record says when a new network address may try next. Returns the key of this
 * record.
 */
export function turnOf({ email, address }: Origin): string {
  return hashOf("turn", email, address);
}

/** Returns the key of the record that says that the account's owner has signed in from this address. */
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
 * Returns true if the last counted attempt was recent, or lies slightly in the future. If it lies far in the future, somebody has
 * since set the clock back.
 */
export function isFresh({ lastAt }: AttemptCount, now: number): boolean {
  return now - lastAt < LOGIN_COUNT_RETENTION_MS && lastAt - now < LOGIN_CLOCK_SKEW_MAX_MS;
}
