import { expect, test } from "bun:test";
import { unavailable } from "../../errors.ts";
import { createHealth, WRITE_FAILURE_HELD_MS } from "./health.ts";

test("a write that could not read its data makes the store unready until the next commit, or for a while", async () => {
  let now = 0;
  const health = createHealth(() => now);
  const isReady = () =>
    health.check().then(
      () => true,
      () => false,
    );
  health.onWriteFailure(new Error("refused for its row"));
  expect(await isReady()).toBe(true);
  health.onWriteFailure(unavailable("EIO"));
  now = WRITE_FAILURE_HELD_MS - 1;
  expect(await isReady()).toBe(false);
  now++;
  expect(await isReady()).toBe(true);
  health.onWriteFailure(unavailable("EIO"));
  expect(await isReady()).toBe(false);
  health.onCommit();
  expect(await isReady()).toBe(true);
});
