import { BlockList, isIP } from "node:net";

/** IPv4 that is not for the internet at large (RFC 6890 and its registry): this machine, its networks, examples, groups. */
const SPECIAL_IPV4 = networks("ipv4", [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"],
  ...["192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24"],
  ...["203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
]);

/** All that the internet at large has been given of IPv6 (RFC 4291 §2.4) … */
const GLOBAL_IPV6 = networks("ipv6", ["2000::/3"]);
/** … but for protocols (Teredo among them) and examples. */
const SPECIAL_IPV6 = networks("ipv6", ["2001::/23", "2001:db8::/32", "3fff::/20"]);

/** Whether an address, IPv4 or IPv6, is one of the internet at large: not of this machine, nor of a network of its owner's. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !SPECIAL_IPV4.check(address, "ipv4");
  if (family !== 6 || address.includes("%")) return false;
  const inner = innerIpv4(address);
  if (inner !== undefined) return isPublicAddress(inner);
  return GLOBAL_IPV6.check(address, "ipv6") && !SPECIAL_IPV6.check(address, "ipv6");
}

/** Whether a host in a URL names, by itself and without being looked up, what is not public. */
export function isPrivateHost(hostname: string): boolean {
  // RFC 6761 §6.3: these never lead anywhere else.
  if (/(^|\.)localhost\.?$/i.test(hostname)) return true;
  const address = unbracketHost(hostname);
  return isIP(address) !== 0 && !isPublicAddress(address);
}

/** The address in a URL's host, without the brackets of IPv6; a name stays as it is. */
export function unbracketHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** The IPv4 address that an IPv6 one leads to: mapped (RFC 4291), through NAT64 (RFC 6052) or through 6to4 (RFC 3056). */
function innerIpv4(address: string): string | undefined {
  const groups = groupsOf(address);
  const [first, second] = groups;
  const head = groups.slice(0, 6).join(":");
  const isMapped = head === "0:0:0:0:0:ffff";
  const isNat64 = head === "64:ff9b:0:0:0:0";
  if (isMapped || isNat64) return dotted(groups.slice(6));
  return first === "2002" ? dotted([second ?? "0", groups[2] ?? "0"]) : undefined;
}

/** The eight groups of an IPv6 address, in hexadecimal without leading zeros. */
function groupsOf(address: string): readonly string[] {
  // The URL parser writes every spelling in one way: RFC 5952, with no dots.
  const [head = "", tail] = unbracketHost(new URL(`http://[${address}]`).hostname).split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  return [...before, ...new Array<string>(8 - before.length - after.length).fill("0"), ...after];
}

function dotted(groups: readonly string[]): string {
  return groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join(".");
}

function networks(family: "ipv4" | "ipv6", list: readonly string[]): BlockList {
  const found = new BlockList();
  for (const network of list) {
    const [address = "", bits] = network.split("/");
    found.addSubnet(address, Number(bits), family);
  }
  return found;
}
