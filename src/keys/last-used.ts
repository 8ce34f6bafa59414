import { type Clock, repeat } from "../clock.ts";
import { LAST_USED_INTERVAL_MS } from "../limits.ts";
import type { Database } from "../storage/database.ts";
import { markKeyUsed } from "./store.ts";

export interface LastUsed {
  /** Notes a use in memory; nothing is written on the request path. */
  touch(keyId: string, now: number): void;
  /** Writes what is noted, then stops. */
  close(): Promise<void>;
}

/**
 * Keeps the keys' last-used times, to the minute.
 *
 * @param onError told when a write failed; what it held is written with the next.
 */
export function createLastUsed(
  database: Database,
  clock: Clock,
  onError: (error: unknown) => void,
): LastUsed {
  let noted = new Map<string, number>();

  async function flush(): Promise<void> {
    if (noted.size === 0) return;
    const writing = noted;
    noted = new Map();
    try {
      await database.write(async (query) => {
        for (const [keyId, usedAt] of writing) await query(markKeyUsed, [keyId, usedAt]);
      });
    } catch (error) {
      noted = new Map([...writing, ...noted]);
      throw error;
    }
  }

  const repeating = repeat(clock, LAST_USED_INTERVAL_MS, flush, onError);
  return {
    touch(keyId, now) {
      noted.set(keyId, now - (now % LAST_USED_INTERVAL_MS));
    },
    async close() {
      await repeating.close();
    },
  };
}
