import type { NewAttempt } from "../attempts/store.ts";
import type { ServiceName } from "../context.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { Channel } from "../storage/change-feed.ts";

/** How one attempt ended; `gone` means that the destination wants no more of it (410). */
export type Outcome = "delivered" | "refused" | "gone";

export interface Answer {
  readonly outcome: Outcome;
  /** Of the HTTP response; absent where no request was needed. */
  readonly status?: number;
}

/** Result of an attempt, and the delivery's next state. */
export interface Settlement {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly outcome: Outcome;
  /** Milliseconds since 1970: when the next attempt is due; undefined when this was the last one. */
  readonly retryAt: number | undefined;
  /** Absent where no request was needed. */
  readonly attempt: NewAttempt | undefined;
}

/** Deliveries that wait in a database, and how each is sent. Times are milliseconds since 1970. */
export interface DeliverySource<Claimed extends { readonly attempts: number }> {
  /** In metrics. */
  readonly name: ServiceName;
  /** Name of a delivery in log lines. */
  readonly noun: "message" | "event";
  /** Announces what there is to deliver. */
  readonly channel: Channel;
  /** Whether an announcement with this payload is for this source; undefined when some may have been missed. */
  concerns(payload: string | undefined): boolean;
  /** Milliseconds from an announcement to the look that it causes: one for all of them in between. */
  readonly gatherMs: number;
  /** Makes deliveries of what has happened; whether more may be to be made. */
  prepare(now: number): Promise<boolean>;
  /** Claims due deliveries for the length of a lease; each counts the attempt that follows. */
  claim(now: number, underWay: readonly Claimed[]): Promise<readonly Claimed[]>;
  /** Rejects, like a refusal, when the destination cannot be reached. */
  send(claimed: Claimed, now: number, stop: AbortSignal): Promise<Answer>;
  settle(claimed: Claimed, settlement: Settlement): Promise<unknown>;
  /** The attempt was broken off by us: it does not count, and the delivery is due now. */
  release(claimed: Claimed, now: number): Promise<unknown>;
  /** When the first delivery is due, or has been since; undefined when none waits. */
  nextDue(): Maybe<number | undefined>;
  /** Makes due now what a wrong clock put off, and what else has been left behind. */
  repair(now: number): Promise<unknown>;
  logFields(claimed: Claimed): Readonly<Record<string, unknown>>;
}
