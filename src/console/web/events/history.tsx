import type { Int64 } from "exact-json/int64";
import { Fragment } from "preact";
import type { Event } from "../../../api/event-contract.ts";
import { useCategoryNames } from "../categories/known-categories.ts";
import { ActionButton } from "../components/action-button.tsx";
import { Loading } from "../components/loading.tsx";
import { shortName } from "../components/long-text.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { callPage, type Page } from "../request.ts";
import { useLoad } from "../use-load.ts";
import { actorWords, changeWords } from "./event-words.ts";
import { type Topic, useLive } from "./live.ts";

interface HistoryProps {
  readonly heading: string;
  readonly empty: string;
  /** Number of the animal to whose events, and its orders', the history is limited. */
  readonly petId?: Int64;
  readonly limit: number;
  readonly topics: readonly Topic[];
}

/** List of changes, newest first, updated live. */
export function History({ heading, empty, petId, limit, topics }: HistoryProps) {
  const query = { petId: petId?.toString(), limit: String(limit) };
  const read = (signal?: AbortSignal) => callPage<Event>("/events", { query, signal });
  const history = useLoad(read);
  useLive(topics, async () => {
    const newest = await read();
    history.update((shown) => withNewest(shown, newest));
  });
  async function showOlder(cursor: string) {
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

/** Prepends newer events, or replaces the list if more than a page is new. */
function withNewest(shown: Page<Event>, newest: Page<Event>): Page<Event> {
  const last = shown.items[0]?.id;
  const added = newest.items.findIndex(({ id }) => id === last);
  return added < 0 ? newest : { ...shown, items: [...newest.items.slice(0, added), ...shown.items] };
}

interface EventListProps {
  readonly events: readonly Event[];
  /** True if each line names the changed resource; otherwise all are of one animal. */
  readonly isNamed: boolean;
}

/** List of events, one request per line: `2 min. ago · ada@example.com · Available → Sold · order 3 completed`. */
function EventList({ events, isNamed }: EventListProps) {
  useCategoryNames();
  return (
    <ol class="events">
      {gathered(events).map((group) => (
        <li key={String(group[0].id)}>
          <Timestamp at={group[0].createdAt} precision="ago" /> · {actorWords(group[0])}
          {group.map((event) => (
            <Fragment key={String(event.id)}>
              {" · "}
              <Subject event={event} isNamed={isNamed} /> <bdi dir="ltr">{changeWords(event)}</bdi>
            </Fragment>
          ))}
        </li>
      ))}
    </ol>
  );
}

function Subject({ event, isNamed }: { readonly event: Event; readonly isNamed: boolean }) {
  const { type, data } = event;
  if ("petId" in data) return <a href={`/orders?for=${data.petId}`}>order {String(data.id)}</a>;
  if (!isNamed) return null;
  const isPet = type.startsWith("pet.");
  const name = shortName(data.name, `${isPet ? "animal" : "category"} ${data.id}`);
  if (type.endsWith(".deleted")) return <bdi>{name}</bdi>;
  return (
    <bdi>
      <a href={isPet ? `/animals/${data.id}` : "/categories"}>{name}</a>
    </bdi>
  );
}

type Group = readonly [Event, ...Event[]];

/** Groups the events of one request, such as an order and its animal, into one line. */
function gathered(events: readonly Event[]): readonly Group[] {
  const groups: Group[] = [];
  for (const event of events) {
    const last = groups.at(-1);
    if (last !== undefined && isOfOneRequest(last[0], event)) groups[groups.length - 1] = [...last, event];
    else groups.push([event]);
  }
  return groups;
}

/** True if two events are of one request. Compares time and actor, too: a client may reuse an `X-Request-Id`. */
function isOfOneRequest(one: Event, other: Event): boolean {
  return (
    one.requestId === other.requestId && one.createdAt === other.createdAt && one.actor.id === other.actor.id
  );
}
