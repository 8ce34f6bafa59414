/** A part of an endless response, and the number of events in it: none in a heartbeat. */
export interface StreamChunk {
  readonly bytes: Uint8Array;
  readonly events: number;
}

/** An open stream, as its source sees it. */
export interface OpenStream {
  /** Wakes the source: there may be something to send. */
  wake(): void;
  /** Resolves at the next `wake`, or at once if there was one since the last call. */
  woken(): Promise<void>;
  /** True if nothing was sent for so long that a heartbeat is due; the source has been woken then. */
  isSilent(): boolean;
  /** True if nothing more is sent; the source has been woken, and should end. */
  isOver(): boolean;
}

/** The chunks of a stream. It is asked for the next one when the connection has taken all that was sent before. */
export type StreamSource = (stream: OpenStream) => AsyncGenerator<StreamChunk, void, void>;

/** A bell for one listener: what rings while nobody listens is heard later. */
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
