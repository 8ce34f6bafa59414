import { FEED_STALE_MS } from "../../limits.ts";
import type { ChangeSubscription, OnChange } from "../change-feed.ts";
import type { DataVersion } from "../database.ts";
import type { Writer } from "./group-commit.ts";

const LOOK_INTERVAL_MS = 100; // interval at which this process looks for commits by other processes, and checks that the file was not replaced

interface CommitFeedOptions {
  readonly version: () => DataVersion;
  /** Called before each check for commits by other processes. */
  readonly onLook?: () => void;
  readonly monotonicMs?: () => number;
}

/**
 * Notifies subscribers of commits. Commits by this process are announced before they are acknowledged, and commits by other
 * processes within `LOOK_INTERVAL_MS`.
 */
export function createCommitFeed(
  writer: Pick<Writer, "onCommitted">,
  { version, onLook, monotonicMs = () => performance.now() }: CommitFeedOptions,
) {
  const subscribers = new Set<OnChange>();
  let seen: DataVersion | undefined = version();
  let checkedAt = monotonicMs();

  /**
   * Checks for a new commit. Never throws, because its two callers could not handle an error: a finished commit must still be
   * acknowledged, and an error in a timer would end the process.
   */
  function check() {
    const current = readVersion(version);
    if (current !== undefined) checkedAt = monotonicMs();
    // An unreadable version counts as a change, because there may have been a commit.
    if (current !== undefined && current === seen) return;
    seen = current;
    for (const onChange of subscribers) onChange(undefined);
  }

  writer.onCommitted = check;
  const looking = setInterval(() => {
    onLook?.();
    check();
  }, LOOK_INTERVAL_MS);
  return {
    subscribe(onChange: OnChange): ChangeSubscription {
      subscribers.add(onChange);
      return {
        isHealthy: () => monotonicMs() - checkedAt < FEED_STALE_MS,
        async close() {
          subscribers.delete(onChange);
        },
      };
    },
    close: () => clearInterval(looking),
  };
}

function readVersion(version: () => DataVersion): DataVersion | undefined {
  try {
    return version();
  } catch {
    return undefined;
  }
}
