import type { Int64 } from "exact-json/int64";
import type { Event } from "../../../event-kinds/event-kinds.ts";
import { useCategoryNames } from "../categories/known-categories.ts";
import { ActionButton } from "../components/action-button.tsx";
import { Loading } from "../components/loading.tsx";
import { shortName } from "../components/long-text.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { callPage, type Page } from "../request.ts";
import { useLoad } from "../use-load.ts";
import { actorWords } from "./actor-words.ts";
import { type Topic, useLive } from "./live.ts";
import { changeWords, toldEvents } from "./told.ts";

const LINE_EVENTS = 4; // events of a sale, which is one line

interface HistoryProps {
  readonly heading: string;
  /** Text without any change; left out, nothing is shown. */
  readonly empty?: string;
  /** Number of the animal to whose events, and its orders', the history is limited. */
  readonly petId?: Int64;
  /** Number of lines at first. */
  readonly limit: number;
  readonly topics: readonly Topic[];
}

/** List of changes, newest first, updated live. */
export function History({ heading, empty, petId, limit, topics }: HistoryProps) {
  const query = { petId: petId?.toString(), limit: String(limit * LINE_EVENTS) };
  const read = (signal?: AbortSignal) => callPage<Event>("/events", { query, signal });
  const history = useLoad(read);
  useCategoryNames();
  useLive(topics, async () => {
    const newest = await read();
    history.update((shown) => withNewest(shown, newest));
  });
  async function showOlder(cursor: string) {
    const older = await callPage<Event>("/events", { query: { ...query, cursor } });
    history.update(({ items }) => ({ ...older, items: [...items, ...older.items] }));
  }
  if (history.value?.items.length === 0 && empty === undefined) return null;
  return (
    <section class="card" aria-labelledby="history-heading">
      <h2 id="history-heading">{heading}</h2>
      <Loading loaded={history} what="the changes">
        {({ items, next }) => (
          <>
            {items.length === 0 && <p class="muted">{empty}</p>}
            <EventList events={items} limit={petId === undefined ? limit : undefined} />
            {next !== undefined && petId !== undefined && (
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

/** Prepends newer events, or replaces the list if more than a page is new. */
function withNewest(shown: Page<Event>, newest: Page<Event>): Page<Event> {
  const last = shown.items[0]?.id;
  const added = newest.items.findIndex(({ id }) => id === last);
  return added < 0 ? newest : { ...shown, items: [...newest.items.slice(0, added), ...shown.items] };
}

interface EventListProps {
  readonly events: readonly Event[];
  /** Maximum number of lines, each of which names the changed resource; left out, all events are of one animal. */
  readonly limit?: number | undefined;
}

/** List of events, one line each: `Sold · Rex · you · 2 min. ago`. */
function EventList({ events, limit }: EventListProps) {
  return (
    <ol class="events" translate={false}>
      {toldEvents(events)
        .slice(0, limit)
        .map((event) => (
          <li key={String(event.id)}>
            <strong>
              <What event={event} isNamed={limit !== undefined} />
            </strong>
            {limit !== undefined && (
              <>
                {" · "}
                <Subject event={event} events={events} />
              </>
            )}
            <span class="muted">
              {" · "}
              <bdi>{actorWords(event)}</bdi> · <Timestamp at={event.createdAt} precision="ago" />
            </span>
          </li>
        ))}
    </ol>
  );
}

/** Words of a change; on an animal's page an order's lead to its orders. */
function What({ event, isNamed }: { readonly event: Event; readonly isNamed: boolean }) {
  const words = <bdi dir="ltr">{changeWords(event)}</bdi>;
  if (isNamed || !("petId" in event.data)) return words;
  return <a href={`/orders?for=${event.data.petId}`}>{words}</a>;
}

function Subject({ event, events }: { readonly event: Event; readonly events: readonly Event[] }) {
  const { type, data } = event;
  const isCategory = type.startsWith("category.");
  const id = "petId" in data ? data.petId : data.id;
  // An order has no name: its animal's event of the same request has.
  const named =
    "petId" in data ? events.find((one) => one.type.startsWith("pet.") && one.data.id === id)?.data : data;
  const name = shortName(
    named && "name" in named ? named.name : "",
    `${isCategory ? "category" : "animal"} ${id}`,
  );
  return (
    <bdi>
      {type.endsWith(".deleted") ? name : <a href={isCategory ? "/categories" : `/animals/${id}`}>{name}</a>}
    </bdi>
  );
}
