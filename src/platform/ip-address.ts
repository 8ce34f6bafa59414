import { BlockList, isIP } from "node:net";
import { convertIPv4BinaryToString, convertIPv6BinaryToString, convertIPv6ToBinary } from "hono/utils/ipaddr";

/**
 * IPv4 networks that cannot be reached from the internet: loopback, private, documentation, multicast (RFC 6890 and its registry).
 */
const SPECIAL_IPV4 = networks(
  "ipv4",
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 " +
    "192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4",
);

/** The IPv6 addresses that can be reached from the internet (RFC 4291 §2.4), apart from the networks in `SPECIAL_IPV6`. */
const GLOBAL_IPV6 = networks("ipv6", "2000::/3");
/**
 * IPv6 networks in 2000::/3 that cannot be reached from the internet. They are for protocols such as Teredo, and for documentation.
 */
const SPECIAL_IPV6 = networks("ipv6", "2001::/23 2001:db8::/32 3fff::/20");

/** True for an IPv4 or IPv6 address that is neither on this machine nor in a private network. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !SPECIAL_IPV4.check(address, "ipv4");
  if (family !== 6 || address.includes("%")) return false;
  const inner = innerIpv4(address);
  if (inner !== undefined) return isPublicAddress(inner);
  return GLOBAL_IPV6.check(address, "ipv6") && !SPECIAL_IPV6.check(address, "ipv6");
}

/**
 * Returns an error text if the destination is private, and otherwise undefined. Host names are not resolved, because each
 * delivery resolves and checks them anyway.
 */
export function privateDestinationFault({ hostname }: URL, variable: string): string | undefined {
  if (!isPrivateHost(hostname)) return undefined;
  return `has the private address ${hostname}. To deliver there, set ${variable}=allow`;
}

/** True for `localhost` and for private addresses. Names are not looked up. */
function isPrivateHost(hostname: string): boolean {
  // Names that end in `localhost` always lead to this machine (RFC 6761 §6.3).
  if (/(^|\.)localhost\.?$/i.test(hostname)) return true;
  const address = unbracketHost(hostname);
  return isIP(address) !== 0 && !isPublicAddress(address);
}

/** True if a host is a name or an address of this machine's loopback interface. */
export function isLoopbackHost(host: string): boolean {
  return /^(localhost|(::ffff:)?127(\.\d{1,3}){3}|::1)$/i.test(unbracketHost(host));
}

/**
 * Returns the IPv6 network that contains an address, such as `2001:db8:0:7::/64`.
 *
 * @param address an address or a network (if it is a network, its own prefix length is ignored)
 * @param bits the length of the returned network's prefix
 */
export function networkOf(address: string, bits: number): string {
  const [bare = ""] = address.split("/", 1);
  const hostBits = BigInt(128 - bits);
  return `${convertIPv6BinaryToString((convertIPv6ToBinary(bare) >> hostBits) << hostBits)}/${bits}`;
}

/** Formats a host for a URL: an IPv6 address gets brackets. */
export function bracketHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

export function unbracketHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/**
 * Returns the IPv4 address inside an IPv6 address: mapped (RFC 4291), NAT64 (RFC 6052) or 6to4 (RFC 3056). Returns undefined for
 * any other address.
 */
function innerIpv4(address: string): string | undefined {
  const bits = convertIPv6ToBinary(address);
  if (bits >> 32n === MAPPED_96 || bits >> 32n === NAT64_96)
    return convertIPv4BinaryToString(bits & 0xffff_ffffn);
  return bits >> 112n === SIX_TO_FOUR_16
    ? convertIPv4BinaryToString((bits >> 80n) & 0xffff_ffffn)
    : undefined;
}

/** The first bits of IPv6 addresses that contain an IPv4 address: `::ffff:0:0/96`, `64:ff9b::/96`, `2002::/16`. */
const MAPPED_96 = 0xffffn;
const NAT64_96 = 0x0064_ff9b_0000_0000_0000_0000n;
const SIX_TO_FOUR_16 = 0x2002n;

function networks(family: "ipv4" | "ipv6", list: string): BlockList {
  const found = new BlockList();
  for (const network of list.split(" ")) {
    const [address = "", bits] = network.split("/");
    found.addSubnet(address, Number(bits), family);
  }
  return found;
}
