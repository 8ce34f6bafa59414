import type { KeyId } from "../context.ts";
import { ServiceError, unavailable } from "../errors.ts";
import { STREAMS_MAX } from "../limits.ts";
import type { Clock } from "../platform/clock.ts";
import type { Maybe } from "../platform/maybe.ts";
import { DatabaseClosedError } from "../storage/database.ts";
import type { ShareCheck } from "./key-shares.ts";

export const STREAM_STALL_MS = 10_000; // a connection that accepts no byte for this long, although some are waiting, is closed
export const STREAM_HEARTBEAT_MS = 15_000; // after this time without an event, a comment shows that the connection is alive
export const STREAM_CHECK_MS = 700; // interval of checks whether a stream's key or session is still valid

/** A stream's source. It is read only when the connection has accepted everything sent before. */
export interface Followed {
  /** Begins to read events. @param onMore called when `next` should be called again */
  begin(onMore: () => void): {
    next(): Maybe<{ readonly bytes: Uint8Array; readonly events: number } | undefined>;
    heartbeat(): Uint8Array;
    close(): void;
  };
}

/** Reasons why a stream ended: its reader left, did not read, or lost access; the service stopped; or there was an error. */
export const STREAM_ENDS = ["client", "slow", "revoked", "stopping", "failed"] as const;
type StreamEnd = (typeof STREAM_ENDS)[number];

interface StreamReader {
  /** Identifier of the key, or session and role, whose streams are checked together. */
  readonly id: string;
  /** Checks that the reader still has access. @throws ServiceError `unauthorized`, `forbidden` */
  check(): Promise<void>;
  readonly cutOff: () => void;
}

interface EventStreamsOptions {
  readonly clock: Clock;
  readonly onSent: (events: number) => void;
  readonly onEnd: (reason: StreamEnd) => void;
  readonly onError: (error: unknown) => void;
  readonly requireShare: ShareCheck;
  readonly max?: number;
}

export function createEventStreams(options: EventStreamsOptions) {
  const { onEnd, onError, requireShare, max = STREAMS_MAX } = options;
  const open = new Map<EventStream, StreamReader>();
  let isStopping = false;
  let isChecking = false;

  async function checkReaders() {
    if (isChecking) return;
    isChecking = true;
    const byReader = Map.groupBy(open, ([, { id }]) => id);
    await Promise.all([...byReader.values()].map(checkReader));
    isChecking = false;
  }

  return {
    /** Refuses a stream above the maximum, and every stream while the service stops. @throws ServiceError `rate_limited`, `unavailable` */
    requireRoom(keyId: KeyId) {
      const held = keyId === undefined ? 0 : [...open.values()].filter(({ id }) => id === keyId).length;
      requireShare("streams", keyId, held);
      if (isStopping) throw unavailable("The service is stopping. Try again.");
      if (open.size >= max) throw unavailable("Too many event streams are open. Try again.");
    },
    begin(followed: Followed, reader: StreamReader): ReadableStream<Uint8Array> {
      const stream = createEventStream(followed, options, (reason, error) => {
        open.delete(stream);
        // Cut off, because unsent bytes would keep the connection open.
        if (reason !== "client") reader.cutOff();
        onEnd(reason);
        if (error !== undefined && !isRefusal(error)) onError(error);
      });
      open.set(stream, reader);
      return stream.readable;
    },
    count: () => open.size,
    /** Called every `STREAM_CHECK_MS`: sends heartbeats, and ends streams whose key or session has ended. */
    look() {
      for (const stream of open.keys()) stream.look();
      // Not awaited, so that heartbeats do not wait for the database.
      checkReaders();
    },
    /** Ends all streams, and refuses new ones. */
    stop() {
      isStopping = true;
      for (const stream of open.keys()) stream.end("stopping");
    },
  };
}

export type EventStreams = ReturnType<typeof createEventStreams>;

/** Ends the streams of a reader without access. Never rejects: if the check itself fails, streams stay open. */
async function checkReader(streams: readonly (readonly [EventStream, StreamReader])[]) {
  try {
    await streams[0]?.[1].check();
  } catch (error) {
    if (isRefusal(error)) for (const [stream] of streams) stream.end("revoked");
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof DatabaseClosedError || (error instanceof ServiceError && error.status < 500);
}

type EventStream = ReturnType<typeof createEventStream>;
type OnEnd = (reason: StreamEnd, error: unknown) => void;

/**
 * Creates an endless response. With a high-water mark of 0, the runtime pulls only when the connection has accepted everything so
 * far; until then nothing is read or buffered. `look` sends a heartbeat if one is due, and ends the stream of a connection that
 * accepts nothing.
 */
function createEventStream(followed: Followed, options: EventStreamsOptions, onEnd: OnEnd) {
  const { clock, onSent } = options;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isWanted = false;
  let isReading = false;
  let hasMore = false;
  let isOver = false;
  let sentAt = clock.monotonicMs();

  function send(bytes: Uint8Array) {
    isWanted = false;
    sentAt = clock.monotonicMs();
    controller?.enqueue(bytes);
  }

  async function fill() {
    if (isReading) return;
    isReading = true;
    try {
      while (isWanted && !isOver) {
        hasMore = false;
        const chunk = await follower.next();
        if (isOver || (chunk === undefined && !hasMore)) return;
        if (chunk === undefined) continue;
        send(chunk.bytes);
        onSent(chunk.events);
      }
    } catch (error) {
      end("failed", error);
    } finally {
      isReading = false;
    }
  }

  function end(reason: StreamEnd, error?: unknown) {
    if (isOver) return;
    isOver = true;
    follower.close();
    onEnd(reason, error);
    if (reason === "client") return;
    // Not closed while bytes are unsent, because they would keep the connection open.
    if (isWanted) controller?.close();
    else controller?.error(new Error(`The stream has ended: ${reason}.`));
  }

  const follower = followed.begin(() => {
    hasMore = true;
    fill();
  });
  const source = {
    start(given: ReadableStreamDefaultController<Uint8Array>) {
      controller = given;
      send(follower.heartbeat());
    },
    pull() {
      isWanted = true;
      fill();
    },
    cancel: () => end("client"),
  };
  return {
    readable: new ReadableStream(source, { highWaterMark: 0 }),
    look() {
      const silentMs = clock.monotonicMs() - sentAt;
      if (!isWanted && silentMs > STREAM_STALL_MS) end("slow");
      else if (isWanted && silentMs >= STREAM_HEARTBEAT_MS) send(follower.heartbeat());
    },
    end,
  };
}
