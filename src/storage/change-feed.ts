import { FEED_STALE_MS } from "../limits.ts";

/** Channels of change announcements: API keys and roles, queued messages, and events, whose payload is their schema. */
export const CHANNELS = ["keys", "messages", "events"] as const;
export type Channel = (typeof CHANNELS)[number];

/** A subscription to changes of all processes. */
export interface ChangeFeed {
  /** True if all changes older than `FEED_STALE_MS` have been announced; while false, no cached value may be used. */
  isHealthy(): boolean;
  close(): Promise<void>;
}

/** Called at a change with its payload; with undefined if changes may have been missed. */
export type OnChange = (payload: string | undefined) => void;

/** Source of changes by other processes, shared by all databases of a process. */
export interface ChangeSource {
  /** Subscribes to a channel: calls `onChange` once at first, then at every change announced on it. */
  subscribe(channel: Channel, onChange: OnChange): Promise<ChangeFeed>;
  /** Time (`performance.now()`) up to which all changes are received; `-Infinity` if `timeline` is newer than any seen. */
  receivedUpTo(timeline?: number): number;
  close(): Promise<void>;
}

/** Creates the feed of a subscription; closing it removes the subscription from `subscriptions`. */
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
