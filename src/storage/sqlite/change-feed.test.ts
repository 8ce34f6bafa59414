import { expect, test } from "bun:test";
import { FEED_STALE_MS } from "../../limits.ts";
import { createCommitFeed } from "./change-feed.ts";
import type { Writer } from "./group-commit.ts";

test("if the version cannot be read, the feed reports changes and becomes unhealthy without an error", async () => {
  const writer: Pick<Writer, "onCommitted"> = {};
  let isFailing = false;
  let changes = 0;
  let now = 0;
  const looked = Promise.withResolvers<void>();
  const commits = createCommitFeed(writer, {
    version() {
      if (isFailing) throw new Error("EIO");
      return 1n;
    },
    monotonicMs: () => now,
  });
  const feed = commits.subscribe(() => {
    if (++changes === 2) looked.resolve();
  });
  isFailing = true;
  expect(writer.onCommitted).not.toThrow();
  // Waits until the timer has called the subscriber.
  await looked.promise;
  expect(feed.isHealthy()).toBe(true);
  now = FEED_STALE_MS;
  expect(feed.isHealthy()).toBe(false);
  isFailing = false;
  writer.onCommitted?.();
  expect(feed.isHealthy()).toBe(true);
  commits.close();
});
