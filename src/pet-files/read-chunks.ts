/** The chunks of a stream, which is cancelled on abort and when the consumer stops. On abort they end as if the stream did. */
export async function* readChunks(
  stream: ReadableStream<Uint8Array>,
  stop: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const reader = stream.getReader();
  const cancel = () => void reader.cancel();
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
