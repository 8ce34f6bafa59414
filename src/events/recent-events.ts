import type { Int64 } from "exact-json/int64";
import { writeJson } from "../contract/json/json.ts";
import type { LoggedEvent } from "./event.ts";
import type { EventFilter } from "./store.ts";

const STREAM_CHUNK_BYTES = 64 * 1024; // number of bytes (or one event) that a connection gets at once: the most that waits there for a slow reader
const STREAM_RECENT_BYTES = 1024 * 1024; // number of bytes of new events in memory, for all streams; a stream that is further behind reads the log itself

/** @param petId the animal that the event is about */
export function encodeEvent(event: LoggedEvent, petId: Int64 | undefined) {
  const { id, type } = event;
  const text = `id: ${id}\nevent: ${type}\ndata: ${writeJson(event)}\n\n`;
  return { id: BigInt(id), type, petId, bytes: encoder.encode(text) };
}

/** An event in the format of an event stream (WHATWG HTML §9.2), encoded once for all followers. */
export type EncodedEvent = ReturnType<typeof encodeEvent>;

const encoder = new TextEncoder();

/** A chunk of the first events, as many as fit, at least one. */
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
  /** The last chunk taken. Most followers are at the same position with the same filter, and take it next. */
  let taken: { key: string; chunk: Chunk; position: bigint } | undefined;
  let recent: EncodedEvent[] = [];
  let bytes = 0;
  let tail = 0n;
  return {
    /** Position after which all events are in memory. */
    tail: () => tail,
    /** Position of the last event in memory; `tail` if there is none. */
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
    /** Clears the buffer of recent events, which continues after `id`. */
    skipTo(id: bigint) {
      tail = id;
      recent = [];
      bytes = 0;
    },
    /** The next chunk of matching events in memory after a position, and the position after the chunk. */
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
