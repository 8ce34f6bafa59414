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

/** Changes by other processes; one source for all databases of a process. */
export interface ChangeSource {
  /** Calls `onChange` once at first, then at every announced change of the channel. */
  subscribe(channel: Channel, onChange: OnChange): Promise<ChangeFeed>;
  /** Time (`performance.now()`) up to which all changes have been received; `-Infinity` while the server's timeline is older. */
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
