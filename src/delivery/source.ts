import type { Int64 } from "exact-json/int64";
import type { ServiceName } from "../context.ts";
import { type DeliveryQueue, insertAttempt, type NewAttempt } from "../delivery-queue/store.ts";
import type { Channel } from "../storage/change-feed.ts";
import type { Query } from "../storage/database.ts";

/** The outcome of an attempt. `gone` means that the destination answered 410, so it does not want any more deliveries. */
export type Outcome = "delivered" | "refused" | "gone";

export interface Answer {
  readonly outcome: Outcome;
  /** The HTTP status of the destination's response; absent if it did not respond. */
  readonly status?: number;
}

/** A delivery attempt that has ended, and its outcome. */
export interface Settlement<Claimed extends Claim> {
  readonly claimed: Claimed;
  /** When the attempt ended, in milliseconds since 1970. */
  readonly now: number;
  readonly outcome: Outcome;
  /** When the next attempt is due, in milliseconds since 1970; undefined after the last attempt. */
  readonly retryAt: number | undefined;
  /** The delivery attempt to record; undefined if there was nothing to send. */
  readonly attempt: NewAttempt | undefined;
}

/** A delivery leased to one worker. */
export interface Claim {
  readonly id: Int64 | string;
  /** The number of attempts, including the current one. */
  readonly attempts: number;
  /** End of the lease, in milliseconds since 1970. From then on another worker may send the delivery. */
  readonly dueAt: number;
}

/** A queue of deliveries in a database, together with the code that sends one delivery. Times are milliseconds since 1970. */
export interface DeliverySource<Claimed extends Claim> {
  readonly name: ServiceName | "mail";
  readonly noun: "message" | "event" | "mail";
  readonly channel: Channel;
  readonly queue: DeliveryQueue;
  /**
   * Returns true if an announcement with this payload is about this source. If the payload is undefined, announcements may have
   * been missed.
   */
  concerns(payload: string | undefined): boolean;
  /**
   * How long to wait between an announcement and the read of the queue, in milliseconds. One read then covers several
   * announcements.
   */
  readonly gatherMs: number;
  /** Creates deliveries for new events. Returns true if there may be more to create. */
  prepare(now: number): Promise<boolean>;
  /** Returns true if no delivery can be due, in which case the queue need not be read. */
  isIdle?(): boolean;
  /** Claims due deliveries for the length of a lease, and counts the attempt that follows. */
  claim(now: number, underWay: readonly Claimed[]): Promise<readonly Claimed[]>;
  /**
   * Sends a delivery. The promise rejects if the destination cannot be reached, and the worker counts that as a refusal.
   *
   * @param begin must be called immediately before sending: it returns the time, and throws if the lease has ended
   */
  send(claimed: Claimed, begin: () => number, stop: AbortSignal): Promise<Answer>;
  /** Stores the outcomes of attempts. If the promise rejects, none of them has been stored. */
  settle(ended: readonly Settlement<Claimed>[]): Promise<unknown>;
  /**
   * Makes the next call of `prepare` search for deliveries that have no due time although they should have one, and makes these
   * due.
   */
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
