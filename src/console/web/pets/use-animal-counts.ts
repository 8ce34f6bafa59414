import type { Event } from "../../../event-kinds/event-kinds.ts";
import { account } from "../account/session.ts";
import { type Topic, useLive } from "../events/live.ts";
import { call } from "../request.ts";
import { useLoad } from "../use-load.ts";

/**
 * The shortest interval, in milliseconds, between two reads that other people's changes cause. The server counts the animals of a
 * large store at most every 5 seconds.
 */
const COUNT_INTERVAL_MS = 10_000;

/**
 * Reads counts of animals from a path, and reads them again after changes of `topics`, immediately if the person has made the
 * change. Returns undefined until the first counts have been read.
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
