import type { Clock } from "../platform/clock.ts";
import type { Maybe } from "../platform/maybe.ts";

export const STREAM_STALL_MS = 10_000; // in which a connection takes nothing that waits for it; then the stream is ended
export const STREAM_HEARTBEAT_MS = 15_000; // without an event; then a comment shows that the connection is alive

/** What a stream sends: it is read when the connection has taken all that was sent before. */
export interface Followed {
  /** @param onMore called when something has come after `next` has yielded nothing */
  begin(onMore: () => void): {
    next(): Maybe<{ readonly bytes: Uint8Array; readonly events: number } | undefined>;
    heartbeat(): Uint8Array;
    close(): void;
  };
}

/** Why a stream ended: its reader has left, or takes nothing, or may not read any more; the service stops; a fault. */
export const STREAM_ENDS = ["client", "slow", "revoked", "stopping", "failed"] as const;
export type StreamEnd = (typeof STREAM_ENDS)[number];

export interface EventStream {
  readonly readable: ReadableStream<Uint8Array>;
  /** Sends a heartbeat where it is due, and ends the stream of a connection that takes nothing. */
  look(): void;
  end(reason: StreamEnd): void;
}

interface EventStreamOptions {
  readonly clock: Clock;
  readonly onSent: (events: number) => void;
  /** @param error of a fault */
  readonly onEnd: (reason: StreamEnd, error?: unknown) => void;
}

/**
 * One response without an end. The runtime pulls again only when the connection has taken what it was given: until then
 * nothing is read and nothing waits here.
 */
export function createEventStream(followed: Followed, options: EventStreamOptions): EventStream {
  const { clock, onSent, onEnd } = options;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isWanted = false;
  let isReading = false;
  let hasMore = false;
  let isOver = false;
  let sentAt = clock.monotonicMs();

  function send(bytes: Uint8Array): void {
    isWanted = false;
    sentAt = clock.monotonicMs();
    controller?.enqueue(bytes);
  }

  async function fill(): Promise<void> {
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

  function end(reason: StreamEnd, error?: unknown): void {
    if (isOver) return;
    isOver = true;
    follower.close();
    onEnd(reason, error);
    if (reason === "client") return;
    // What the connection has not taken would keep it open.
    if (isWanted) controller?.close();
    else controller?.error(new Error(`The stream has ended: ${reason}.`));
  }

  const follower = followed.begin(() => {
    hasMore = true;
    fill();
  });
  const readable = createReadable({
    start(given) {
      controller = given;
      send(follower.heartbeat());
    },
    pull() {
      isWanted = true;
      fill();
    },
    cancel: () => end("client"),
  });
  return {
    readable,
    look() {
      const silentMs = clock.monotonicMs() - sentAt;
      if (!isWanted && silentMs > STREAM_STALL_MS) end("slow");
      else if (isWanted && silentMs >= STREAM_HEARTBEAT_MS) send(follower.heartbeat());
    },
    end,
  };
}

interface Source {
  start(controller: ReadableStreamDefaultController<Uint8Array>): void;
  pull(): void;
  cancel(): void;
}

/** It pulls only for a read: the runtime reads when the connection has taken all. */
function createReadable(source: Source): ReadableStream<Uint8Array> {
  return new ReadableStream(source, { highWaterMark: 0 });
}
