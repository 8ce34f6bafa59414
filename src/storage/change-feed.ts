import { FEED_STALE_MS } from "../limits.ts";

/**
 * The channels that processes use to announce changes: `keys` for API keys and roles, `messages` for queued messages, and `events`
 * for new events. An announcement of events contains the name of the schema whose event log has grown.
 */
export const CHANNELS = ["keys", "messages", "events"] as const;
export type Channel = (typeof CHANNELS)[number];

export interface ChangeSubscription {
  /**
   * True if all changes older than `FEED_STALE_MS` have been announced to this process. While it is false, cached values must not
   * be used.
   */
  isHealthy(): boolean;
  close(): Promise<void>;
}

/** Called with the text of an announcement, or with undefined if announcements may have been missed. */
export type OnChange = (payload: string | undefined) => void;

/** Receives announcements of changes from other processes. All databases of a process share one feed. */
export interface ChangeFeed {
  /** Subscribes to a channel. `onChange` is called once immediately, and then for each announcement. */
  subscribe(channel: Channel, onChange: OnChange): Promise<ChangeSubscription>;
  /**
   * The time (`performance.now()`) up to which this process knows all changes that were announced. It is `-Infinity` if the feed
   * has not yet seen a timeline of the database server that is at least as new as `timeline`.
   */
  receivedUpTo(timeline?: number): number;
  close(): Promise<void>;
}

/** Creates a subscription to a feed. Closing it removes it from `subscriptions`. */
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
