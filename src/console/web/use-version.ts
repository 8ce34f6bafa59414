import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { Int64 } from "../../../client/src/int64.ts";
import type { Topic } from "./events/live.ts";
import { call, type Versioned } from "./request.ts";
import { toRequestError } from "./request-error.ts";

export interface NamedResource {
  readonly id: Int64;
  readonly name?: string;
}

/** What the console has to know about resources that several people edit. */
export interface ResourceKind<Resource extends NamedResource> {
  /** `animal` */
  readonly noun: string;
  /** Of the events that change it. */
  readonly topics: readonly Topic[];
  readonly path: (resource: Resource) => string;
  readonly read: (resource: Resource) => Promise<Versioned<Resource> | undefined>;
  /** What people read of it, by label. */
  readonly describe: (resource: Resource) => Readonly<Record<string, string>>;
  /** The error code of a change that something else stands in the way of, and a link to that. */
  readonly obstacle?: { readonly code: string; readonly link: (resource: Resource) => VNode };
}

/** A resource as the person saw it, and as it is since it was changed elsewhere. */
export interface Conflict<Resource> {
  readonly before: Versioned<Resource>;
  readonly now: Versioned<Resource>;
}

export interface Version<Resource> {
  /** What the next change is for: after a conflict, what the person was shown then. */
  readonly seen: Versioned<Resource>;
  readonly conflict: Conflict<Resource> | undefined;
  /** The next change is for this one. */
  accept(now: Versioned<Resource>): void;
  /** @throws RequestError `precondition_failed`, with the conflict, where it is another version by now */
  change<Body>(method: "PATCH" | "DELETE", body?: unknown): Promise<Body>;
}

/** Changes a resource only while it is the version that the person sees (`If-Match`). */
export function useVersion<Resource extends NamedResource>(
  kind: ResourceKind<Resource>,
  opened: Versioned<Resource>,
  onConflict?: (conflict: Conflict<Resource>) => void,
): Version<Resource> {
  const conflict = useSignal<Conflict<Resource> | undefined>(undefined);
  const seen = conflict.value?.now ?? opened;
  return {
    seen,
    conflict: conflict.value,
    accept(now) {
      conflict.value = { before: seen, now };
    },
    async change<Body>(method: string, body?: unknown): Promise<Body> {
      try {
        const changed = await call<Body>(method, kind.path(seen), { body, ifMatch: seen.etag });
        conflict.value = undefined;
        return changed;
      } catch (error) {
        const isOutdated = toRequestError(error).code === "precondition_failed";
        const now = isOutdated ? await kind.read(seen) : undefined;
        if (now !== undefined) {
          conflict.value = { before: seen, now };
          onConflict?.(conflict.value);
        }
        throw error;
      }
    },
  };
}

interface ChangedMember {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/** What people read differently in the two. */
export function changedMembers<Resource extends NamedResource>(
  { describe }: ResourceKind<Resource>,
  before: Resource,
  after: Resource,
): readonly ChangedMember[] {
  const old = describe(before);
  return Object.entries(describe(after))
    .map(([label, text]) => ({ label, before: old[label] ?? "", after: text }))
    .filter((member) => member.before !== member.after);
}
