import type { Int64 } from "exact-json/int64";
import type { ActivityLine } from "../../activity-contract.ts";
import { useCategoryNames } from "../categories/known-categories.ts";
import { ActionButton } from "../components/action-button.tsx";
import { Loading } from "../components/loading.tsx";
import { callPage, type Page } from "../request.ts";
import { useLoad } from "../use-load.ts";
import { EventList } from "./event-list.tsx";
import { useLive } from "./live.ts";

const LINES = 40;
const TOPICS = ["pet", "order"] as const;

interface HistoryProps extends Pick<Parameters<typeof EventList>[0], "action"> {
  readonly petId: Int64;
}

/** Lists the changes to an animal and to its orders, newest first, and updates the list live. */
export function History({ petId, action }: HistoryProps) {
  const query = { petId: String(petId), limit: String(LINES) };
  const read = (signal?: AbortSignal) => callPage<ActivityLine>("/activity", { query, signal });
  const history = useLoad(read);
  useCategoryNames();
  useLive(TOPICS, async () => {
    const newest = await read();
    history.update((shown) => withNewest(shown, newest));
  });
  async function showOlder(cursor: string) {
    const older = await callPage<ActivityLine>("/activity", { query: { ...query, cursor } });
    history.update(({ items }) => ({ ...older, items: [...items, ...older.items] }));
  }
  return (
    <section class="card" aria-labelledby="history-heading">
      <h2 id="history-heading">History</h2>
      <Loading loaded={history} what="the changes">
        {({ items, next }) => (
          <>
            {items.length === 0 && <p class="muted">No history yet</p>}
            <EventList lines={items} isOfOne action={action} />
            {next !== undefined && (
              <ActionButton
                class="secondary"
                failure="Older changes could not be loaded."
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

/**
 * Updates the list with the newest page of changes. If not all new changes fit on this page, the page replaces the whole list.
 */
function withNewest(shown: Page<ActivityLine>, newest: Page<ActivityLine>): Page<ActivityLine> {
  const oldest = newest.items.at(-1)?.id;
  const [first] = shown.items;
  if (newest.next === undefined || oldest === undefined || first === undefined || first.id < oldest)
    return newest;
  return { ...shown, items: [...newest.items, ...shown.items.filter(({ id }) => id < oldest)] };
}
