import type { ActivityLine } from "../../activity-contract.ts";
import { useCategoryNames } from "../categories/known-categories.ts";
import { Loading } from "../components/loading.tsx";
import { EventList } from "../events/event-list.tsx";
import { useLive } from "../events/live.ts";
import { callPage } from "../request.ts";
import { useLoad } from "../use-load.ts";

const LINES = "8";
const INTERVAL_MS = 3_000; // minimum time between two reads of the latest changes, because an import makes many changes per second

/** Lists the latest changes in the store. An import is one line. If there are no changes, shows nothing, not even the heading. */
export function LatestChanges() {
  const read = (signal?: AbortSignal) =>
    callPage<ActivityLine>("/activity", { query: { limit: LINES }, signal });
  const latest = useLoad(read);
  useCategoryNames();
  useLive(
    ["pet", "order", "category"],
    async () => {
      const newest = await read();
      latest.update(() => newest);
    },
    INTERVAL_MS,
  );
  if (latest.error === undefined && !latest.value?.items.length)
    return latest.isLoading ? <div hidden aria-busy="true" /> : null;
  return (
    <section class="card" aria-labelledby="latest-heading">
      <header class="card-header">
        <h2 id="latest-heading">Latest changes</h2>
        <a href="/activity">See all</a>
      </header>
      <Loading loaded={latest} what="the changes">
        {({ items }) => <EventList lines={items} />}
      </Loading>
    </section>
  );
}
