import type { Event } from "../../../event-kinds/event-kinds.ts";
import { account } from "../account/session.ts";
import { type Topic, useLive } from "../events/live.ts";
import { call } from "../request.ts";
import { useLoad } from "../use-load.ts";

/** Minimum interval of reads for others' changes, in milliseconds: those of a large store are counted at most every 5 seconds. */
const COUNT_INTERVAL_MS = 10_000;

/**
 * Reads counts of animals from a path, and again after changes of `topics`, the person's own at once; undefined until the first
 * are there.
 */
export function useAnimalCounts<Counts>(path: string, topics: readonly Topic[]): Counts | undefined {
  const read = (signal?: AbortSignal) => call<Counts>("GET", path, { signal });
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
    COUNT_INTERVAL_MS,
  );
  useLive(topics, async (changes) => {
    if (changes?.some(isOwn)) await readAgain();
  });
  return counts.value;
}
