import { FEED_STALE_MS } from "../limits.ts";

/**
 * Channels on which changes are announced: of API keys and roles, of queued messages, and of events (with the schema as
 * payload).
 */
export const CHANNELS = ["keys", "messages", "events"] as const;
export type Channel = (typeof CHANNELS)[number];

/** A subscription to the changes that all processes make. */
export interface ChangeSubscription {
  /** True if all changes older than `FEED_STALE_MS` have been announced. While it is false, no cached value may be used. */
  isHealthy(): boolean;
  close(): Promise<void>;
}

/** Called with the payload of each change, or with undefined if changes may have been missed. */
export type OnChange = (payload: string | undefined) => void;

/** Announces the changes that other processes make. All databases of a process share one feed. */
export interface ChangeFeed {
  /** Subscribes to a channel. `onChange` is called once at the beginning, and then for every announced change. */
  subscribe(channel: Channel, onChange: OnChange): Promise<ChangeSubscription>;
  /** Time (`performance.now()`) up to which all changes have been received; `-Infinity` if `timeline` is newer than any seen. */
  receivedUpTo(timeline?: number): number;
  close(): Promise<void>;
}

/** Creates the handle of a subscription to a feed. Closing it removes the subscription from `subscriptions`. */
export function subscriptionOf<Subscription>(
  { receivedUpTo }: Pick<ChangeFeed, "receivedUpTo">,
  subscriptions: Set<Subscription>,
  subscription: Subscription,
): ChangeSubscription {
  return {
    isHealthy: () => performance.now() - receivedUpTo() < FEED_STALE_MS,
    async close() {
      subscriptions.delete(subscription);
    },
  };
}
