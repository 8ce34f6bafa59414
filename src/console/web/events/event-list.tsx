import { Fragment } from "preact";
import type { Event } from "../../../api/event-contract.ts";
import { useCategoryNames } from "../categories/known-categories.ts";
import { shortName } from "../components/long-text.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { actorWords, changeWords } from "./event-words.ts";

interface EventListProps {
  /** Newest first. */
  readonly events: readonly Event[];
  /** Whether each line names what was changed; otherwise all are of one animal. */
  readonly isNamed: boolean;
}

/** `2 min. ago · ada@example.com · Available → Sold · order 3 completed` */
export function EventList({ events, isNamed }: EventListProps) {
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

/** What one request changed, an order and its animal, stands in one line. */
function gathered(events: readonly Event[]): readonly Group[] {
  const groups: Group[] = [];
  for (const event of events) {
    const last = groups.at(-1);
    if (last !== undefined && isOfOneRequest(last[0], event)) groups[groups.length - 1] = [...last, event];
    else groups.push([event]);
  }
  return groups;
}

/** A client may send one `X-Request-Id` with several requests. */
function isOfOneRequest(one: Event, other: Event): boolean {
  return (
    one.requestId === other.requestId && one.createdAt === other.createdAt && one.actor.id === other.actor.id
  );
}
