import { expect, test } from "bun:test";
import { createTestClock } from "../../../test/clock.ts";
import { compareWithServer } from "./clock.ts";

test.each([
  [0, "ok"],
  [9_000, "ok"],
  [12_000, "fail"],
])("reading the database server's clock takes %i ms: %s", async (milliseconds, state) => {
  const clock = createTestClock();
  const read = async () => {
    const theirs = clock.now();
    await clock.advance(milliseconds);
    return theirs;
  };
  expect(await compareWithServer(clock, read)).toMatchObject({ check: "clock", state });
});

test("a clock that differs from the database server's clock by more than 5 s is a failure", async () => {
  const clock = createTestClock();
  const found = async (off: number) => (await compareWithServer(clock, async () => clock.now() + off)).state;
  expect([await found(5_000), await found(5_001), await found(-5_001)]).toEqual(["ok", "fail", "fail"]);
});
