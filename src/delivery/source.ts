import type { NewAttempt } from "../attempts/store.ts";
import type { ServiceName } from "../context.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { Channel } from "../storage/change-feed.ts";

/** Outcome of an attempt; `gone`: the destination answered 410 and wants no more deliveries. */
export type Outcome = "delivered" | "refused" | "gone";

export interface Answer {
  readonly outcome: Outcome;
  /** HTTP status of the destination's answer; absent without one. */
  readonly status?: number;
}

export interface Settlement {
  /** End of the attempt, in milliseconds since 1970. */
  readonly now: number;
  readonly outcome: Outcome;
  /** Milliseconds since 1970: due time of the next attempt; undefined after the last one. */
  readonly retryAt: number | undefined;
  /** The delivery attempt to record; undefined if there was nothing to send. */
  readonly attempt: NewAttempt | undefined;
}

/** A queue of deliveries in a database, and the way to send one. Times are milliseconds since 1970. */
export interface DeliverySource<Claimed extends { readonly attempts: number }> {
  readonly name: ServiceName;
  readonly noun: "message" | "event";
  readonly channel: Channel;
  /** True if an announcement with this payload concerns this source; undefined: announcements may have been missed. */
  concerns(payload: string | undefined): boolean;
  /** Milliseconds from an announcement of work to the next read of the queue, which serves all announcements in between. */
  readonly gatherMs: number;
  /** Creates deliveries for new events; true if more may remain. */
  prepare(now: number): Promise<boolean>;
  /** Claims due deliveries for the length of a lease, and counts the attempt that follows. */
  claim(now: number, underWay: readonly Claimed[]): Promise<readonly Claimed[]>;
  /** Sends a delivery. Rejects if the destination cannot be reached, which is handled as a refusal. */
  send(claimed: Claimed, now: number, stop: AbortSignal): Promise<Answer>;
  settle(claimed: Claimed, settlement: Settlement): Promise<unknown>;
  /** Releases a delivery whose attempt this process aborted: the attempt is not counted, and the delivery is due now. */
  release(claimed: Claimed, now: number): Promise<unknown>;
  nextDue(): Maybe<number | undefined>;
  /** Reschedules implausible due times and orphaned deliveries. */
  repair(now: number): Promise<unknown>;
  logFields(claimed: Claimed): Readonly<Record<string, unknown>>;
}
