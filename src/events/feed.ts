import type { Environment } from "../context.ts";
import type { Database } from "../storage/database.ts";
import { createEventLog } from "./event-log.ts";
import { type ChannelOptions, createFeedChannel, type FeedChannel } from "./feed-channel.ts";

interface FeedOptions {
  readonly database: Pick<Database, "read" | "subscribe" | "wholeTables">;
  readonly environment: Environment;
  readonly onError: (error: unknown) => void;
}

export async function openEventFeed({ database, environment, onError }: FeedOptions) {
  const log = createEventLog(database, environment);
  const channels: FeedChannel[] = [];
  async function readOn() {
    await Promise.all(channels.map((channel) => channel.readOn()));
  }
  const changes = await database.subscribe("events", (announced) => {
    if (announced === undefined || announced === environment) readOn().catch(onError);
  });
  return {
    /**
     * Creates a channel, which is a group of streams. Each event is prepared by `present`, and encoded once for all streams of the
     * channel.
     */
    createChannel({
      present = async (events) => events,
      heartbeat = "comment",
    }: Partial<Omit<ChannelOptions, "onError">> = {}) {
      const channel = createFeedChannel(log, { present, heartbeat, onError });
      channels.push(channel);
      return channel;
    },
    /** Closes the streams of all channels because staging was reset. */
    expire() {
      for (const channel of channels) channel.expire();
    },
    /** Reads new events for the streams. This is also called at intervals, in case an announcement was missed. */
    readOn,
    close: changes.close,
  };
}

export type EventFeed = Awaited<ReturnType<typeof openEventFeed>>;
