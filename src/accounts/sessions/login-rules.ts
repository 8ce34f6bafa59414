import { networkOf } from "../../platform/ip-address.ts";
import { sha256 } from "../../platform/sha256.ts";

const LOGIN_FREE_PER_ADDRESS_AND_ACCOUNT = 5; // attempts without a wait; an IPv6 address is its /64
const LOGIN_FREE_PER_SITE_AND_ACCOUNT = 20; // attempts without a wait, by all /64 of one IPv6 /48
const LOGIN_FREE_PER_ADDRESS = 20; // attempts without a wait, on all accounts together
const LOGIN_FREE_PER_SITE = 80; // attempts without a wait, on all accounts together, by one IPv6 /48

/** What is counted, and how the wait grows: `free` attempts without one, then twice as long with each. */
export interface LoginRule {
  /** A hash of what is counted. */
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

/** Limits what one address does, on all accounts together. */
export function rulesOfAddress(what: "address" | "sign up", address: string): readonly LoginRule[] {
  const site = siteOf(address);
  const ofAddress = rule(LOGIN_FREE_PER_ADDRESS, what, address);
  return site === undefined ? [ofAddress] : [ofAddress, rule(LOGIN_FREE_PER_SITE, what, site)];
}

/** The /48 of an IPv6 network: one customer may have a whole one (RFC 6177), which holds 65,536 of /64. */
function siteOf(address: string): string | undefined {
  return address.includes(":") ? networkOf(address, 48) : undefined;
}

function rule(free: number, ...subject: readonly string[]): LoginRule {
  return { subject: hashOf(...subject), free };
}

export function byBoth({ email, address }: Origin): LoginRule {
  return rule(LOGIN_FREE_PER_ADDRESS_AND_ACCOUNT, "both", email, address);
}

/** The row that counts the attempts of all new addresses. */
export function ofAccount({ email }: Origin): string {
  return hashOf("account", email);
}

/** The row whose time is that of the turn. */
export function turnOf({ email, address }: Origin): string {
  return hashOf("turn", email, address);
}

/** The row of an address that the account's owner has signed in from. */
export function knownAddress(accountId: number, address: string): string {
  return hashOf("known", String(accountId), address);
}

function hashOf(...parts: readonly string[]): string {
  return sha256(JSON.stringify(parts)).toBase64({ alphabet: "base64url" });
}
