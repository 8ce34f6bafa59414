import type { KeyActor } from "../context.ts";
import { REFUSALS_INTERVAL_MS, REFUSALS_KEPT, REFUSED_KEYS_MAX, REFUSED_PATH_LENGTH_MAX } from "../limits.ts";
import { type Clock, startInterval } from "../platform/clock.ts";
import type { Database } from "../storage/database.ts";
import { insertRefusal, pruneRefusalsOfKey, type Refusal } from "./refusal-store.ts";
import { withoutTokens } from "./token.ts";

export interface KeyRefusals {
  /** Keeps it in memory; nothing is written on the request path. */
  add(key: KeyActor, refusal: Refusal): void;
  /** Writes what is kept so far. */
  flush(): Promise<void>;
  /** Writes what is kept, then stops. */
  close(): Promise<void>;
}

type RefusalsByKey = Map<string, Refusal[]>;

/**
 * Keeps the last `REFUSALS_KEPT` refusals of each key.
 *
 * @param onError called when a write failed; its refusals are written with the next
 */
export function createKeyRefusals(
  database: Database,
  clock: Clock,
  onError: (error: unknown) => void,
): KeyRefusals {
  let waiting: RefusalsByKey = new Map();

  async function flush(): Promise<void> {
    if (waiting.size === 0) return;
    const writing = waiting;
    waiting = new Map();
    try {
      await database.write(async (query) => {
        for (const [keyId, refusals] of writing) {
          for (const { at, requestId, method, path, status, code } of refusals)
            await query(insertRefusal, [keyId, at, requestId, method, path, status, code]);
          await query(pruneRefusalsOfKey, [keyId, REFUSALS_KEPT - 1]);
        }
      });
    } catch (error) {
      const later = waiting;
      waiting = writing;
      for (const [keyId, refusals] of later) for (const refusal of refusals) add(waiting, keyId, refusal);
      throw error;
    }
  }

  const repeating = startInterval(clock, REFUSALS_INTERVAL_MS, flush, onError);
  return {
    add({ keyId }, refusal) {
      // A key that was pasted into a path is not shown, and no database holds U+0000.
      const path = withoutTokens(refusal.path).slice(0, REFUSED_PATH_LENGTH_MAX).toWellFormed();
      add(waiting, keyId, { ...refusal, path: path.replaceAll("\0", "%00") });
    },
    flush,
    close: repeating.close,
  };
}

function add(byKey: RefusalsByKey, keyId: string, refusal: Refusal): void {
  const refusals = byKey.get(keyId);
  if (refusals !== undefined) {
    refusals.push(refusal);
    if (refusals.length > REFUSALS_KEPT) refusals.shift();
    return;
  }
  const [oldest] = byKey.keys();
  if (byKey.size >= REFUSED_KEYS_MAX && oldest !== undefined) byKey.delete(oldest);
  byKey.set(keyId, [refusal]);
}
