import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLoginThrottle, type LoginThrottle } from "../src/accounts/sessions/login-throttle.ts";
import { ServiceError } from "../src/errors.ts";
import type { Database } from "../src/storage/database.ts";
import { openDatabase } from "../src/storage/open.ts";
import { createRandom } from "./random.ts";

// Tests the throttle for sign-ins on a real database. No password is hashed, and the time is a parameter.

const SECOND = 1_000;
const dataDir = mkdtempSync(join(tmpdir(), "petstore-throttle-"));
let accounts: Database;
let throttle: LoginThrottle;
beforeAll(async () => {
  accounts = await openDatabase("accounts", { dataDir });
  throttle = createLoginThrottle(accounts);
});
afterAll(async () => {
  await accounts.close();
  rmSync(dataDir, { recursive: true });
});

/** Resolves to the seconds in `Retry-After`, or to undefined if the attempt to sign in was admitted. */
async function attempt(email: string, address: string, now: number): Promise<number | undefined> {
  try {
    await throttle.consume({ email, accountId: undefined, address, isSharedAddress: false, now });
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return Number(error.headers["Retry-After"]);
  }
}

const ipv4 = (value: number) => `203.${value >> 16}.${(value >> 8) & 255}.${value & 255}`;
const ipv6 = (value: number) => `2001:${(value >> 8).toString(16)}:${value & 255}:0::/64`;
const ADDRESSES_MAX = 20_000;

/**
 * Resolves to the number of seconds that an owner at a new address has to wait during an attack, if the owner obeys `Retry-After`.
 */
async function waitOfOwner(round: number): Promise<number> {
  const { between } = createRandom(round);
  const email = `owner-${round}@example.com`;
  const addresses = between(1, ADDRESSES_MAX);
  const networkOf = between(0, 1) === 0 ? ipv4 : ipv6;
  const attemptsPerSecond = between(1, 10);
  const arrivesAt = between(0, 119) * SECOND;
  let returnsAt = arrivesAt;
  for (let now = 0; now <= arrivesAt + 120 * SECOND; now += SECOND) {
    const poll = () => attempt(email, networkOf(round * ADDRESSES_MAX + between(0, addresses - 1)), now);
    await Promise.all(Array.from({ length: attemptsPerSecond }, poll));
    if (now < returnsAt) continue;
    const wait = await attempt(email, `198.51.100.${round}`, now);
    if (wait === undefined) return (returnsAt - arrivesAt) / SECOND;
    returnsAt = now + wait * SECOND;
  }
  return Number.POSITIVE_INFINITY;
}

describe("an attacker who polls from changing addresses", () => {
  test("keeps an owner who obeys Retry-After out for at most 60 seconds, in 100 rounds of 100", async () => {
    const waits = await Promise.all(Array.from({ length: 100 }, (_, round) => waitOfOwner(round)));
    expect(waits.filter((wait) => wait > 60)).toEqual([]);
    // Most of the owners had to wait, so the attack had an effect.
    expect(waits.filter((wait) => wait > 0).length).toBeGreaterThan(50);
  });

  test("gets one attempt at an address for each wait that it obeys, and after five attempts each wait is longer", async () => {
    const email = "guessed@example.com";
    let now = 0;
    for (let other = 0; other < 40; other++) await attempt(email, ipv4(other), now);
    const admittedAt: number[] = [];
    for (; now < 3_600 * SECOND; now += SECOND)
      if ((await attempt(email, "192.0.2.1", now)) === undefined) admittedAt.push(now / SECOND);
    expect(admittedAt.length).toBeLessThan(20);
    expect(admittedAt[0]).toBe(30);
  });

  test("is limited by /48, however many /64 of it are used", async () => {
    const email = "site@example.com";
    const admitted: string[] = [];
    for (let subnet = 0; subnet < 100; subnet++) {
      const address = `2001:db8:77:${subnet.toString(16)}::/64`;
      if ((await attempt(`${email}${subnet}`, address, 0)) === undefined) admitted.push(address);
    }
    expect(admitted).toHaveLength(80);
    expect(await attempt(email, "2001:db8:78:1::/64", 0)).toBeUndefined();
  });
});

test("an attempt that could not be checked does not count, and may be made again at once", async () => {
  const email = "busy@example.com";
  for (let other = 0; other < 40; other++) await attempt(email, ipv4(other), 0);
  const mine = { email, accountId: undefined, address: "192.0.2.9", isSharedAddress: false };
  expect(await attempt(email, mine.address, 0)).toBe(30);
  for (let busy = 0; busy < 10; busy++) {
    expect(await attempt(email, mine.address, 30 * SECOND)).toBeUndefined();
    await throttle.undo({ ...mine, now: 30 * SECOND });
  }
  expect(await attempt(email, mine.address, 30 * SECOND)).toBeUndefined();
});
