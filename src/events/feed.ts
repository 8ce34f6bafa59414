import type { Environment } from "../context.ts";
import { STREAMS_MAX } from "../limits.ts";
import { createSemaphore, withPermit } from "../platform/semaphore.ts";
import type { Database } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import { type ChannelOptions, createFeedChannel, type EventLog, type FeedChannel } from "./feed-channel.ts";
import { requireAssigned, requireKept } from "./list-events.ts";
import { type EventFilter, eventIn, selectEventPage, selectLogEnd, selectRemoved } from "./store.ts";

const REPLAYS_MAX = 4; // maximum number of pages of past events that one process reads at the same time for one environment's streams; further reads wait
const REPLAY_WAIT_MS = 60_000; // the longest time that a stream waits to read such a page; after that, the stream is closed

interface FeedOptions {
  readonly database: Pick<Database, "read" | "subscribe" | "wholeTables">;
  readonly environment: Environment;
  readonly onError: (error: unknown) => void;
}

export async function openEventFeed(options: FeedOptions) {
  const { database, environment, onError } = options;
  const log = createEventLog(options);
  const channels: FeedChannel[] = [];
  async function readOn() {
    await Promise.all(channels.map((channel) => channel.readOn()));
  }
  const changes = await database.subscribe("events", (announced) => {
    if (announced === undefined || announced === environment) readOn().catch(onError);
  });
  return {
    /** Creates a channel. Each event is mapped by `present` and encoded once for all of the channel's streams. */
    createChannel({
      present = async (events) => events,
      heartbeat = "comment",
    }: Partial<Omit<ChannelOptions, "onError">> = {}) {
      const channel = createFeedChannel(log, { present, heartbeat, onError });
      channels.push(channel);
      return channel;
    },
    /** Closes the streams of all channels after staging has been reset. */
    expire() {
      for (const channel of channels) channel.expire();
    },
    /** Reads the new events that the streams have not received yet. Polling calls it, in case an announcement was missed. */
    readOn,
    close: changes.close,
  };
}

export type EventFeed = Awaited<ReturnType<typeof openEventFeed>>;

function createEventLog({ database: { read, wholeTables }, environment }: FeedOptions): EventLog {
  const replays = createSemaphore({ permits: REPLAYS_MAX, queueMax: STREAMS_MAX, waitMs: REPLAY_WAIT_MS });

  async function readPage(filter: EventFilter, above: bigint, below: bigint, count: number) {
    const { statement, values } = selectEventPage(filter, { order: "asc", above, below }, count);
    return (await read(statement, values)).map((stored) => ({
      event: eventIn(environment, stored),
      petId: stored.petId,
    }));
  }

  const readEnd = async () => singleRow(await read(selectLogEnd, []));

  return {
    readEnd,
    async readNew(above, count) {
      const end = await readEnd();
      if (end <= above) return { entries: [], isRemoved: false };
      const entries = await readPage({}, above, end + 1n, count);
      const [removed = 0n] = await read(selectRemoved, []);
      return { entries, isRemoved: removed > above };
    },
    async replay(filter, above, below, count) {
      const entries = await withPermit(replays, () => readPage(filter, above, below, count));
      await requireKept(read, above);
      return entries;
    },
    requireKept: (after) => requireKept(read, after),
    requireAssigned: (after) => requireAssigned(wholeTables, after),
  };
}
