import { useSignal } from "@preact/signals";
import type { Int64 } from "exact-json/int64";
import type { VNode } from "preact";
import type { Topic } from "./events/live.ts";
import { call, type Query, type Versioned } from "./request.ts";
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
  /** Query for the events of a resource's last changes; left out if the kind has no such query. */
  readonly events?: (resource: Resource) => Query;
  /** Error code of a change that another resource blocks, and a link to that resource. */
  readonly obstacle?: { readonly code: string; readonly link: (resource: Resource) => VNode };
}

/** A resource as the person saw it, and its current version after a change elsewhere; undefined if it was removed. */
export interface Conflict<Resource> {
  readonly before: Versioned<Resource>;
  readonly now: Versioned<Resource> | undefined;
}

export interface Version<Resource> {
  /** Version that the next change applies to; after a conflict, the one shown with it. */
  readonly seen: Versioned<Resource>;
  readonly conflict: Conflict<Resource> | undefined;
  /** Sets the version of a resource that the next change applies to, and ends a conflict. */
  accept(now: Versioned<Resource>): void;
  /** Sets the version for the next change, and a conflict that the person must resolve. */
  meet(now: Versioned<Resource> | undefined): void;
  /** Changes or removes a resource; sets a conflict if outdated. @throws PetstoreError `precondition_failed` or 404 */
  change<Body>(method: "PATCH" | "DELETE", body?: unknown): Promise<Body>;
}

/**
 * Changes a resource only while it is in the version that the person sees (`If-Match`).
 *
 * @param since the version that a draft was based on; a different one is a conflict from the start
 */
export function useVersion<Resource extends NamedResource>(
  kind: ResourceKind<Resource>,
  opened: Versioned<Resource>,
  onConflict?: (before: Versioned<Resource>, now: Versioned<Resource>) => void,
  since: Versioned<Resource> = opened,
): Version<Resource> {
  const isSame = since.etag === opened.etag;
  const conflict = useSignal<Conflict<Resource> | undefined>(
    isSame ? undefined : { before: since, now: opened },
  );
  const newest = useSignal<Versioned<Resource> | undefined>(undefined);
  const seen = newest.value ?? opened;
  function accept(now: Versioned<Resource>) {
    newest.value = now;
    conflict.value = undefined;
  }
  function meet(now: Versioned<Resource> | undefined) {
    if (now !== undefined) newest.value = now;
    conflict.value = { before: seen, now };
  }
  return {
    seen,
    conflict: conflict.value,
    accept,
    meet,
    async change<Body>(method: "PATCH" | "DELETE", body?: unknown): Promise<Body> {
      try {
        const changed = await call<Body>(method, kind.path(seen), { body, ifMatch: seen.etag });
        conflict.value = undefined;
        newest.value = undefined;
        return changed;
      } catch (error) {
        if (isOutdated(toPetstoreError(error))) {
          const now = await readNow(kind, seen);
          meet(now);
          if (now !== undefined) onConflict?.(seen, now);
        }
        throw error;
      }
    },
  };
}

/** The current version of a resource; undefined if it was removed. */
export async function readNow<Resource extends NamedResource>(
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
