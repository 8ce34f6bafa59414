/** Does the work for each item, several at a time; once `signal` aborts no further one is begun. */
export async function concurrently<Item>(
  items: readonly Item[],
  limit: number,
  signal: AbortSignal,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  async function takeNext(): Promise<void> {
    for (const item of waiting) {
      if (signal.aborted) return;
      await work(item);
    }
  }
  await Promise.all(Array.from({ length: limit }, takeNext));
}
