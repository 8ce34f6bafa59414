import type { Environment } from "../context.ts";
import { STREAMS_MAX } from "../limits.ts";
import { createSemaphore, withPermit } from "../platform/semaphore.ts";
import type { Database } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import {
  type ChannelOptions,
  createFeedChannel,
  type EventLog,
  type EventReceiver,
  type FeedChannel,
} from "./feed-channel.ts";
import { requireGiven, requireKept } from "./list-events.ts";
import { type EventFilter, eventIn, selectEventPage, selectLogEnd, selectRemoved } from "./store.ts";

const REPLAYS_MAX = 4; // pages of past events that streams of one environment and process read concurrently; more wait
const REPLAY_WAIT_MS = 60_000; // longest wait for such a page; then the stream is ended
const EVENTS_READ_MAX = 500; // new events in one read
const READ_PAUSE_MS = 25; // pause between two reads of new events, which serves all commits in between

interface FeedOptions {
  readonly database: Pick<Database, "read" | "subscribe" | "wholeTables">;
  readonly environment: Environment;
  readonly onError: (error: unknown) => void;
}

export async function openEventFeed(options: FeedOptions) {
  const { database, environment, onError } = options;
  const reader = createReader(options);
  const changes = await database.subscribe("events", (announced) => {
    if (announced === undefined || announced === environment) reader.readOn().catch(onError);
  });
  const channels: FeedChannel[] = [];
  return {
    /** Creates a channel, which encodes each event once for all its readers, as mapped by `present`. */
    createChannel({
      present = async (events) => events,
      heartbeat = "comment",
    }: Partial<ChannelOptions> = {}) {
      const channel = createFeedChannel(reader, { present, heartbeat });
      channels.push(channel);
      return channel;
    },
    /** Closes the streams of all channels after a reset. */
    expire() {
      for (const channel of channels) channel.expire();
    },
    /** Reads new events and passes them to all channels: called by the poll that complements announcements. */
    readOn: reader.readOn,
    close: changes.close,
  };
}

/** An environment's live events. One reader of the log serves all subscribers. */
export type EventFeed = Awaited<ReturnType<typeof openEventFeed>>;

function createReader({ database: { read, wholeTables }, environment, onError }: FeedOptions) {
  const receivers = new Set<EventReceiver>();
  const replays = createSemaphore({ permits: REPLAYS_MAX, queueMax: STREAMS_MAX, waitMs: REPLAY_WAIT_MS });
  /** Position in the event log up to which all receivers have the events. */
  let head = 0n;
  let isReading = false;
  let isDue = false;

  async function readPage(filter: EventFilter, above: bigint, below: bigint, count: number) {
    const { statement, values } = selectEventPage(filter, { order: "asc", above, below }, count);
    return (await read(statement, values)).map((stored) => ({
      event: eventIn(environment, stored),
      petId: stored.petId,
    }));
  }

  /** Passes the next events on to all receivers; true if there may be more. */
  async function passOn() {
    const before = head;
    const asked = [...receivers];
    const end = singleRow(await read(selectLogEnd, []));
    const events = end > before ? await readPage({}, before, end + 1n, EVENTS_READ_MAX) : [];
    const last = events.at(-1);
    if (last === undefined) return false;
    const [removed = 0n] = await read(selectRemoved, []);
    // Events before these were removed unread: readers that backfill are refused.
    const puts = await Promise.all(removed > before ? [] : asked.map((receiver) => receiver.prepare(events)));
    // During the read, the last receiver left and another one subscribed.
    if (head !== before) return true;
    head = BigInt(last.event.id);
    for (const receiver of receivers) {
      const put = puts[asked.indexOf(receiver)];
      if (put === undefined) receiver.skipTo(head);
      else put();
    }
    return events.length === EVENTS_READ_MAX;
  }

  async function readOn() {
    isDue = true;
    if (isReading) return;
    isReading = true;
    try {
      while (isDue && receivers.size > 0) {
        isDue = false;
        const before = head;
        while (await passOn());
        if (head > before) await Bun.sleep(READ_PAUSE_MS);
      }
    } finally {
      isReading = false;
    }
  }

  return {
    readOn,
    readEnd: async () => singleRow(await read(selectLogEnd, [])),
    replay: (filter: EventFilter, above: bigint, below: bigint, count: number) =>
      withPermit(replays, () => readPage(filter, above, below, count)),
    requireKept: (after: bigint) => requireKept(read, after),
    requireGiven: (after: bigint) => requireGiven(wholeTables, after),
    join(receiver: EventReceiver, end: bigint) {
      if (receivers.size === 0 && end > head) head = end;
      receivers.add(receiver);
      // Events announced before the first receiver have not been read.
      readOn().catch(onError);
      return head;
    },
    leave(receiver: EventReceiver) {
      receivers.delete(receiver);
    },
  } satisfies EventLog & { readOn(): Promise<void> };
}
