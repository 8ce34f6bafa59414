import type { Maybe } from "../platform/maybe.ts";
import type { LoggedEvent } from "./event.ts";
import { cursorExpired } from "./list-events.ts";
import {
  createRecentEvents,
  type EncodedEvent,
  encodeEvent,
  firstChunk,
  type RecentEvents,
} from "./recent-events.ts";
import type { EventFilter } from "./store.ts";

const REPLAY_PAGE_MAX = 100; // events of such a page

/** Events as the followers of a channel see them: in the console, persons have names. */
export type Present = (events: readonly LoggedEvent[]) => Promise<readonly LoggedEvent[]>;

/** Source of a channel: replay of past events, and a subscription to new ones. */
export interface EventLog {
  readNewestId(): Promise<bigint>;
  /** Up to `count` events behind a position; there is a limit to how many are read at a time. */
  replay(filter: EventFilter, after: bigint, count: number): Promise<readonly LoggedEvent[]>;
  /**
   * Yields the identifier of the oldest event that is kept, 0 without any.
   *
   * @throws ServiceError `cursor_expired` where events behind the position have been deleted
   */
  requireKept(after: bigint): Promise<bigint>;
  /** From then on the channel gets all events behind the position that is returned: `newestId`, or a later one. */
  join(receiver: EventReceiver, newestId: bigint): bigint;
  leave(receiver: EventReceiver): void;
}

/** Gets events in their order, without a gap. */
export interface EventReceiver {
  /** Yields what puts them into the channel. */
  prepare(events: readonly LoggedEvent[]): Promise<() => void>;
  /** Called instead where it joined while they were being read: it has to read those up to this one itself. */
  skipTo(id: bigint): void;
}

/** A reader of a channel. It holds a position and no events: one that is slow costs no memory. */
interface Follower {
  next(): Maybe<Chunk | undefined>;
  /** A comment, and the position where it has moved past events that the filter leaves out. */
  heartbeat(): Uint8Array;
  close(): void;
}

export interface Chunk {
  readonly bytes: Uint8Array;
  /** How many. */
  readonly events: number;
}

export function createFeedChannel(log: EventLog, present: Present) {
  const wakes = new Set<() => void>();
  let expirations = 0;
  const recent = createRecentEvents();
  const wakeAll = () => {
    for (const wake of wakes) wake();
  };
  const encode = async (events: readonly LoggedEvent[]) => (await present(events)).map(encodeEvent);
  const receiver: EventReceiver = {
    async prepare(events) {
      const encoded = await encode(events);
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

  function begin(filter: EventFilter, start: bigint, newestId: bigint, onMore: () => void): Follower {
    if (wakes.size === 0) recent.skipTo(log.join(receiver, newestId));
    // A function of its own: each follower is woken once.
    const wake = () => onMore();
    wakes.add(wake);
    const read = async (after: bigint, count: number) => {
      const events = await log.replay(filter, after, count);
      await log.requireKept(after);
      return encode(events);
    };
    const begunAt = expirations;
    const follower = createFollower(recent, filter, start, read);
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
     * Prepares to follow the events behind `after`; left out, those from now on.
     *
     * @throws ServiceError `cursor_expired`
     */
    async follow(filter: EventFilter, after: bigint | undefined) {
      const newestId = await log.readNewestId();
      const oldestId = after === undefined ? 0n : await log.requireKept(after);
      // The numbers of events go on after a reset: what comes first is not behind 0.
      const start = after === undefined || (after === 0n && oldestId === 0n) ? newestId : after;
      return {
        /** @param onMore called when something has come after `next` has yielded nothing */
        begin: (onMore: () => void) => begin(filter, start, newestId, onMore),
      };
    },
    /** Ends those who follow: what they know is of a store that was emptied. */
    expire() {
      expirations++;
      wakeAll();
    },
  };
}

export type FeedChannel = ReturnType<typeof createFeedChannel>;

/** @param read what is no longer recent */
function createFollower(
  recent: RecentEvents,
  filter: EventFilter,
  start: bigint,
  read: (after: bigint, count: number) => Promise<readonly EncodedEvent[]>,
): Omit<Follower, "close"> {
  let position = start;
  let shown: bigint | undefined;
  let pageSize = REPLAY_PAGE_MAX;

  function chunkOf(events: readonly EncodedEvent[]): Chunk | undefined {
    const [only] = events;
    if (only === undefined) return undefined;
    shown = position;
    const bytes = events.length === 1 ? only.bytes : Buffer.concat(events.map((event) => event.bytes));
    return { bytes, events: events.length };
  }

  function takeRecent(): Chunk | undefined {
    const { events, position: behind } = recent.take(filter, position);
    position = behind;
    return chunkOf(events);
  }

  async function replay(): Promise<Chunk | undefined> {
    // The page read below contains all events up to this bound.
    const bound = recent.tail();
    const page = await read(position, pageSize);
    const events = firstChunk(page);
    const isCut = events.length < page.length;
    const last = events.at(-1)?.id ?? position;
    position = !isCut && page.length < pageSize && bound > last ? bound : last;
    // Events beyond the chunk are read again.
    pageSize = isCut ? events.length : Math.min(REPLAY_PAGE_MAX, pageSize * 2);
    return chunkOf(events) ?? next();
  }

  function next(): Maybe<Chunk | undefined> {
    return position < recent.tail() ? replay() : takeRecent();
  }

  return {
    next,
    heartbeat() {
      if (shown === position) return COMMENT;
      shown = position;
      return encoder.encode(`:\nid: ${position}\n\n`);
    },
  };
}

const encoder = new TextEncoder();
const COMMENT = encoder.encode(":\n\n");
