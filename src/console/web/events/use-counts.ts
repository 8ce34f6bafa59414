import { useEffect } from "preact/hooks";
import type { Event } from "../../../event-kinds/event-kinds.ts";
import type { Cached } from "../../contract.ts";
import { account } from "../account/session.ts";
import { type Loaded, useLoad } from "../use-load.ts";
import { type Topic, useLive } from "./live.ts";

/** The shortest interval, in milliseconds, at which counts are read again because of other people's changes. */
const COUNT_INTERVAL_MS = 10_000;

/**
 * Loads counts, and loads them again after a change to one of the `topics` (at once, if this person made the change). The server
 * may send cached counts from before the change, so they are loaded once more when the cache has expired.
 */
export function useCounts<Counts extends Cached>(
  read: (signal?: AbortSignal) => Promise<Counts>,
  topics: readonly Topic[],
  intervalMs = COUNT_INTERVAL_MS,
): Loaded<Counts> {
  const counts = useLoad(read);
  async function readAgain() {
    const fresh = await read();
    counts.update(() => fresh);
  }
  const isOwn = ({ actor }: Event) => actor.name === account.value?.email;
  useLive(
    topics,
    async (changes) => {
      if (!changes?.every(isOwn)) await readAgain();
    },
    intervalMs,
  );
  useLive(topics, async (changes) => {
    if (changes?.some(isOwn)) await readAgain();
  });

  const { value } = counts;
  useEffect(() => {
    if (value?.cachedForMs === undefined) return;
    const readLast = async () => {
      // If a read of the counts fails, it is repeated after the same interval.
      const last = await read().then(
        (exact) => ({ ...exact, cachedForMs: undefined }),
        () => ({ ...value }),
      );
      // If newer counts have arrived during the read, they are kept.
      counts.update((shown) => (shown === value ? last : shown));
    };
    const timer = setTimeout(() => void readLast(), value.cachedForMs);
    return () => clearTimeout(timer);
  }, [value]);
  return counts;
}
