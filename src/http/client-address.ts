import { type BlockList, isIP } from "node:net";
import { isLoopbackHost, networkOf } from "../platform/ip-address.ts";
import type { RequestContext } from "./request-context.ts";

interface ClientAddress {
  /** Of IPv6 the first 64 bits, because one customer has a whole /64 (RFC 6177). */
  readonly address: string;
  /** Loopback, a proxy's, or unknown. */
  readonly isSharedAddress: boolean;
}

/** The address that a request was sent from, behind the proxies of `PETSTORE_TRUSTED_PROXIES`. */
export function addressOfSender(trusted: BlockList | undefined) {
  return ({ request, peer }: Pick<RequestContext, "request" | "peer">) =>
    clientAddress(peer(), request.headers.get("x-forwarded-for"), trusted).address;
}

/**
 * The address of a request's client. Behind trusted proxies, this is the last address in `X-Forwarded-For` that is not
 * itself a trusted proxy.
 *
 * @param peer the address at the other end of the connection
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
  // The rest of the chain at the peer's own address was added by a proxy that is not trusted.
  const isProxy = isIn(trusted, address) || (chain.length > 0 && address === normalize(peer ?? ""));
  return {
    address: isIP(address) === 6 ? networkOf(address, 64) : address,
    isSharedAddress: isProxy || isLoopbackHost(address) || isIP(address) === 0,
  };
}

/** Without port and brackets; an IPv4-mapped IPv6 address becomes the IPv4 address. */
function normalize(address: string): string {
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/.exec(address) ?? [];
  return (bracketed ?? dotted ?? address).replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
}

function isIn(trusted: BlockList | undefined, address: string): boolean {
  const family = isIP(address);
  return trusted !== undefined && family !== 0 && trusted.check(address, family === 4 ? "ipv4" : "ipv6");
}
