import type { Int64 } from "exact-json/int64";
import type { ServiceName } from "../context.ts";
import { type DeliveryQueue, insertAttempt, type NewAttempt } from "../delivery-queue/store.ts";
import type { Channel } from "../storage/change-feed.ts";
import type { Query } from "../storage/database.ts";

/** Outcome of an attempt. `gone` means that the destination answered 410, which says that it wants no more deliveries. */
export type Outcome = "delivered" | "refused" | "gone";

export interface Answer {
  readonly outcome: Outcome;
  /** HTTP status of the destination's response; absent if there was none. */
  readonly status?: number;
}

/** How an attempt ended. */
export interface Settlement<Claimed extends Claim> {
  readonly claimed: Claimed;
  /** End of the attempt, in milliseconds since 1970. */
  readonly now: number;
  readonly outcome: Outcome;
  /** Time of the next attempt, in milliseconds since 1970; undefined after the last attempt. */
  readonly retryAt: number | undefined;
  /** The delivery attempt to record; undefined if there was nothing to send. */
  readonly attempt: NewAttempt | undefined;
}

/** A delivery leased to one worker. */
export interface Claim {
  readonly id: Int64 | string;
  /** Number of attempts, including the one that it is claimed for. */
  readonly attempts: number;
  /** End of the lease, in milliseconds since 1970. From then on another worker may send the delivery. */
  readonly dueAt: number;
}

/** A queue of deliveries in a database, and the way to send one. Times are milliseconds since 1970. */
export interface DeliverySource<Claimed extends Claim> {
  readonly name: ServiceName | "mail";
  readonly noun: "message" | "event" | "mail";
  readonly channel: Channel;
  readonly queue: DeliveryQueue;
  /** True if an announcement with this payload concerns this source. An undefined payload means that some may have been missed. */
  concerns(payload: string | undefined): boolean;
  /** Milliseconds from an announcement of work to the next read of the queue, so that one read serves several announcements. */
  readonly gatherMs: number;
  /** Creates deliveries for new events. Returns true if there may be more to create. */
  prepare(now: number): Promise<boolean>;
  /** True if no delivery can be due, so that the queue need not be read. */
  isIdle?(): boolean;
  /** Claims due deliveries for the length of a lease, and counts the attempt that follows. */
  claim(now: number, underWay: readonly Claimed[]): Promise<readonly Claimed[]>;
  /**
   * Sends a delivery. If the destination cannot be reached, it rejects, and the worker counts that as a refusal.
   *
   * @param begin must be called immediately before sending: it returns the time, and throws if the lease has ended
   */
  send(claimed: Claimed, begin: () => number, stop: AbortSignal): Promise<Answer>;
  /** Stores the outcomes of attempts. If it rejects, it has stored none of them. */
  settle(ended: readonly Settlement<Claimed>[]): Promise<unknown>;
  /** Makes the next `prepare` look for deliveries that were left without a due time, and make those due. */
  repair?(): void;
  logFields(claimed: Claimed): Readonly<Record<string, unknown>>;
}

/** Stores the outcome of an attempt. The delivery is queued again if there is a next attempt. */
export async function settleAttempt(
  query: Query,
  { settle }: DeliveryQueue,
  { claimed: { id }, outcome, retryAt, attempt }: Omit<Settlement<Claim>, "now">,
): Promise<void> {
  const status = retryAt !== undefined ? "queued" : outcome === "delivered" ? "delivered" : "failed";
  const settled = await query(settle, [id, status, retryAt ?? null]);
  if (settled.length > 0 && attempt !== undefined) await insertAttempt(query, String(id), attempt);
}
