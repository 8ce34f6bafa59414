import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Event } from "../../../api/event-contract.ts";
import { actorWords } from "../events/event-words.ts";
import { useLive } from "../events/live.ts";
import type { Versioned } from "../request.ts";
import { changedMembers, type NamedResource, type ResourceKind, readNow } from "../use-version.ts";
import { announcePolite } from "./announce.tsx";
import { shortName } from "./long-text.tsx";
import { Timestamp } from "./timestamp.tsx";

/** A resource that others changed while a form had it open. */
export interface ElsewhereChange<Resource> {
  readonly event: Event | undefined;
  /** The current resource; undefined if it was removed. */
  readonly now: Versioned<Resource> | undefined;
}

/** Reads a resource again after each event about it, and compares it with the version in the form. */
export function useElsewhereChange<Resource extends NamedResource>(
  kind: ResourceKind<Resource>,
  seen: Versioned<Resource>,
): ElsewhereChange<Resource> | undefined {
  const change = useSignal<(ElsewhereChange<Resource> & { readonly since: string }) | undefined>(undefined);
  useLive(kind.topics, async (changes) => {
    const event = changes?.findLast(({ data }) => data.id === seen.id);
    if (changes !== undefined && event === undefined) return;
    change.value = { event, now: await readNow(kind, seen), since: seen.etag };
  });
  // The shown version already includes earlier changes, such as this page's own.
  const isNews = change.value?.since === seen.etag && change.value.now?.etag !== seen.etag;
  return isNews ? change.value : undefined;
}

interface ChangedElsewhereProps<Resource extends NamedResource> {
  readonly kind: ResourceKind<Resource>;
  readonly seen: Versioned<Resource>;
  readonly change: ElsewhereChange<Resource>;
  readonly load: () => void;
}

/** Notice of changes by others, below an edit form, so that no field moves: `ada@example.com changed this animal`. */
export function ChangedElsewhere<Resource extends NamedResource>(props: ChangedElsewhereProps<Resource>) {
  const { kind, seen, change, load } = props;
  const { event, now } = change;
  const who = event ? actorWords(event) : "Somebody";
  const text = `${who} ${now ? "changed" : "removed"} this ${kind.noun}`;
  // Not a live region: the relative time changes constantly.
  useEffect(() => announcePolite(text), [text, now?.etag]);
  return (
    <section class="alert notice" aria-label="Changed elsewhere">
      <p class="breakable">
        {text} {event && <Timestamp at={event.createdAt} precision="ago" />}
      </p>
      {now && (
        <>
          <ul>
            {changedMembers(kind, seen, now).map(({ label, before, after }) => (
              <li key={label} dir="auto">
                {label}: {shortName(before, "empty")} → {shortName(after, "empty")}
              </li>
            ))}
          </ul>
          <button type="button" class="secondary" onClick={load}>
            Show it here, and keep what I typed
          </button>
        </>
      )}
    </section>
  );
}
