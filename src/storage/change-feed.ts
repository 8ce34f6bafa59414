import { FEED_STALE_MS } from "../limits.ts";

/** Channels of change announcements: API keys and roles, queued messages, and events, whose payload is their schema. */
export const CHANNELS = ["keys", "messages", "events"] as const;
export type Channel = (typeof CHANNELS)[number];

/** A subscription to changes of all processes. */
export interface ChangeFeed {
  /**
   * True if `onChange` has been called for every change committed more than `FEED_STALE_MS` ago. While it is false, no
   * cached value may be used.
   */
  isHealthy(): boolean;
  close(): Promise<void>;
}

/** Called at a change with its payload; with undefined if changes may have been missed. */
export type OnChange = (payload: string | undefined) => void;

/** Changes by other processes; one source for all databases of a process. */
export interface ChangeSource {
  /** Calls `onChange` once at first, then at every announced change of the channel. */
  subscribe(channel: Channel, onChange: OnChange): Promise<ChangeFeed>;
  /**
   * All changes committed before this time (`performance.now()`) have been received. `-Infinity` while they come from a
   * server of an older timeline than `timeline`.
   */
  receivedUpTo(timeline?: number): number;
  close(): Promise<void>;
}

/** A new subscription, kept in `subscriptions` until it is closed. */
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
