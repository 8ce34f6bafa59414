import { describe, expect, test } from "bun:test";
import { delayBeforeRetry, readRetryAfter } from "./retry.ts";

describe("the delay before a retry", () => {
  const many = (attempts: number, retryAfterSeconds?: number) =>
    Array.from({ length: 1_000 }, () => delayBeforeRetry(attempts, retryAfterSeconds));

  test("is random below a bound that doubles up to 8 seconds", () => {
    for (const [attempts, bound] of [
      [1, 500],
      [2, 1_000],
      [4, 4_000],
      [5, 8_000],
      [50, 8_000],
    ] as const) {
      const delays = many(attempts);
      expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
      expect(Math.min(...delays)).toBeLessThan(bound / 4);
      expect(Math.max(...delays)).toBeLessThan(bound);
      expect(Math.max(...delays)).toBeGreaterThan((bound * 3) / 4);
    }
  });

  test("is never shorter than Retry-After", () => {
    expect(Math.min(...many(1, 3))).toBeGreaterThanOrEqual(3_000);
    expect(Math.max(...many(1, 3))).toBeLessThan(3_500);
  });
});

describe("Retry-After", () => {
  const secondsOf = (retryAfter: string, date?: string) =>
    readRetryAfter(new Headers({ "Retry-After": retryAfter, ...(date !== undefined && { Date: date }) }));

  test("is a number of seconds, or a date that is compared with the service's own clock", () => {
    expect(secondsOf("0")).toBe(0);
    expect(secondsOf(" 120 ")).toBe(120);
    expect(secondsOf("Tue, 01 Jan 2030 00:02:00 GMT", "Tue, 01 Jan 2030 00:00:00 GMT")).toBe(120);
    expect(secondsOf("Tue, 01 Jan 2030 00:00:00 GMT", "Tue, 01 Jan 2030 00:02:00 GMT")).toBe(0);
  });

  test("is compared with this machine's clock if the Date header is unreadable", () => {
    expect(secondsOf("Thu, 01 Jan 1970 00:00:00 GMT")).toBe(0);
    expect(secondsOf("Fri, 31 Dec 9999 23:59:59 GMT")).toBeGreaterThan(10 ** 9);
  });

  test("is undefined for anything else", () => {
    for (const wrong of ["", "soon", "-1", "1.5", "1e3", "99999999999"]) {
      expect([wrong, secondsOf(wrong)]).toEqual([wrong, undefined]);
    }
    expect(readRetryAfter(new Headers())).toBeUndefined();
  });
});
