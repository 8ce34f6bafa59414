/**
 * Reads the chunks of a stream. The stream is cancelled when `stop` aborts, or when the consumer stops. To the consumer, an abort
 * looks like the end of the stream.
 */
export async function* readChunks(
  stream: ReadableStream<Uint8Array>,
  stop: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const reader = stream.getReader();
  // Cancelling a stream that has failed rejects. That error is ignored, because `read` has already reported the failure to the
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
