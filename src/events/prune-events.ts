import { DAY_MS, EVENTS_PRUNE_INTERVAL_MS, EVENTS_PRUNE_PAUSE_MS, EVENTS_PRUNED_MAX } from "../limits.ts";
import { type Clock, startInterval } from "../platform/clock.ts";
import type { Database } from "../storage/database.ts";
import { deleteOldest } from "./store.ts";

/**
 * Deletes events that are older than `days`, the oldest first: what is left is the end of the log. It is cut no further than the
 * first event that a delivery or a webhook still needs.
 */
export function startPruning(
  database: Database,
  clock: Clock,
  days: number,
  onError: (error: unknown) => void,
): { close(): Promise<void> } {
  const stop = new AbortController();
  async function prune(): Promise<void> {
    const oldest = clock.now() - days * DAY_MS;
    while (!stop.signal.aborted) {
      const deleted = await database.run(deleteOldest, [oldest]);
      if (deleted.length < EVENTS_PRUNED_MAX) return;
      // Requests go first.
      await clock.wait(EVENTS_PRUNE_PAUSE_MS, stop.signal);
    }
  }
  const pruning = startInterval(clock, EVENTS_PRUNE_INTERVAL_MS, prune, onError);
  return {
    close() {
      stop.abort();
      return pruning.close();
    },
  };
}
