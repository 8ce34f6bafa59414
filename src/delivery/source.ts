import type { NewAttempt } from "../attempts/store.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { Channel } from "../storage/change-feed.ts";

/** How one attempt ended; `gone` means that the destination wants no more of it (410). */
export type Outcome = "delivered" | "refused" | "gone";

export interface Answer {
  readonly outcome: Outcome;
  /** Of the HTTP response; absent where no request was needed. */
  readonly status?: number;
}

/** What becomes of a delivery after an attempt. */
export interface Settlement {
  readonly outcome: Outcome;
  /** Milliseconds since 1970: when the next attempt is due; undefined when this was the last one. */
  readonly retryAt: number | undefined;
  /** Absent where no request was needed. */
  readonly attempt: NewAttempt | undefined;
}

/** Deliveries that wait in a database, and how each is sent. Times are milliseconds since 1970. */
export interface DeliverySource<Claimed extends { readonly attempts: number }> {
  /** What it delivers, in log lines. */
  readonly noun: "message";
  /** Announces new deliveries. */
  readonly channel: Channel;
  /** Claims due deliveries for the length of a lease; each counts the attempt that follows. */
  claim(now: number, underWay: readonly Claimed[]): Promise<readonly Claimed[]>;
  /** Rejects, like a refusal, when the destination cannot be reached. */
  send(claimed: Claimed, now: number, stop: AbortSignal): Promise<Answer>;
  settle(claimed: Claimed, settlement: Settlement): Promise<unknown>;
  /** The attempt was broken off by us: it does not count, and the delivery is due now. */
  release(claimed: Claimed, now: number): Promise<unknown>;
  /** When the first delivery is due, or has been since; undefined when none waits. */
  nextDue(): Maybe<number | undefined>;
  /** Makes due now what a wrong clock put off. */
  clampDueDates(now: number): Promise<unknown>;
  logFields(claimed: Claimed): Readonly<Record<string, unknown>>;
}
