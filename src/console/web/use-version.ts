import { useSignal } from "@preact/signals";
import { call, type RequestOptions, type Versioned } from "./request.ts";
import { toRequestError } from "./request-error.ts";

/** A resource as the person saw it, and as it is since somebody else changed it. */
export interface Conflict<Resource> {
  readonly before: Versioned<Resource>;
  readonly now: Versioned<Resource>;
}

interface VersionOptions<Resource> {
  readonly read: () => Promise<Versioned<Resource> | undefined>;
  readonly onConflict?: (conflict: Conflict<Resource>) => void;
}

/** Changes a resource only while it is the version that the person sees (`If-Match`). */
export function useVersion<Resource>(
  opened: Versioned<Resource>,
  { read, onConflict }: VersionOptions<Resource>,
) {
  const conflict = useSignal<Conflict<Resource> | undefined>(undefined);
  const seen = conflict.value?.now ?? opened;
  return {
    /** The version that the next change is for: after a conflict, the one that the person was shown then. */
    seen,
    conflict: conflict.value,
    async change<Body>(method: string, path: string, options: RequestOptions = {}): Promise<Body> {
      try {
        const changed = await call<Body>(method, path, { ...options, ifMatch: seen.etag });
        conflict.value = undefined;
        return changed;
      } catch (error) {
        if (toRequestError(error).code === "precondition_failed") {
          const now = await read();
          if (now !== undefined) {
            conflict.value = { before: seen, now };
            onConflict?.({ before: seen, now });
          }
        }
        throw error;
      }
    },
  };
}
