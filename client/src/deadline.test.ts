import { expect, test } from "bun:test";
import { wait } from "./deadline.ts";

test("a wait beyond the longest delay of setTimeout does not end at once", async () => {
  const controller = new AbortController();
  const long = wait(2 ** 31, controller.signal).then(() => "ended");
  expect(await Promise.race([long, wait(20, undefined).then(() => "waiting")])).toBe("waiting");
  controller.abort(new Error("enough"));
  await expect(long).rejects.toThrow("enough");
});
