import type { Int64 } from "exact-json/int64";
import { writeJson } from "../contract/json/json.ts";
import type { LoggedEvent } from "./event.ts";
import type { EventFilter } from "./store.ts";

const STREAM_CHUNK_BYTES = 64 * 1024; // maximum number of bytes in one chunk of a stream, unless a single event is larger; for each connection with a slow reader, only one chunk waits in memory
const STREAM_RECENT_BYTES = 1024 * 1024; // maximum number of bytes of new events in memory, for all streams together; a stream that needs older events reads the log itself

/** Encodes an event. @param petId the animal that the event is about */
export function encodeEvent(event: LoggedEvent, petId: Int64 | undefined) {
  const { id, type } = event;
  const text = `id: ${id}\nevent: ${type}\ndata: ${writeJson(event)}\n\n`;
  return { id: BigInt(id), type, petId, bytes: encoder.encode(text) };
}

/** An event as text of an event stream (WHATWG HTML §9.2), encoded once for all streams. */
export type EncodedEvent = ReturnType<typeof encodeEvent>;

const encoder = new TextEncoder();

/** Returns a chunk with the first events of the list: as many as fit, but at least one. */
export function firstChunk(events: readonly EncodedEvent[]) {
  let size = 0;
  const end = events.findIndex(({ bytes }, index) => {
    size += bytes.length;
    return index > 0 && size > STREAM_CHUNK_BYTES;
  });
  const first = end < 0 ? events : events.slice(0, end);
  const bytes = Buffer.concat(first.map((event) => event.bytes));
  return { bytes, events: first.length, lastId: first.at(-1)?.id };
}

type Chunk = ReturnType<typeof firstChunk>;

export function createRecentEvents() {
  /**
   * The chunk that was returned last. Most streams have the same position and the same filter, so the next call often asks for the
   * same chunk.
   */
  let taken: { key: string; chunk: Chunk; position: bigint } | undefined;
  let recent: EncodedEvent[] = [];
  let bytes = 0;
  let tail = 0n;
  return {
    /** The position in the event log after which all events are in memory. */
    tail: () => tail,
    /** The position of the newest event in memory, or `tail` if no event is in memory. */
    end: () => recent.at(-1)?.id ?? tail,
    add(events: readonly EncodedEvent[]) {
      for (const event of events) {
        recent.push(event);
        bytes += event.bytes.length;
      }
      let dropped = 0;
      for (const event of recent) {
        if (bytes <= STREAM_RECENT_BYTES) break;
        tail = event.id;
        bytes -= event.bytes.length;
        dropped++;
      }
      if (dropped > 0) recent = recent.slice(dropped);
    },
    /** Forgets all events in memory. The next event that is added must be the first one after `id`. */
    skipTo(id: bigint) {
      tail = id;
      recent = [];
      bytes = 0;
    },
    /**
     * Returns the next chunk of matching events after a position, and the position after the chunk. It looks only at events in
     * memory.
     */
    take(filter: EventFilter, after: bigint) {
      const key = `${after} ${recent.at(-1)?.id} ${filter.petId} ${filter.types}`;
      if (taken?.key === key) return taken;
      const behind = recent.slice(recent.findLastIndex(({ id }) => id <= after) + 1);
      const matching = behind.filter((event) => matches(filter, event));
      const chunk = firstChunk(matching);
      const last = chunk.events < matching.length ? chunk.lastId : behind.at(-1)?.id;
      taken = { key, chunk, position: last ?? after };
      return taken;
    },
  };
}

export type RecentEvents = ReturnType<typeof createRecentEvents>;

function matches({ types, petId }: EventFilter, event: EncodedEvent): boolean {
  return (types?.includes(event.type) ?? true) && (petId === undefined || petId === event.petId);
}
