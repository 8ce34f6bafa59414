import { KEY_LOG_INTERVAL_MS, KEY_LOG_KEPT, KEY_LOG_KEYS_MAX } from "../limits.ts";
import { type Clock, startInterval } from "../platform/clock.ts";
import type { Database, Query } from "../storage/database.ts";

export interface KeyLog<Entry> {
  /** Keeps it in memory; nothing is written on the request path. */
  add(keyId: string, entry: Entry): void;
  /** Writes what is kept so far. */
  flush(): Promise<void>;
  /** Writes what is kept, then stops. */
  close(): Promise<void>;
}

/**
 * Keeps the last `KEY_LOG_KEPT` entries of each key, and has them written every `KEY_LOG_INTERVAL_MS`.
 *
 * @param write writes a key's entries, oldest first
 * @param onError called when a write failed; its entries are written with the next
 */
export function createKeyLog<Entry>(
  database: Database,
  clock: Clock,
  write: (query: Query, keyId: string, entries: readonly Entry[]) => Promise<void>,
  onError: (error: unknown) => void,
): KeyLog<Entry> {
  let waiting = new Map<string, Entry[]>();

  function add(keyId: string, entry: Entry): void {
    const entries = waiting.get(keyId);
    if (entries !== undefined) {
      entries.push(entry);
      if (entries.length > KEY_LOG_KEPT) entries.shift();
      return;
    }
    const [oldest] = waiting.size < KEY_LOG_KEYS_MAX ? [] : waiting.keys();
    if (oldest !== undefined) waiting.delete(oldest);
    waiting.set(keyId, [entry]);
  }

  async function flush(): Promise<void> {
    if (waiting.size === 0) return;
    const writing = waiting;
    waiting = new Map();
    try {
      await database.write(async (query) => {
        for (const [keyId, entries] of writing) await write(query, keyId, entries);
      });
    } catch (error) {
      const later = waiting;
      waiting = writing;
      for (const [keyId, entries] of later) for (const entry of entries) add(keyId, entry);
      throw error;
    }
  }

  const { close } = startInterval(clock, KEY_LOG_INTERVAL_MS, flush, onError);
  return { add, flush, close };
}
