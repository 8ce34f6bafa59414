import { FEED_STALE_MS } from "../limits.ts";

/**
 * The channels on which changes are announced: changes to API keys and roles, changes to queued messages, and new events. The
 * payload on the events channel names the schema.
 */
export const CHANNELS = ["keys", "messages", "events"] as const;
export type Channel = (typeof CHANNELS)[number];

/** A subscription to changes made by any process. */
export interface ChangeSubscription {
  /** True if all changes older than `FEED_STALE_MS` have been announced. While it is false, cached values must not be used. */
  isHealthy(): boolean;
  close(): Promise<void>;
}

/** Called with each change's payload, or with undefined if changes may have been missed. */
export type OnChange = (payload: string | undefined) => void;

/** Announces changes made by other processes. All of a process's databases share one feed. */
export interface ChangeFeed {
  /** Subscribes to a channel. `onChange` is called once at the start, and then for every announced change. */
  subscribe(channel: Channel, onChange: OnChange): Promise<ChangeSubscription>;
  /**
   * The time (`performance.now()`) up to which all changes have been received. It is `-Infinity` if `timeline` is newer than any
   * timeline the feed has seen.
   */
  receivedUpTo(timeline?: number): number;
  close(): Promise<void>;
}

/** Creates a handle for a subscription to a feed. Closing the handle removes the subscription from `subscriptions`. */
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
