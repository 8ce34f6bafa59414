import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { importOf } from "../../../pet-files/import-identity.ts";
import type { ActivityLine } from "../../activity-contract.ts";
import { mayChange } from "../account/session.ts";
import { useCategoryNames } from "../categories/known-categories.ts";
import { Empty } from "../components/empty.tsx";
import { Labelled } from "../components/labelled.tsx";
import { lazy } from "../components/lazy.tsx";
import { Loading } from "../components/loading.tsx";
import { NewItems, Paging } from "../components/paged-list.tsx";
import { Screen } from "../components/screen.tsx";
import { filterBy } from "../components/status-filter.tsx";
import { actorWords } from "../events/actor-words.ts";
import { useLive } from "../events/live.ts";
import { capitalized, formatDay } from "../format.ts";
import { callPage } from "../request.ts";
import { route } from "../router.ts";
import { useLoad } from "../use-load.ts";

const EventList = lazy(async () => (await import("../events/event-list.tsx")).EventList);
const PetCombobox = lazy(async () => (await import("../pets/pet-combobox.tsx")).PetCombobox);

const LINES = "50";

export function Activity() {
  const { query } = route.value;
  const asked = {
    ...rangeOf(query.get("day") ?? ""),
    by: query.get("by") ?? undefined,
    petId: query.get("animal") ?? undefined,
    each: query.get("each") ?? undefined,
    cursor: query.get("cursor") ?? undefined,
  };
  const lines = useLoad(
    (signal) => callPage<ActivityLine>("/activity", { query: { ...asked, limit: LINES }, signal }),
    [JSON.stringify(asked)],
  );
  useCategoryNames();
  const isOutdated = useSignal(false);
  useLive(["pet", "order", "category"], async () => {
    isOutdated.value = true;
  });
  async function showNew() {
    isOutdated.value = false;
    await lines.reload();
  }
  const isPast = Date.now() >= Number(asked.before ?? Number.POSITIVE_INFINITY);
  const isLive = !isPast && asked.cursor === undefined && asked.each === undefined && isOutdated.value;
  const hasUndo = mayChange.value && asked.each === undefined && asked.petId === undefined;
  return (
    <Screen title="Activity">
      <Filter lines={lines.value?.items ?? []} />
      <Loading loaded={lines} what="the changes">
        {({ items, next }) => (
          <>
            <NewItems
              news={isLive ? { gone: new Set(), added: "Show new changes" } : undefined}
              show={showNew}
            />
            {items.length === 0 && <NoChanges isSearching={next !== undefined} />}
            <div class={items.length > 0 ? "card days" : undefined}>
              {[...Map.groupBy(items, dayOf)].map(([day, ofDay]) => (
                <section key={day} aria-label={day}>
                  <h2>{day}</h2>
                  <EventList lines={ofDay} precision="time" action={hasUndo ? undoLink : undefined} />
                </section>
              ))}
            </div>
            <Paging next={next} what="changes" />
          </>
        )}
      </Loading>
    </Screen>
  );
}

/** A link to the page where the person can undo the import that a change belongs to. */
function undoLink({ requestId }: ActivityLine) {
  const { identity } = importOf(requestId) ?? {};
  return identity && <a href={`/animals/import?undo=${identity}`}>Undo import…</a>;
}

function NoChanges({ isSearching }: { readonly isSearching: boolean }) {
  if (isSearching)
    return (
      <Empty title="Nothing found so far.">
        <p>The search stopped after 20,000 changes. Older changes may match.</p>
      </Empty>
    );
  return (
    <Empty title="No changes found.">
      <p>
        Changes are kept for 90 days, unless your operator has chosen another time.{" "}
        <a href="/activity">Show all changes</a>.
      </p>
    </Empty>
  );
}

/** Returns the start and the end of a day in this time zone, in milliseconds since 1970. */
function rangeOf(day: string) {
  const [year, month, date] = day.split("-").map(Number);
  if (year === undefined || month === undefined || date === undefined) return {};
  const start = (days: number) => String(new Date(year, month - 1, date + days).getTime());
  return { from: start(0), before: start(1) };
}

function dayOf({ createdAt }: ActivityLine): string {
  const day = formatDay(new Date(createdAt));
  const now = new Date();
  if (day === formatDay(now)) return "Today";
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  return day === formatDay(yesterday) ? "Yesterday" : day;
}

const authorOf = ({ actor: { kind, id } }: ActivityLine) => `${kind}:${id}`;

function Filter({ lines }: { readonly lines: readonly ActivityLine[] }) {
  const { query } = route.value;
  const by = query.get("by") ?? "";
  /**
   * The authors that the person can choose: the authors of the changes that have been shown, and the author in the page's address.
   */
  const known = useRef(new Map<string, string>());
  for (const line of lines) known.current.set(authorOf(line), actorWords(line));
  const stranger = by.startsWith("key:") ? "this key" : "this person";
  const authors = new Map([...(by === "" ? [] : [[by, stranger] as const]), ...known.current]);
  return (
    <search class="filter">
      <Labelled id="activity-day" label="Day">
        {() => (
          <input
            id="activity-day"
            type="date"
            value={query.get("day") ?? ""}
            onChange={({ currentTarget }) => filterBy({ day: currentTarget.value, each: "" })}
          />
        )}
      </Labelled>
      <Labelled id="activity-by" label="By">
        {() => (
          <select
            id="activity-by"
            translate={false}
            value={by}
            onChange={({ currentTarget }) => filterBy({ by: currentTarget.value, each: "" })}
          >
            <option value="">Anyone</option>
            {[...authors].map(([author, words]) => (
              <option key={author} value={author}>
                {capitalized(words)}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <PetCombobox
        id="activity-animal"
        value={query.get("animal") ?? ""}
        onSelect={(animal) => filterBy({ animal, each: "" })}
      />
    </search>
  );
}
