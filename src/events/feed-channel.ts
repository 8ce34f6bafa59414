import type { OpenStream, StreamChunk, StreamSource } from "../platform/stream-source.ts";
import type { LoggedEvent } from "./event.ts";
import type { EventLog, LogEntry } from "./event-log.ts";
import { cursorExpired } from "./list-events.ts";
import {
  createRecentEvents,
  type EncodedEvent,
  encodeEvent,
  firstChunk,
  type RecentEvents,
} from "./recent-events.ts";
import type { EventFilter } from "./store.ts";

const EVENTS_READ_MAX = 500; // maximum number of new events that are read at once
const READ_PAUSE_MS = 25; // pause between two reads of new events, so that one read covers all commits during the pause
const REPLAY_PAGE_MAX = 100; // maximum number of events in a page of past events

/** Prepares events before a channel's streams send them. The console's channel, for example, adds people's names. */
type Present = (events: readonly LoggedEvent[]) => Promise<readonly LoggedEvent[]>;

/**
 * The heartbeat that a stream sends when it has been silent for a while: either a comment, which clients ignore, or an event, which
 * also reaches the code of a web page that uses `EventSource`.
 */
const HEARTBEATS = { comment: ":", event: "event: heartbeat\ndata:" } as const;

export interface ChannelOptions {
  readonly present: Present;
  readonly heartbeat: keyof typeof HEARTBEATS;
  readonly onError: (error: unknown) => void;
}

interface Bounds {
  /** The position in the event log after which the stream begins. */
  readonly start: bigint;
  /** The position of the log's end when the stream was opened. Up to this position, the log was complete. */
  readonly end: bigint;
}

/**
 * Reads the log for all streams of a channel, and encodes each event only once. A stream stores nothing but its position, so a slow
 * stream costs no memory.
 */
export function createFeedChannel(log: EventLog, { present, heartbeat, onError }: ChannelOptions) {
  async function encode(entries: readonly LogEntry[]) {
    const events = await present(entries.map(({ event }) => event));
    return events.map((event, index) => encodeEvent(event, entries[index]?.petId));
  }
  const { recent, streams, readOn } = createReader(log, encode);
  let resets = 0;

  /**
   * Yields what a stream sends: the past events after `start`, followed by new events. A heartbeat is sent at the beginning, and
   * whenever the stream has been silent for a while.
   */
  async function* chunksOf(filter: EventFilter, { start, end }: Bounds, stream: OpenStream) {
    const resetsBefore = resets;
    const replay = createReplay({ log, encode, recent, filter });
    let position = start;
    let shown: bigint | undefined;
    /**
     * Returns a heartbeat. If the stream has skipped events because of its filter, the heartbeat contains the stream's position.
     */
    function beat(): StreamChunk {
      const id = shown === position ? "" : `id: ${position}\n`;
      shown = position;
      return { bytes: encoder.encode(`${HEARTBEATS[heartbeat]}\n${id}\n`), events: 0 };
    }
    if (streams.size === 0 && end > recent.end()) recent.skipTo(end);
    streams.add(stream);
    // Reads the events that were announced while no stream was open, because nothing has read them yet.
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
     * Prepares a stream of the events after `after`. If `after` is undefined, the stream contains only future events.
     *
     * @throws ServiceError `cursor_expired`, `invalid_request`
     */
    async follow(filter: EventFilter, after: bigint | undefined): Promise<StreamSource> {
      const end = await log.readEnd();
      if (after !== undefined && (after < 0n || after > end)) await log.requireAssigned(after);
      if (after !== undefined) await log.requireKept(after);
      return (stream) => chunksOf(filter, { end, start: after ?? end }, stream);
    },
    /** Closes all streams because staging was reset. */
    expire() {
      resets++;
      for (const stream of streams) stream.wake();
    },
    readOn,
  };
}

type Encode = (entries: readonly LogEntry[]) => Promise<readonly EncodedEvent[]>;

/** Keeps new events in memory while at least one stream is open, and wakes the streams. */
function createReader(log: EventLog, encode: Encode) {
  const recent = createRecentEvents();
  const streams = new Set<OpenStream>();
  let isReading = false;
  let isDue = false;

  /** Reads the next batch of new events. Returns true if there may be more. */
  async function readNext(): Promise<boolean> {
    const before = recent.end();
    const { entries, isRemoved } = await log.readNew(before, EVENTS_READ_MAX);
    const last = entries.at(-1);
    if (last === undefined) return false;
    const encoded = await encode(entries);
    // The position changes if the last stream is closed during this read, and a new stream begins at a later position. The new
    // stream does not need these events.
    if (recent.end() !== before) return true;
    // Some events before this batch were deleted before they could be read. A stream that still needs them reads the log itself,
    // and is then refused with `cursor_expired`.
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

/**
 * Reads past events for a stream when they are no longer in memory. The number of events per read adapts to how many fit in a
 * chunk.
 */
function createReplay({ log, encode, recent, filter }: ReplayOptions) {
  let pageSize = REPLAY_PAGE_MAX;
  return async (after: bigint) => {
    const bound = recent.tail();
    const page = await encode(await log.replay(filter, after, bound + 1n, pageSize));
    const chunk = firstChunk(page);
    const isCut = chunk.events < page.length;
    const position = isCut || page.length === pageSize ? (chunk.lastId ?? bound) : bound;
    // Events that did not fit in one chunk are read again for the next chunk.
    pageSize = isCut ? chunk.events : Math.min(REPLAY_PAGE_MAX, pageSize * 2);
    return { chunk, position };
  };
}

export type FeedChannel = ReturnType<typeof createFeedChannel>;

const encoder = new TextEncoder();
