import { describe, expect, test } from "bun:test";
import { andFinally, andThen, orElse } from "./maybe.ts";

const fault = new Error("fault");
function fail(): never {
  throw fault;
}

describe("a value that is there already", () => {
  test("is passed on at once, and so is a thrown error", () => {
    expect(andThen(1, (value) => value + 1)).toBe(2);
    expect(() => andThen(1, fail)).toThrow(fault);
    expect(orElse(() => 1, fail)).toBe(1);
    expect(orElse<unknown>(fail, (error) => error)).toBe(fault);
  });

  test("ends its work before it is passed on", () => {
    let ends = 0;
    const end = () => void ends++;
    expect(andFinally(() => 1, end)).toBe(1);
    expect(ends).toBe(1);
    expect(() => andFinally(fail, end)).toThrow(fault);
    expect(ends).toBe(2);
  });
});

describe("a promise", () => {
  test("is waited for, and what it rejects with is passed on", async () => {
    expect(await andThen(Promise.resolve(1), (value) => value + 1)).toBe(2);
    expect(
      await orElse<unknown>(
        () => Promise.reject(fault),
        (error) => error,
      ),
    ).toBe(fault);
    await expect(Promise.resolve(andThen(Promise.reject(fault), fail))).rejects.toBe(fault);
  });

  test("ends its work once, before it is passed on", async () => {
    let ends = 0;
    const end = () => void ends++;
    const { promise, resolve } = Promise.withResolvers<number>();
    const ended = andFinally(() => promise, end);
    expect(ends).toBe(0);
    resolve(1);
    expect(await ended).toBe(1);
    expect(ends).toBe(1);
    expect(
      await orElse<unknown>(
        () => andFinally(() => Promise.reject(fault), end),
        (error) => error,
      ),
    ).toBe(fault);
    expect(ends).toBe(2);
  });
});
