import type { Int64 } from "exact-json/int64";
import type { OpenStream, StreamChunk, StreamSource } from "../platform/stream-source.ts";
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

const EVENTS_READ_MAX = 500; // maximum number of new events in one read
const READ_PAUSE_MS = 25; // pause between two reads of new events, which serves all commits in between
const REPLAY_PAGE_MAX = 100; // number of events in a page of past events

/** Maps events to the form that a channel's streams send. The console's channel adds the names of persons. */
type Present = (events: readonly LoggedEvent[]) => Promise<readonly LoggedEvent[]>;

/** Lines that a silent stream sends: every reader ignores a comment, and an `EventSource` passes an event to its page. */
const HEARTBEATS = { comment: ":", event: "event: heartbeat\ndata:" } as const;

export interface ChannelOptions {
  readonly present: Present;
  readonly heartbeat: keyof typeof HEARTBEATS;
  readonly onError: (error: unknown) => void;
}

/** An event, and the animal that it is about. */
interface LogEntry {
  readonly event: LoggedEvent;
  readonly petId: Int64 | undefined;
}

export interface EventLog {
  /** Reads the identifier up to which the log is complete. */
  readEnd(): Promise<bigint>;
  /** Reads the first events after a position, and whether an event after the position has been removed. */
  readNew(
    above: bigint,
    count: number,
  ): Promise<{ readonly entries: readonly LogEntry[]; readonly isRemoved: boolean }>;
  /** Reads past events between two positions. @throws ServiceError `cursor_expired` if one of them has been removed */
  replay(filter: EventFilter, above: bigint, below: bigint, count: number): Promise<readonly LogEntry[]>;
  /** Checks that events after `after` are kept. @throws ServiceError `cursor_expired` */
  requireKept(after: bigint): Promise<void>;
  /** Checks that some process may have given an event the identifier `after`. @throws ServiceError `invalid_request` */
  requireGiven(after: bigint): Promise<void>;
}

interface Bounds {
  /** Position after which the stream's events begin. */
  readonly start: bigint;
  /** Position up to which the log was complete when the stream was opened. */
  readonly end: bigint;
}

/**
 * Reads the log for all streams of a channel, and encodes each event once. A stream keeps only a position, so a slow one costs
 * no memory.
 */
export function createFeedChannel(log: EventLog, { present, heartbeat, onError }: ChannelOptions) {
  async function encode(entries: readonly LogEntry[]) {
    const events = await present(entries.map(({ event }) => event));
    return events.map((event, index) => encodeEvent(event, entries[index]?.petId));
  }
  const { recent, streams, readOn } = createReader(log, encode);
  let resets = 0;

  /**
   * The chunks of a stream from a position on: past events, then new ones, and a heartbeat at the start and whenever it is
   * silent.
   */
  async function* chunksOf(filter: EventFilter, { start, end }: Bounds, stream: OpenStream) {
    const resetsBefore = resets;
    const replay = createReplay({ log, encode, recent, filter });
    let position = start;
    let shown: bigint | undefined;
    /** A heartbeat. It tells the stream's position if that has passed events that the filter excludes. */
    function beat(): StreamChunk {
      const id = shown === position ? "" : `id: ${position}\n`;
      shown = position;
      return { bytes: encoder.encode(`${HEARTBEATS[heartbeat]}\n${id}\n`), events: 0 };
    }
    if (streams.size === 0 && end > recent.end()) recent.skipTo(end);
    streams.add(stream);
    // Events that were announced while there was no stream have not been read yet.
    readOn().catch(onError);
    try {
      yield beat();
      while (!stream.isOver()) {
        if (resets > resetsBefore) throw cursorExpired();
        const before = position;
        const next = before < recent.tail() ? await replay(before) : recent.take(filter, before);
        position = next.position;
        if (next.chunk.events > 0) {
          shown = position;
          yield next.chunk;
        } else if (position > before) continue;
        else if (stream.isSilent()) yield beat();
        else await stream.woken();
      }
    } finally {
      streams.delete(stream);
    }
  }

  return {
    /**
     * Prepares a stream of the events after `after` or, if that is left out, of those from now on.
     *
     * @throws ServiceError `cursor_expired`, `invalid_request`
     */
    async follow(filter: EventFilter, after: bigint | undefined): Promise<StreamSource> {
      const end = await log.readEnd();
      if (after !== undefined && (after < 0n || after > end)) await log.requireGiven(after);
      if (after !== undefined) await log.requireKept(after);
      return (stream) => chunksOf(filter, { end, start: after ?? end }, stream);
    },
    /** Closes all streams after a reset. */
    expire() {
      resets++;
      for (const stream of streams) stream.wake();
    },
    readOn,
  };
}

type Encode = (entries: readonly LogEntry[]) => Promise<readonly EncodedEvent[]>;

/** Reads new events into memory while there are streams, and wakes the streams. */
function createReader(log: EventLog, encode: Encode) {
  const recent = createRecentEvents();
  const streams = new Set<OpenStream>();
  let isReading = false;
  let isDue = false;

  /** Reads the next new events; true if there may be more. */
  async function readNext(): Promise<boolean> {
    const before = recent.end();
    const { entries, isRemoved } = await log.readNew(before, EVENTS_READ_MAX);
    const last = entries.at(-1);
    if (last === undefined) return false;
    const encoded = await encode(entries);
    // During the read, the last stream ended and another one began at a later position.
    if (recent.end() !== before) return true;
    // Events before these were removed before anybody read them. Streams that still need them read the log themselves, and are
    // refused.
    if (isRemoved) recent.skipTo(BigInt(last.event.id));
    else recent.add(encoded);
    for (const stream of streams) stream.wake();
    return entries.length === EVENTS_READ_MAX;
  }

  async function readOn(): Promise<void> {
    isDue = true;
    if (isReading) return;
    isReading = true;
    try {
      while (isDue && streams.size > 0) {
        isDue = false;
        const before = recent.end();
        while (await readNext());
        if (recent.end() > before) await Bun.sleep(READ_PAUSE_MS);
      }
    } finally {
      isReading = false;
    }
  }

  return { recent, streams, readOn };
}

interface ReplayOptions {
  readonly log: EventLog;
  readonly encode: Encode;
  readonly recent: RecentEvents;
  readonly filter: EventFilter;
}

/** Reads a stream's past events, which are not in memory. It adapts the size of a page to the size of a chunk. */
function createReplay({ log, encode, recent, filter }: ReplayOptions) {
  let pageSize = REPLAY_PAGE_MAX;
  return async (after: bigint) => {
    const bound = recent.tail();
    const page = await encode(await log.replay(filter, after, bound + 1n, pageSize));
    const chunk = firstChunk(page);
    const isCut = chunk.events < page.length;
    const position = isCut || page.length === pageSize ? (chunk.lastId ?? bound) : bound;
    // The events that did not fit into the chunk are read again.
    pageSize = isCut ? chunk.events : Math.min(REPLAY_PAGE_MAX, pageSize * 2);
    return { chunk, position };
  };
}

export type FeedChannel = ReturnType<typeof createFeedChannel>;

const encoder = new TextEncoder();
