import { useSignal } from "@preact/signals";
import type { Int64 } from "exact-json/int64";
import type { VNode } from "preact";
import type { Event } from "../../event-kinds/event-kinds.ts";
import { announcePolite } from "./components/announce.tsx";
import type { Topic } from "./events/live.ts";
import { callPage, callVersioned, type Query, type Versioned } from "./request.ts";
import { isOutdated, toPetstoreError } from "./request-error.ts";

export interface NamedResource {
  readonly id: Int64;
  readonly name?: string;
}

type Described = readonly [label: string, text: string];

export interface ResourceKind<Resource extends NamedResource> {
  readonly noun: string;
  readonly topics: readonly Topic[];
  readonly path: (resource: Resource) => string;
  readonly read: (resource: Resource) => Promise<Versioned<Resource> | undefined>;
  readonly describe: (resource: Resource) => Readonly<Record<string, Described>>;
  /** Returns the query for the latest events of a resource. Left out if there is no such query for this kind of resource. */
  readonly events?: (resource: Resource) => Query;
  /** Text that says how to undo a removal. Left out if a removal cannot be undone. */
  readonly afterRemoval?: string;
  /** The error code for a change that another resource prevents, and a link to that resource. */
  readonly obstacle?: { readonly code: string; readonly link: (resource: Resource) => VNode };
}

/** The changes that other people have made since this person saw a resource. */
export interface Conflict<Resource> {
  readonly before: Versioned<Resource>;
  /** The current version; undefined if somebody has removed the resource. */
  readonly now: Versioned<Resource> | undefined;
  /** The latest events of the resource, newest first; empty if this kind of resource has no query for events. */
  readonly events: readonly Event[];
}

/** Changes a resource only if the version that the person sees is still current (`If-Match`). */
export function useVersion<Resource extends NamedResource>(
  kind: ResourceKind<Resource>,
  opened: Versioned<Resource>,
) {
  /** The version of the resource that the next change applies to. */
  const seen = useSignal(opened);
  const conflict = useSignal<Conflict<Resource> | undefined>(undefined);

  /** Reads the current version. If it is newer than the version that the person sees, shows it together with the changes. */
  async function refresh(): Promise<void> {
    const last = seen.value;
    const now = await readNow(kind, last);
    if (now?.etag === last.etag) return;
    const events = await readEvents(kind, last);
    // The version that was read is outdated if a change by this person has finished in the meantime.
    if (seen.value !== last) return;
    conflict.value = { before: conflict.value?.before ?? last, now, events };
    announcePolite(`Somebody ${now ? "changed" : "removed"} this ${kind.noun}.`);
    if (now !== undefined) seen.value = now;
  }

  /**
   * Changes or removes a resource, and reads it again if its version is no longer current.
   *
   * @throws PetstoreError `precondition_failed` or 404
   */
  async function changeIfCurrent(method: "PATCH" | "DELETE", body?: unknown): Promise<Versioned<Resource>> {
    try {
      const options = { body, ifMatch: seen.value.etag };
      const changed = await callVersioned<Resource>(kind.path(seen.value), method, options);
      if (method === "PATCH") seen.value = changed;
      conflict.value = undefined;
      return changed;
    } catch (error) {
      if (isOutdated(toPetstoreError(error))) await refresh();
      throw error;
    }
  }

  return { seen, conflict, refresh, changeIfCurrent };
}

async function readNow<Resource extends NamedResource>(
  kind: ResourceKind<Resource>,
  seen: Versioned<Resource>,
): Promise<Versioned<Resource> | undefined> {
  try {
    return await kind.read(seen);
  } catch (error) {
    if (toPetstoreError(error).status === 404) return undefined;
    throw error;
  }
}

async function readEvents<Resource extends NamedResource>(
  { events }: ResourceKind<Resource>,
  seen: Versioned<Resource>,
): Promise<readonly Event[]> {
  if (events === undefined) return [];
  // If the events cannot be read, the page shows the other person's change without its author.
  const { items } = await callPage<Event>("/events", { query: events(seen) }).catch(() => ({ items: [] }));
  return items.filter(({ data }) => data.id === seen.id);
}

interface ChangedMember {
  readonly name: string;
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

export function changedMembers<Resource extends NamedResource>(
  { describe }: ResourceKind<Resource>,
  before: Resource,
  after: Resource,
): readonly ChangedMember[] {
  const old = describe(before);
  return Object.entries(describe(after))
    .map(([name, [label, text]]) => ({ name, label, before: old[name]?.[1] ?? "", after: text }))
    .filter((member) => member.before !== member.after);
}
