import { type BlockList, isIP } from "node:net";

/**
 * The address of a request's client. Behind trusted proxies, this is the last address in `X-Forwarded-For` that is not
 * itself a trusted proxy.
 *
 * @param peer the address at the other end of the connection
 * @returns an address; of IPv6 the first 64 bits, because one customer has a whole /64 (RFC 6177)
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | null,
  trusted: BlockList | undefined,
): string {
  let address = normalize(peer ?? "");
  const chain = forwardedFor?.split(",") ?? [];
  while (chain.length > 0 && isIn(trusted, address)) {
    const before = normalize(chain.pop()?.trim() ?? "");
    if (isIP(before) === 0) break;
    address = before;
  }
  return isIP(address) === 6 ? networkOf(address) : address;
}

/** Without port and brackets; an IPv4-mapped IPv6 address becomes the IPv4 address. */
function normalize(address: string): string {
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/.exec(address) ?? [];
  return (bracketed ?? dotted ?? address).replace(/^::ffff:(?=\d+\.)/i, "");
}

function isIn(trusted: BlockList | undefined, address: string): boolean {
  const family = isIP(address);
  return trusted !== undefined && family !== 0 && trusted.check(address, family === 4 ? "ipv4" : "ipv6");
}

function networkOf(address: string): string {
  const [head = "", tail = ""] = address.toLowerCase().split("::", 2);
  const groups = head === "" ? [] : head.split(":");
  const last = tail === "" ? [] : tail.split(":");
  const filled = address.includes("::")
    ? [...groups, ...new Array<string>(Math.max(0, 8 - groups.length - last.length)).fill("0"), ...last]
    : groups;
  return `${filled
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}
