import {
  LOGIN_FREE_PER_ADDRESS,
  LOGIN_FREE_PER_ADDRESS_AND_ACCOUNT,
  LOGIN_FREE_PER_SITE,
  LOGIN_FREE_PER_SITE_AND_ACCOUNT,
  LOGIN_WAIT_MAX_MS,
} from "../limits.ts";
import { networkOf } from "../platform/ip-address.ts";
import { sha256 } from "../platform/sha256.ts";

/** What is counted, and how the wait grows: `free` attempts without one, then twice as long with each. */
export interface LoginRule {
  /** A hash of what is counted. */
  readonly subject: string;
  readonly free: number;
  readonly waitMaxMs: number;
}

interface Origin {
  readonly email: string;
  readonly address: string;
}

export function rulesAtNewAddress(attempt: Origin): readonly LoginRule[] {
  const { email, address } = attempt;
  const subject = hashOf("address", address);
  const rules = [byBoth(attempt), { subject, free: LOGIN_FREE_PER_ADDRESS, waitMaxMs: LOGIN_WAIT_MAX_MS }];
  if (!address.includes(":")) return rules;
  // One customer may have a whole /48 (RFC 6177), which holds 65,536 of /64.
  const site = networkOf(address, 48);
  return [
    ...rules,
    {
      subject: hashOf("both", email, site),
      free: LOGIN_FREE_PER_SITE_AND_ACCOUNT,
      waitMaxMs: LOGIN_WAIT_MAX_MS,
    },
    { subject: hashOf("address", site), free: LOGIN_FREE_PER_SITE, waitMaxMs: LOGIN_WAIT_MAX_MS },
  ];
}

export function signUpsFrom(address: string): readonly LoginRule[] {
  const rule = (network: string, free: number) => ({
    subject: hashOf("sign up", network),
    free,
    waitMaxMs: LOGIN_WAIT_MAX_MS,
  });
  const ofAddress = rule(address, LOGIN_FREE_PER_ADDRESS);
  return address.includes(":") ? [ofAddress, rule(networkOf(address, 48), LOGIN_FREE_PER_SITE)] : [ofAddress];
}

export function byBoth({ email, address }: Origin): LoginRule {
  const subject = hashOf("both", email, address);
  return { subject, free: LOGIN_FREE_PER_ADDRESS_AND_ACCOUNT, waitMaxMs: LOGIN_WAIT_MAX_MS };
}

/** The row that counts the attempts of all new addresses. */
export function ofAccount({ email }: Origin): string {
  return hashOf("account", email);
}

/** The row whose time is that of the turn. */
export function turnOf({ email, address }: Origin): string {
  return hashOf("turn", email, address);
}

export function hashOf(...parts: readonly string[]): string {
  return sha256(JSON.stringify(parts)).toBase64({ alphabet: "base64url" });
}
