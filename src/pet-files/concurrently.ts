/**
 * Processes items concurrently. The first failure aborts `stopping`. When `stopping` aborts, the function starts no further item,
 * and waits for the items that it has started.
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
        // If the signal aborted while an item was being read, the item may be incomplete, so it is not processed.
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
