import { type BlockList, isIP } from "node:net";
import { isLoopbackHost, networkOf } from "../platform/ip-address.ts";
import type { Call } from "./call.ts";

interface ClientAddress {
  /** The client's IP address. For IPv6 it is the first 64 bits, because one customer has a whole /64 (RFC 6177). */
  readonly address: string;
  /** True if several clients may share the address: loopback, a proxy's, or unknown. */
  readonly isSharedAddress: boolean;
}

/** Creates a function that finds the address of a request's sender, behind the proxies of `PETSTORE_TRUSTED_PROXIES`. */
export function addressOfSender(trusted: BlockList | undefined) {
  return ({ request, peer }: Pick<Call, "request" | "peer">) =>
    clientAddress(peer(), request.headers.get("x-forwarded-for"), trusted).address;
}

/**
 * The address of a request's client. Behind trusted proxies, the last address in `X-Forwarded-For` that is not a trusted
 * proxy.
 *
 * @param peer address of the other end of the connection
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | null,
  trusted: BlockList | undefined,
): ClientAddress {
  let address = normalize(peer ?? "");
  const chain = forwardedFor?.split(",") ?? [];
  while (chain.length > 0 && isIn(trusted, address)) {
    const before = normalize(chain.pop()?.trim() ?? "");
    if (isIP(before) === 0) break;
    address = before;
  }
  // Stops at an untrusted address, because it could have invented the rest of the chain.
  const isProxy = isIn(trusted, address) || (chain.length > 0 && address === normalize(peer ?? ""));
  return {
    address: isIP(address) === 6 ? networkOf(address, 64) : address,
    isSharedAddress: isProxy || isLoopbackHost(address) || isIP(address) === 0,
  };
}

/** Removes port, brackets and zone from an IP address; an IPv4-mapped IPv6 address becomes IPv4. */
function normalize(address: string): string {
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/.exec(address) ?? [];
  return (bracketed ?? dotted ?? address).replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
}

function isIn(trusted: BlockList | undefined, address: string): boolean {
  const family = isIP(address);
  return trusted !== undefined && family !== 0 && trusted.check(address, family === 4 ? "ipv4" : "ipv6");
}
