import type { Int64 } from "exact-json/int64";
import type { Event } from "../../../api/event-contract.ts";
import { ActionButton } from "../components/action-button.tsx";
import { Loading } from "../components/loading.tsx";
import { callPage, type Page } from "../request.ts";
import { useLoad } from "../use-load.ts";
import { EventList } from "./event-list.tsx";
import { type Topic, useLive } from "./live.ts";

interface HistoryProps {
  readonly heading: string;
  /** Shown where there are no events. */
  readonly empty: string;
  /** Only the events of this animal and of its orders; left out, all. */
  readonly petId?: Int64;
  readonly limit: number;
  readonly topics: readonly Topic[];
}

/** What was changed, newest first, and kept up to date. */
export function History({ heading, empty, petId, limit, topics }: HistoryProps) {
  const query = { petId: petId?.toString(), limit: String(limit) };
  const read = (signal?: AbortSignal) => callPage<Event>("/events", { query, signal });
  const history = useLoad(read);
  useLive(topics, async () => {
    const newest = await read();
    history.update((shown) => withNewest(shown, newest));
  });
  async function showOlder(cursor: string): Promise<void> {
    const older = await callPage<Event>("/events", { query: { ...query, cursor } });
    history.update(({ items }) => ({ ...older, items: [...items, ...older.items] }));
  }
  return (
    <section class="card wide" aria-labelledby="history-heading">
      <h2 id="history-heading">{heading}</h2>
      <Loading loaded={history} what="the changes">
        {({ items, next }) => (
          <>
            {items.length === 0 && <p class="muted">{empty}</p>}
            <EventList events={items} isNamed={petId === undefined} />
            {next !== undefined && petId !== undefined && (
              <ActionButton
                class="secondary"
                failure="Older changes were not read."
                action={() => showOlder(next)}
              >
                Show older
              </ActionButton>
            )}
          </>
        )}
      </Loading>
    </section>
  );
}

/** Starts over where more has happened since than the newest page holds. */
function withNewest(shown: Page<Event>, newest: Page<Event>): Page<Event> {
  const last = shown.items[0]?.id;
  const added = newest.items.findIndex(({ id }) => id === last);
  return added < 0 ? newest : { ...shown, items: [...newest.items.slice(0, added), ...shown.items] };
}
