import type { KeyId } from "../context.ts";
import { ServiceError, unavailable } from "../errors.ts";
import { STREAMS_MAX } from "../limits.ts";
import type { Clock } from "../platform/clock.ts";
import { createBell, type StreamSource } from "../platform/stream-source.ts";
import { DatabaseClosedError } from "../storage/database.ts";
import type { ShareCheck } from "./key-shares.ts";

export const STREAM_STALL_MS = 10_000; // a connection is closed if it accepts none of the waiting bytes for this long
export const STREAM_HEARTBEAT_MS = 15_000; // if no event occurs for this long, the stream sends a comment to show that the connection is alive
export const STREAM_CHECK_MS = 700; // interval at which the service checks whether a stream's key or session is still valid

/**
 * Reasons why a stream ended: the client closed the stream, read it too slowly, or lost its access; the service stopped; or an
 * error occurred.
 */
export const STREAM_ENDS = ["client", "slow", "revoked", "stopping", "failed"] as const;
type StreamEnd = (typeof STREAM_ENDS)[number];

interface StreamReader {
  /**
   * Identifies the key, or the session and its role, whose access has to be checked. Streams with the same identifier share one
   * check.
   */
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
    /**
     * Refuses a new stream if the key has reached its maximum number of streams, or if the service is stopping.
     *
     * @throws ServiceError `rate_limited`, `unavailable`
     */
    requireRoom(keyId: KeyId) {
      const held = keyId === undefined ? 0 : [...open.values()].filter(({ id }) => id === keyId).length;
      requireShare("streams", keyId, held);
      if (isStopping) throw unavailable("The service is stopping. Try again.");
      if (open.size >= max) throw unavailable("Too many event streams are open. Try again.");
    },
    begin(source: StreamSource, reader: StreamReader): ReadableStream<Uint8Array> {
      const stream = createEventStream(source, options, (reason, error) => {
        open.delete(stream);
        // The connection is cut off, because bytes that are still waiting to be sent would keep it open.
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
      // The check of the readers' access is not awaited, so that heartbeats do not wait for the database.
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

/** Ends the streams of a reader who no longer has access. Never rejects: if the check itself fails, the streams stay open. */
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
 * Creates the body of an endless response. With a high-water mark of 0, the runtime asks for the next chunk only when the
 * connection has accepted all earlier chunks; until then, nothing is read or buffered. `look` wakes the source when a heartbeat
 * is due, and ends the stream if the connection accepts nothing.
 */
function createEventStream(source: StreamSource, options: EventStreamsOptions, onEnd: OnEnd) {
  const { clock, onSent } = options;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** True while the runtime waits for the next chunk of the stream. */
  let isPulled = false;
  let isOver = false;
  let sentAt = clock.monotonicMs();
  const silentMs = () => clock.monotonicMs() - sentAt;
  const isSilent = () => silentMs() >= STREAM_HEARTBEAT_MS;
  const bell = createBell();
  const chunks = source({ ...bell, isSilent, isOver: () => isOver });

  // The generator is started at once, because a generator that never started does not run its clean-up when the stream ends.
  let first: ReturnType<typeof chunks.next> | undefined = chunks.next();

  async function pull() {
    isPulled = true;
    try {
      const { value: chunk } = await (first ?? chunks.next());
      first = undefined;
      if (isOver || chunk === undefined) return;
      isPulled = false;
      sentAt = clock.monotonicMs();
      controller?.enqueue(chunk.bytes);
      onSent(chunk.events);
    } catch (error) {
      end("failed", error);
    }
  }

  function end(reason: StreamEnd, error?: unknown) {
    if (isOver) return;
    isOver = true;
    bell.wake();
    chunks.return();
    onEnd(reason, error);
    if (reason === "client") return;
    // If some bytes are still waiting to be sent, the stream is aborted, because closing it would keep the connection open until
    // they are sent.
    if (isPulled) controller?.close();
    else controller?.error(new Error(`The stream has ended: ${reason}.`));
  }

  const start = (given: typeof controller) => {
    controller = given;
  };
  return {
    readable: new ReadableStream({ start, pull, cancel: () => end("client") }, { highWaterMark: 0 }),
    look() {
      if (!isPulled && silentMs() > STREAM_STALL_MS) end("slow");
      else if (isPulled && isSilent()) bell.wake();
    },
    end,
  };
}
