import { FEED_STALE_MS } from "../limits.ts";

/** Channels of change announcements: API keys and roles, queued messages, and events; the payload of `events` is their schema. */
export const CHANNELS = ["keys", "messages", "events"] as const;
export type Channel = (typeof CHANNELS)[number];

/** A subscription to changes that any process makes. */
export interface ChangeFeed {
  /**
   * Whether `onChange` has been called for every change that was committed more than `FEED_STALE_MS` ago. While it is
   * false, nothing cached may be used.
   */
  isHealthy(): boolean;
  close(): Promise<void>;
}

/** Called at a change with its payload; with undefined when changes may have been missed. */
export type OnChange = (payload: string | undefined) => void;

/** Changes by other processes; one source for all databases of a process. */
export interface ChangeSource {
  /** Calls `onChange` at every change that is announced on the channel, and once at first. */
  subscribe(channel: Channel, onChange: OnChange): Promise<ChangeFeed>;
  /**
   * Every change that was committed before this has been received; by `performance.now()`. `-Infinity` while they come from a
   * server of an older timeline than the one that is named.
   */
  receivedUpTo(timeline?: number): number;
  close(): Promise<void>;
}

/** One of a source's subscriptions, which `subscriptions` has until it is closed. */
export function feedOf<Subscription>(
  { receivedUpTo }: Pick<ChangeSource, "receivedUpTo">,
  subscriptions: Set<Subscription>,
  subscription: Subscription,
): ChangeFeed {
  return {
    isHealthy: () => performance.now() - receivedUpTo() < FEED_STALE_MS,
    async close() {
      subscriptions.delete(subscription);
    },
  };
}
