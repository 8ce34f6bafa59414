import type { Queue } from "./store.ts";

/**
 * What waits to be delivered, since when, and how late the next attempt is: a message that waits for its retry is not late.
 *
 * @param now milliseconds since 1970
 */
export function queueStats({ depth, oldestAt, dueAt }: Queue, now: number) {
  const secondsSince = (then: number | undefined) => Math.max(0, now - (then ?? now)) / 1000;
  return { depth, oldestSeconds: secondsSince(oldestAt), overdueSeconds: secondsSince(dueAt) };
}
