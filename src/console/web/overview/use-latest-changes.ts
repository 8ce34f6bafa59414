import type { ActivityLine } from "../../activity-contract.ts";
import { useLive } from "../events/live.ts";
import { callPage, type Page } from "../request.ts";
import { type Loaded, useLoad } from "../use-load.ts";

const LINES = "8";
const INTERVAL_MS = 3_000; // minimum time between two reads of the latest changes, because an import makes many changes per second

/** Loads the latest changes in the store, and loads them again when there are new ones. An import is one line. */
export function useLatestChanges(): Loaded<Page<ActivityLine>> {
  const read = (signal?: AbortSignal) =>
    callPage<ActivityLine>("/activity", { query: { limit: LINES }, signal });
  const latest = useLoad(read);
  useLive(
    ["pet", "order", "category"],
    async () => {
      const newest = await read();
      latest.update(() => newest);
    },
    INTERVAL_MS,
  );
  return latest;
}
