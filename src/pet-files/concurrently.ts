/**
 * Processes items concurrently. When `stopping` aborts, no further item is started, and the function waits for running work. The
 * first failure aborts `stopping`.
 *
 * @returns the first failure, or undefined if all items were processed or the caller has stopped
 */
export async function concurrently<Item>(
  items: Iterator<Item> | AsyncIterator<Item>,
  limit: number,
  stopping: AbortController,
  work: (item: Item) => Promise<void>,
): Promise<unknown> {
  const { signal } = stopping;
  let failure: unknown;
  async function takeNext() {
    try {
      while (!signal.aborted) {
        const { value, done } = await items.next();
        // An item may be incomplete if it was being read when the signal aborted, so it is not processed.
        if (done || signal.aborted) return;
        await work(value);
      }
    } catch (error) {
      if (!signal.aborted) failure = error;
      stopping.abort();
    }
  }
  await Promise.all(Array.from({ length: limit }, takeNext));
  return failure;
}
