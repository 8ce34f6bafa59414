import { expect, test } from "bun:test";
import { BlockList } from "node:net";
import { clientAddress } from "./client-address.ts";

const PROXIES = new BlockList();
PROXIES.addSubnet("10.0.0.0", 8, "ipv4");

test.each([
  ["198.51.100.7", null, "198.51.100.7", false],
  ["::ffff:198.51.100.7", null, "198.51.100.7", false],
  ["2001:DB8:0:7:1:2:3:4", null, "2001:db8:0:7::/64", false],
  ["2001:db8:0:7::1%eth0", null, "2001:db8:0:7::/64", false],
  ["127.0.0.1", null, "127.0.0.1", true],
  ["127.9.9.9", null, "127.9.9.9", true],
  ["::1", null, "::/64", true],
  ["10.0.0.1", null, "10.0.0.1", true],
  ["10.0.0.1", "not an address", "10.0.0.1", true],
  ["10.0.0.1", "198.51.100.7", "198.51.100.7", false],
  ["10.0.0.1", "[2001:db8:0:7::1]:443", "2001:db8:0:7::/64", false],
  ["10.0.0.1", "203.0.113.9, 198.51.100.7, 10.9.9.9", "198.51.100.7", false],
  ["192.0.2.1", "198.51.100.7", "192.0.2.1", true],
  [undefined, null, "", true],
])("peer %p, forwarded for %p: %p, shared: %p", (peer, forwardedFor, address, isSharedAddress) =>
  expect(clientAddress(peer, forwardedFor, PROXIES)).toEqual({ address, isSharedAddress }),
);
