import { expect, test } from "bun:test";
import { createKept } from "./kept.ts";

test("callers that look for a value at the same time wait for one attempt", async () => {
  const kept = createKept<number>(1_000);
  const found = Promise.withResolvers<number>();
  let attempts = 0;
  const find = () => {
    attempts++;
    return found.promise;
  };
  const callers = [kept.find(0, "store", find), kept.find(999, "store", find)];
  found.resolve(7);
  expect([await Promise.all(callers), attempts]).toEqual([[7, 7], 1]);
  await kept.find(1_000, "store", find);
  await kept.find(1_000, "another store", find);
  expect(attempts).toBe(3);
});
