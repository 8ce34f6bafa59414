import { type BlockList, isIP } from "node:net";
import { isLoopbackHost, networkOf } from "../platform/ip-address.ts";
import type { Call } from "./call.ts";

interface ClientAddress {
  /** The client's IP address. For IPv6, the /64 network that contains it, because each customer gets a whole /64 (RFC 6177). */
  readonly address: string;
  /** True if several clients may share the address: it is a loopback address, the address of a proxy, or unknown. */
  readonly isSharedAddress: boolean;
}

/**
 * Creates a function that finds the address of a request's sender, even if the request came through the proxies that
 * `PETSTORE_TRUSTED_PROXIES` lists.
 */
export function addressOfSender(trusted: BlockList | undefined) {
  return ({ request, peer }: Pick<Call, "request" | "peer">) =>
    clientAddress(peer(), request.headers.get("x-forwarded-for"), trusted).address;
}

/**
 * Finds the address of a request's client. If the request came through trusted proxies, it is the last address in
 * `X-Forwarded-For` that is not a trusted proxy.
 *
 * @param peer the address of the other end of the connection
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
  // The search stops at the first untrusted address, because the host at that address could have invented the rest of the chain.
  const isProxy = isIn(trusted, address) || (chain.length > 0 && address === normalize(peer ?? ""));
  return {
    address: isIP(address) === 6 ? networkOf(address, 64) : address,
    isSharedAddress: isProxy || isLoopbackHost(address) || isIP(address) === 0,
  };
}

/** Removes the port, the brackets and the zone from an IP address, and turns an IPv4-mapped IPv6 address into IPv4. */
function normalize(address: string): string {
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/.exec(address) ?? [];
  return (bracketed ?? dotted ?? address).replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
}

function isIn(trusted: BlockList | undefined, address: string): boolean {
  const family = isIP(address);
  return trusted !== undefined && family !== 0 && trusted.check(address, family === 4 ? "ipv4" : "ipv6");
}
