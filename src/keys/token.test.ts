import { describe, expect, test } from "bun:test";
import { systemRandomBytes } from "../platform/random.ts";
import { createToken, environmentOfToken, isWellFormedToken, redactToken } from "./token.ts";

describe("an API key", () => {
  test("names its environment in its prefix, and its checksum matches", () => {
    for (let count = 0; count < 200; count++) {
      const live = createToken("production", systemRandomBytes);
      const trial = createToken("staging", systemRandomBytes);
      expect(live).toMatch(/^pet_live_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/);
      expect(trial).toMatch(/^pet_test_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/);
      expect([environmentOfToken(live), environmentOfToken(trial)]).toEqual(["production", "staging"]);
      expect(isWellFormedToken(live) && isWellFormedToken(trial)).toBe(true);
    }
  });

  test("is recognised as mistyped if any one character is wrong", () => {
    const token = createToken("production", systemRandomBytes);
    for (let at = 0; at < token.length; at++) {
      const mistyped = token.slice(0, at) + (token[at] === "x" ? "y" : "x") + token.slice(at + 1);
      expect(isWellFormedToken(mistyped)).toBe(false);
    }
    expect(isWellFormedToken(token.slice(0, -1))).toBe(false);
    expect(isWellFormedToken(`${token}0`)).toBe(false);
  });

  test("is listed with its first four characters and its last four", () => {
    const token = createToken("production", systemRandomBytes);
    expect(redactToken(token)).toBe(`pet_live_${token.slice(9, 13)}…${token.slice(-4)}`);
  });

  test("its secret is uniform over 62 characters: each occurs, and none occurs twice as often as it should", () => {
    const counts = new Map<string, number>();
    const tokens = 2_000;
    for (let count = 0; count < tokens; count++) {
      for (const character of createToken("production", systemRandomBytes).slice(9, 52)) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    expect(counts.size).toBe(62);
    const expected = (tokens * 43) / 62;
    for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(expected / 2);
  });
});
