import { ServiceError, unavailable } from "../errors.ts";
import { STREAMS_MAX } from "../limits.ts";
import type { Clock } from "../platform/clock.ts";
import { createEventStream, type EventStream, type Followed, type StreamEnd } from "./event-stream.ts";

export const STREAM_CHECK_MS = 700; // between looks whether a stream's key or session is still good

/** Who reads a stream. */
interface StreamReader {
  /** Of the key or the session: its streams are checked together. */
  readonly id: string;
  /** @throws ServiceError `unauthorized`, `forbidden` when it may not read any more */
  check(): Promise<void>;
  /** Ends its connection; what it has not taken is dropped. */
  readonly cutOff: () => void;
}

/** The open streams of one process. */
export interface EventStreams {
  /** @throws ServiceError `unavailable`, with `Retry-After`, where one more is too many, or the process is stopping */
  requireRoom(): void;
  begin(followed: Followed, reader: StreamReader): ReadableStream<Uint8Array>;
  readonly count: () => number;
  /** To be called every `STREAM_CHECK_MS`: sends heartbeats, and ends the streams whose key or session is no longer good. */
  look(): void;
  /** Ends them all; others are refused from then on. */
  stop(): void;
}

interface EventStreamsOptions {
  readonly clock: Clock;
  readonly onSent: (events: number) => void;
  readonly onEnd: (reason: StreamEnd) => void;
  /** Called with a fault that ended a stream. */
  readonly onError: (error: unknown) => void;
  readonly max?: number;
}

export function createEventStreams(options: EventStreamsOptions): EventStreams {
  const { clock, onSent, onEnd, onError, max = STREAMS_MAX } = options;
  const open = new Map<EventStream, StreamReader>();
  let isStopping = false;
  let isChecking = false;

  async function checkReaders(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    const byReader = Map.groupBy(open, ([, { id }]) => id);
    await Promise.all([...byReader.values()].map(checkReader));
    isChecking = false;
  }

  function stop(): void {
    isStopping = true;
    for (const stream of [...open.keys()]) stream.end("stopping");
  }

  return {
    requireRoom() {
      if (isStopping) throw unavailable("The service is stopping. Try again.");
      if (open.size >= max) throw unavailable("Too many event streams are open. Try again.");
    },
    begin(followed, reader) {
      const stream = createEventStream(followed, {
        clock,
        onSent,
        onEnd(reason, error) {
          open.delete(stream);
          // What it has not taken would keep it open.
          if (reason !== "client") reader.cutOff();
          onEnd(reason);
          if (error !== undefined && !isRefusal(error)) onError(error);
        },
      });
      open.set(stream, reader);
      return stream.readable;
    },
    count: () => open.size,
    look() {
      for (const stream of open.keys()) stream.look();
      // Not awaited: a heartbeat does not wait for a database.
      checkReaders();
    },
    stop,
  };
}

/** Never rejects. Where the database cannot tell, the streams stay: there are no events to read either. */
async function checkReader(streams: readonly (readonly [EventStream, StreamReader])[]): Promise<void> {
  try {
    await streams[0]?.[1].check();
  } catch (error) {
    if (isRefusal(error)) for (const [stream] of streams) stream.end("revoked");
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && error.status < 500;
}
