/** A part of an endless response, with the number of events in it: 0 for a heartbeat. */
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
  /** True if nothing has been sent for so long that a heartbeat is due. The source is woken when that happens. */
  isSilent(): boolean;
  /** True if nothing more will be sent. The source is woken when that happens, and should end. */
  isOver(): boolean;
}

/** The chunks of a stream. The next one is requested when the connection has accepted everything sent before. */
export type StreamSource = (stream: OpenStream) => AsyncGenerator<StreamChunk, void, void>;

/** A bell for one listener. If it rings while nobody is listening, the listener hears it at the next `woken`. */
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
