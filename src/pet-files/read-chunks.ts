/**
 * Reads the chunks of a stream. Cancels the stream when `stop` aborts, or when the consumer stops reading. To the consumer, an
 * abort looks like the end of the stream.
 */
export async function* readChunks<Chunk extends Uint8Array>(
  stream: ReadableStream<Chunk>,
  stop: AbortSignal,
): AsyncGenerator<Chunk, void, void> {
  const reader = stream.getReader();
  // `cancel` rejects if the stream has failed. This error is ignored, because `read` has already reported the failure to the
  // consumer.
  const cancel = () => void reader.cancel().catch(() => undefined);
  stop.addEventListener("abort", cancel, { once: true });
  try {
    while (!stop.aborted) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    stop.removeEventListener("abort", cancel);
    cancel();
  }
}
