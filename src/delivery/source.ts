import type { Int64 } from "exact-json/int64";
import type { ServiceName } from "../context.ts";
import { type DeliveryQueue, insertAttempt, type NewAttempt } from "../delivery-queue/store.ts";
import type { Channel } from "../storage/change-feed.ts";
import type { Query } from "../storage/database.ts";

/** Outcome of an attempt; `gone`: the destination answered 410 and wants no more deliveries. */
export type Outcome = "delivered" | "refused" | "gone";

export interface Answer {
  readonly outcome: Outcome;
  /** HTTP status of the destination's answer; absent without one. */
  readonly status?: number;
}

/** How an attempt ended. */
export interface Settlement<Claimed extends Claim> {
  readonly claimed: Claimed;
  /** End of the attempt, in milliseconds since 1970. */
  readonly now: number;
  readonly outcome: Outcome;
  /** Milliseconds since 1970: due time of the next attempt; undefined after the last one. */
  readonly retryAt: number | undefined;
  /** The delivery attempt to record; undefined if there was nothing to send. */
  readonly attempt: NewAttempt | undefined;
}

/** A delivery leased to one worker. */
export interface Claim {
  readonly id: Int64 | string;
  /** Number of attempts, including the one it is claimed for. */
  readonly attempts: number;
  /** End of its lease, in milliseconds since 1970: from then on it is another worker's to send. */
  readonly dueAt: number;
}

/** A queue of deliveries in a database, and the way to send one. Times are milliseconds since 1970. */
export interface DeliverySource<Claimed extends Claim> {
  readonly name: ServiceName;
  readonly noun: "message" | "event";
  readonly channel: Channel;
  readonly queue: DeliveryQueue;
  /** True if an announcement with this payload concerns this source; undefined: announcements may have been missed. */
  concerns(payload: string | undefined): boolean;
  /** Milliseconds from an announcement of work to the next read of the queue, which serves all announcements in between. */
  readonly gatherMs: number;
  /** Creates deliveries for new events; true if more may remain. */
  prepare(now: number): Promise<boolean>;
  /** True if no delivery can be due: its queue is not read. */
  isIdle?(): boolean;
  /** Claims due deliveries for the length of a lease, and counts the attempt that follows. */
  claim(now: number, underWay: readonly Claimed[]): Promise<readonly Claimed[]>;
  /**
   * Sends a delivery. Rejects if the destination cannot be reached, which is handled as a refusal.
   *
   * @param begin called when all that is sent has been read: yields the time, and throws if the lease has ended
   */
  send(claimed: Claimed, begin: () => number, stop: AbortSignal): Promise<Answer>;
  /** Stores how attempts ended: all of them, or none if it rejects. */
  settle(ended: readonly Settlement<Claimed>[]): Promise<unknown>;
  /** Asks the next `prepare` to make orphaned deliveries due. */
  repair?(): void;
  logFields(claimed: Claimed): Readonly<Record<string, unknown>>;
}

/** Stores how an attempt ended; the delivery is queued again if there is a next attempt. */
export async function settleAttempt(
  query: Query,
  { settle }: DeliveryQueue,
  { claimed: { id }, outcome, retryAt, attempt }: Omit<Settlement<Claim>, "now">,
): Promise<void> {
  const status = retryAt !== undefined ? "queued" : outcome === "delivered" ? "delivered" : "failed";
  const settled = await query(settle, [id, status, retryAt ?? null]);
  if (settled.length > 0 && attempt !== undefined) await insertAttempt(query, String(id), attempt);
}
