import { COMMIT_POLL_MS, FEED_STALE_MS } from "../../limits.ts";
import type { ChangeFeed, OnChange } from "../change-feed.ts";
import type { DataVersion } from "../database.ts";
import type { Writer } from "./group-commit.ts";

/**
 * Tells of every commit: our own before whoever asked for it hears of it, another process's within `COMMIT_POLL_MS`. What
 * has changed is not told, so all that was remembered is to be forgotten.
 */
export function subscribeToCommits(
  writer: Writer,
  version: () => DataVersion,
  onChange: OnChange,
): ChangeFeed {
  let seen = version();
  let lookedAt = performance.now();

  function look(): void {
    const current = version();
    lookedAt = performance.now();
    if (current === seen) return;
    seen = current;
    onChange(undefined);
  }

  const told = writer.onCommitted;
  writer.onCommitted = () => {
    told?.();
    look();
  };
  const polling = setInterval(look, COMMIT_POLL_MS);
  return {
    isHealthy: () => performance.now() - lookedAt < FEED_STALE_MS,
    async close() {
      clearInterval(polling);
    },
  };
}
