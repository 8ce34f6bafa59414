import type { Queue } from "./store.ts";

/** What waits to be delivered, and for how long. */
export interface QueueStats {
  readonly depth: number;
  /** Since the oldest message was submitted. */
  readonly oldestSeconds: number;
  /** How late the next attempt is: a message that waits for its next retry is not late. */
  readonly overdueSeconds: number;
}

/** @param now milliseconds since 1970 */
export function queueStats({ depth, oldestAt, dueAt }: Queue, now: number): QueueStats {
  const secondsSince = (then: number | undefined) => Math.max(0, now - (then ?? now)) / 1000;
  return { depth, oldestSeconds: secondsSince(oldestAt), overdueSeconds: secondsSince(dueAt) };
}
