import type { Int64 } from "exact-json/int64";
import type { ServiceName } from "../context.ts";
import { type DeliveryQueue, insertAttempt, type NewAttempt } from "../delivery-queue/store.ts";
import type { Channel } from "../storage/change-feed.ts";
import type { Query } from "../storage/database.ts";

/**
 * The outcome of a delivery attempt. `gone` means that the destination wants no more deliveries: it answered 410, or refused
 * permanently.
 */
export type Outcome = "delivered" | "refused" | "gone";

export interface Answer {
  readonly outcome: Outcome;
  /** The HTTP or SMTP status in the destination's response. Absent if the destination did not respond. */
  readonly status?: number;
}

/** A finished delivery attempt, and its outcome. */
export interface Settlement<Claimed extends Claim> {
  readonly claimed: Claimed;
  /** The time at which the attempt ended, in milliseconds since 1970. */
  readonly now: number;
  readonly outcome: Outcome;
  /** The time at which the next attempt is due, in milliseconds since 1970. Undefined if there will be none. */
  readonly retryAt: number | undefined;
  /** The attempt to record. Undefined if there was nothing to send. */
  readonly attempt: NewAttempt | undefined;
}

/** A delivery that one worker has claimed for a limited time (a lease). */
export interface Claim {
  readonly id: Int64 | string;
  /** The number of attempts at the delivery so far, including the current one. */
  readonly attempts: number;
  /** The time at which the lease ends, in milliseconds since 1970. After that, another worker may send the delivery. */
  readonly dueAt: number;
}

/** A queue of deliveries in a database, and the code that sends one delivery. Times are in milliseconds since 1970. */
export interface DeliverySource<Claimed extends Claim> {
  readonly name: ServiceName | "mail";
  readonly noun: "message" | "event" | "mail";
  readonly channel: Channel;
  readonly queue: DeliveryQueue;
  /**
   * True if a change that was announced with this payload concerns this queue. If announcements may have been missed, the payload is undefined, and the result is true.
   */
  concerns(payload: string | undefined): boolean;
  /**
   * Delay in milliseconds between the announcement of a change and the reading of the queue, so that one read covers several
   * changes.
   */
  readonly gatherMs: number;
  /** Creates deliveries for new events. Returns true if there may be more events. */
  prepare(now: number): Promise<boolean>;
  /** True if no delivery can be due, so that the queue need not be read. */
  isIdle?(): boolean;
  /** Claims due deliveries for a limited time (a lease), and counts one attempt for each of them. */
  claim(now: number, underWay: readonly Claimed[]): Promise<readonly Claimed[]>;
  /**
   * Sends a delivery. Rejects if the destination cannot be reached; the worker counts a rejection as a refusal.
   *
   * @param begin a callback that must be called immediately before sending: it returns the time, and throws an error if the lease
   *   has ended
   */
  send(claimed: Claimed, begin: () => number, stop: AbortSignal): Promise<Answer>;
  /** Stores the outcomes of delivery attempts. If the promise rejects, none of them was stored. */
  settle(ended: readonly Settlement<Claimed>[]): Promise<unknown>;
  /** Makes the next call of `prepare` repair the queue: deliveries that should have a due time but have none become due. */
  repair?(): void;
  logFields(claimed: Claimed): Readonly<Record<string, unknown>>;
}

/** Stores the outcome of an attempt. If there will be another attempt, the delivery is queued again. */
export async function settleAttempt(
  query: Query,
  { settle }: DeliveryQueue,
  { claimed: { id }, outcome, retryAt, attempt }: Omit<Settlement<Claim>, "now">,
): Promise<void> {
  const status = retryAt !== undefined ? "queued" : outcome === "delivered" ? "delivered" : "failed";
  const settled = await query(settle, [id, status, retryAt ?? null]);
  if (settled.length > 0 && attempt !== undefined) await insertAttempt(query, String(id), attempt);
}
