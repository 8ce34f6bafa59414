import type { Int64 } from "../../../../client/src/int64.ts";
import type { Event } from "../../../events/contract.ts";
import { ActionButton } from "../components/action-button.tsx";
import { Loading } from "../components/loading.tsx";
import { callPage } from "../request.ts";
import { useLoad } from "../use-load.ts";
import { EventList } from "./event-list.tsx";

interface HistoryProps {
  readonly heading: string;
  /** Shown where there are no events. */
  readonly empty: string;
  /** Only the events of this animal and of its orders; left out, all. */
  readonly petId?: Int64;
  readonly limit: number;
}

/** What was changed, newest first. */
export function History({ heading, empty, petId, limit }: HistoryProps) {
  const query = { petId: petId?.toString(), limit: String(limit) };
  const history = useLoad((signal) => callPage<Event>("/events", { query, signal }));
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
