/** A chunk of an endless response, and the number of events that it contains (0 for a heartbeat). */
export interface StreamChunk {
  readonly bytes: Uint8Array;
  readonly events: number;
}

/** An open stream, as it is passed to the generator of its chunks. */
export interface OpenStream {
  /** Wakes the generator of the stream's chunks, so that it checks whether there is something to send. */
  wake(): void;
  /** Resolves at the next call of `wake`. If `wake` was called since the last wait, resolves immediately. */
  woken(): Promise<void>;
  /**
   * True if nothing was sent for so long that a heartbeat is due. The generator of the chunks is woken when this becomes true.
   */
  isSilent(): boolean;
  /** True if nothing more can be sent. The generator of the chunks is woken when this becomes true, and should then end. */
  isOver(): boolean;
}

/** Produces the chunks of a stream. Each chunk is requested only when the connection has accepted everything before it. */
export type StreamSource = (stream: OpenStream) => AsyncGenerator<StreamChunk, void, void>;

/**
 * Creates the functions `wake` and `woken` for one listener. If `wake` is called while nobody is waiting, the next `woken` resolves
 * immediately.
 */
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
