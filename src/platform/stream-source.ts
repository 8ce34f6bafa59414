/** A part of an endless response, and the number of events in it, which is 0 for a heartbeat. */
export interface StreamChunk {
  readonly bytes: Uint8Array;
  readonly events: number;
}

/** An open stream, as seen by the source that produces its chunks. */
export interface OpenStream {
  /** Wakes the source, because there may be something to send. */
  wake(): void;
  /** Resolves at the next call of `wake`, or at once if `wake` has been called since the previous wait. */
  woken(): Promise<void>;
  /** True if nothing has been sent for so long that a heartbeat is due. When that happens, the source is woken. */
  isSilent(): boolean;
  /** True if nothing more will be sent. When that happens, the source is woken, and should end. */
  isOver(): boolean;
}

/**
 * Produces the chunks of a stream. The next chunk is requested when the connection has accepted everything that was sent before.
 */
export type StreamSource = (stream: OpenStream) => AsyncGenerator<StreamChunk, void, void>;

/** Creates a bell for one listener. If the bell rings while nobody is listening, the next `woken` resolves at once. */
export function createBell(): Pick<OpenStream, "wake" | "woken"> {
  let hasRung = false;
  let listener: (() => void) | undefined;
  return {
    wake() {
      hasRung = true;
      listener?.();
    },
    async woken() {
      if (!hasRung)
        await new Promise<void>((resolve) => {
          listener = resolve;
        });
      hasRung = false;
      listener = undefined;
    },
  };
}
