import { useCategoryNames } from "../categories/known-categories.ts";
import { Loading } from "../components/loading.tsx";
import { EventList } from "../events/event-list.tsx";
import type { useLatestChanges } from "./use-latest-changes.ts";

interface LatestChangesProps {
  readonly latest: ReturnType<typeof useLatestChanges>;
}

/** Lists the latest changes in the store. If there are no changes, shows nothing, not even the heading. */
export function LatestChanges({ latest }: LatestChangesProps) {
  useCategoryNames();
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
