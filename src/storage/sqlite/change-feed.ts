import { FEED_STALE_MS } from "../../limits.ts";
import type { ChangeFeed, OnChange } from "../change-feed.ts";
import type { DataVersion } from "../database.ts";
import type { Writer } from "./group-commit.ts";

const COMMIT_POLL_MS = 100; // between looks for another process's commit in an embedded database

/**
 * Calls `onChange` at every commit: at our own before it is acknowledged, at another process's within `COMMIT_POLL_MS`.
 * What has changed is unknown, so that the payload is undefined.
 */
export function subscribeToCommits(
  writer: Pick<Writer, "onCommitted">,
  version: () => DataVersion,
  onChange: OnChange,
  monotonicMs: () => number = performance.now.bind(performance),
): ChangeFeed {
  let seen: DataVersion | undefined = version();
  let checkedAt = monotonicMs();

  /** Never throws: a commit that is on disk is acknowledged, and a timer's error would end the process. */
  function check(): void {
    const current = readVersion(version);
    if (current !== undefined) checkedAt = monotonicMs();
    // A version that cannot be read may be another one.
    if (current !== undefined && current === seen) return;
    seen = current;
    onChange(undefined);
  }

  const next = writer.onCommitted;
  writer.onCommitted = () => {
    next?.();
    check();
  };
  const polling = setInterval(check, COMMIT_POLL_MS);
  return {
    isHealthy: () => monotonicMs() - checkedAt < FEED_STALE_MS,
    async close() {
      clearInterval(polling);
    },
  };
}

/** @returns undefined when it cannot be read */
function readVersion(version: () => DataVersion): DataVersion | undefined {
  try {
    return version();
  } catch {
    return undefined;
  }
}
