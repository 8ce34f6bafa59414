import type { Int64 } from "exact-json/int64";
import type { Maybe } from "../platform/maybe.ts";
import type { LoggedEvent } from "./event.ts";
import { cursorExpired } from "./list-events.ts";
import {
  type Chunk,
  createRecentEvents,
  type EncodedEvent,
  encodeEvent,
  firstChunk,
  type RecentEvents,
} from "./recent-events.ts";
import type { EventFilter } from "./store.ts";

const REPLAY_PAGE_MAX = 100; // events in a page of past events

/** Maps events to the form that a channel's readers receive: the console's channel adds names of persons. */
type Present = (events: readonly LoggedEvent[]) => Promise<readonly LoggedEvent[]>;

/** Lines that a silent stream sends: every reader ignores a comment, and an `EventSource` passes an event to its page. */
const HEARTBEATS = { comment: ":", event: "event: heartbeat\ndata:" } as const;

export interface ChannelOptions {
  readonly present: Present;
  readonly heartbeat: keyof typeof HEARTBEATS;
}

/** An event, and the animal that it is about. */
interface LogEntry {
  readonly event: LoggedEvent;
  readonly petId: Int64 | undefined;
}

export interface EventLog {
  /** Reads the identifier up to which the log is complete. */
  readEnd(): Promise<bigint>;
  /** Reads events between two positions. */
  replay(filter: EventFilter, above: bigint, below: bigint, count: number): Promise<readonly LogEntry[]>;
  /** Checks that events after `after` are kept. @throws ServiceError `cursor_expired` */
  requireKept(after: bigint): Promise<void>;
  /** Checks that some process may have given `after` as an event's id. @throws ServiceError `invalid_request` */
  requireGiven(after: bigint): Promise<void>;
  /** Subscribes the receiver to all events after the returned position, which is `end` or later. */
  join(receiver: EventReceiver, end: bigint): bigint;
  leave(receiver: EventReceiver): void;
}

/** A subscriber of the event log, called with events in order, without skipping any. */
export interface EventReceiver {
  /** Encodes new events; resolves to a function that adds them to the channel. */
  prepare(entries: readonly LogEntry[]): Promise<() => void>;
  /** Called on a receiver that subscribed during a read of the log: its channel's readers backfill up to `id`. */
  skipTo(id: bigint): void;
}

/** A reader of an event channel. It holds a position and no events, so a slow reader costs no memory. */
interface Follower {
  next(): Maybe<Chunk | undefined>;
  /** A stream's heartbeat, with the position if it has passed events that the filter excludes. */
  heartbeat(): Uint8Array;
  close(): void;
}

export function createFeedChannel(log: EventLog, { present, heartbeat }: ChannelOptions) {
  const wakes = new Set<() => void>();
  let expirations = 0;
  const recent = createRecentEvents();
  const wakeAll = () => wakes.forEach((wake) => void wake());
  const encode = async (entries: readonly LogEntry[]) => {
    const events = await present(entries.map(({ event }) => event));
    return events.map((event, index) => encodeEvent(event, entries[index]?.petId));
  };
  const receiver: EventReceiver = {
    async prepare(entries) {
      const encoded = await encode(entries);
      return () => {
        recent.add(encoded);
        wakeAll();
      };
    },
    skipTo(id) {
      recent.skipTo(id);
      wakeAll();
    },
  };

  function begin(filter: EventFilter, start: bigint, end: bigint, onMore: () => void): Follower {
    if (wakes.size === 0) recent.skipTo(log.join(receiver, end));
    // One function for each follower: each is woken once.
    const wake = () => onMore();
    wakes.add(wake);
    const read = async (after: bigint, upTo: bigint, count: number) => {
      const events = await log.replay(filter, after, upTo + 1n, count);
      await log.requireKept(after);
      return encode(events);
    };
    const begunAt = expirations;
    const follower = createFollower({ recent, filter, start, read, heartbeat });
    return {
      ...follower,
      next() {
        if (expirations > begunAt) throw cursorExpired();
        return follower.next();
      },
      close() {
        wakes.delete(wake);
        if (wakes.size === 0) log.leave(receiver);
      },
    };
  }

  return {
    /**
     * Prepares a stream of the events after `after`; left out, of those from now on.
     *
     * @throws ServiceError `cursor_expired`, `invalid_request`
     */
    async follow(filter: EventFilter, after: bigint | undefined) {
      const end = await log.readEnd();
      if (after !== undefined && (after < 0n || after > end)) await log.requireGiven(after);
      if (after !== undefined) await log.requireKept(after);
      return {
        /** Starts the stream. @param onMore called when `next` should be called again */
        begin: (onMore: () => void) => begin(filter, after ?? end, end, onMore),
      };
    },
    /** Closes all streams after a reset. */
    expire() {
      expirations++;
      wakeAll();
    },
  };
}

export type FeedChannel = ReturnType<typeof createFeedChannel>;

interface FollowerOptions extends Pick<ChannelOptions, "heartbeat"> {
  readonly recent: RecentEvents;
  readonly filter: EventFilter;
  readonly start: bigint;
  /** Reads past events that are not in memory. */
  readonly read: (after: bigint, upTo: bigint, count: number) => Promise<readonly EncodedEvent[]>;
}

/** Creates a channel's reader at a position. */
function createFollower(options: FollowerOptions): Omit<Follower, "close"> {
  const { recent, filter, start, read, heartbeat } = options;
  let position = start;
  let shown: bigint | undefined;
  let pageSize = REPLAY_PAGE_MAX;

  function moveTo(end: bigint, chunk: Chunk) {
    position = end;
    if (chunk.events === 0) return undefined;
    shown = end;
    return chunk;
  }

  async function replay(): Promise<Chunk | undefined> {
    const bound = recent.tail();
    const page = await read(position, bound, pageSize);
    const chunk = firstChunk(page);
    const isCut = chunk.events < page.length;
    const end = isCut || page.length === pageSize ? (chunk.lastId ?? bound) : bound;
    // The events cut off are read again.
    pageSize = isCut ? chunk.events : Math.min(REPLAY_PAGE_MAX, pageSize * 2);
    return moveTo(end, chunk) ?? next();
  }

  function next(): Maybe<Chunk | undefined> {
    if (position < recent.tail()) return replay();
    const taken = recent.take(filter, position);
    return moveTo(taken.position, taken.chunk);
  }

  return {
    next,
    heartbeat() {
      const id = shown === position ? "" : `id: ${position}\n`;
      shown = position;
      return encoder.encode(`${HEARTBEATS[heartbeat]}\n${id}\n`);
    },
  };
}

const encoder = new TextEncoder();
