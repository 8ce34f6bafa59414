import { type Topic, useLive } from "../events/live.ts";
import { call } from "../request.ts";
import { useLoad } from "../use-load.ts";

/** Minimum interval of two reads, in milliseconds: each may count 10,000 animals of every status or number. */
const COUNT_INTERVAL_MS = 10_000;

/** Reads counts of animals from a path, and again after changes of `topics`; undefined until the first are there. */
export function useAnimalCounts<Counts>(path: string, topics: readonly Topic[]): Counts | undefined {
  const read = (signal?: AbortSignal) => call<Counts>("GET", path, { signal });
  const counts = useLoad(read);
  useLive(
    topics,
    async () => {
      const fresh = await read();
      counts.update(() => fresh);
    },
    COUNT_INTERVAL_MS,
  );
  return counts.value;
}
