import { LAST_USED_INTERVAL_MS } from "../limits.ts";
import { type Clock, startInterval } from "../platform/clock.ts";
import type { Database } from "../storage/database.ts";
import { addDeprecatedCalls, markKeyUsed } from "./store.ts";

export interface KeyUsage {
  /** Counts a use in memory; nothing is written on the request path. */
  touch(keyId: string, now: number): void;
  /** Counts a call of a deprecated operation. */
  callDeprecated(keyId: string, operation: string, now: number): void;
  /** Writes what is counted so far. */
  flush(): Promise<void>;
  /** Writes what is counted, then stops. */
  close(): Promise<void>;
}

interface DeprecatedCalls {
  readonly keyId: string;
  readonly operation: string;
  calls: number;
  lastAt: number;
}

interface Counts {
  readonly uses: Map<string, number>;
  readonly calls: Map<string, DeprecatedCalls>;
}

/**
 * Counts the last use of each key, to the minute, and the calls of deprecated operations.
 *
 * @param onError called when a write failed; its counts are written with the next
 */
export function createKeyUsage(
  database: Database,
  clock: Clock,
  onError: (error: unknown) => void,
): KeyUsage {
  let counts = emptyCounts();

  async function flush(): Promise<void> {
    if (counts.uses.size === 0 && counts.calls.size === 0) return;
    const writing = counts;
    counts = emptyCounts();
    try {
      await database.write(async (query) => {
        for (const [keyId, usedAt] of writing.uses) await query(markKeyUsed, [keyId, usedAt]);
        for (const { keyId, operation, calls, lastAt } of writing.calls.values()) {
          await query(addDeprecatedCalls, [keyId, operation, calls, lastAt]);
        }
      });
    } catch (error) {
      counts = merge(writing, counts);
      throw error;
    }
  }

  const repeating = startInterval(clock, LAST_USED_INTERVAL_MS, flush, onError);
  return {
    touch(keyId, now) {
      counts.uses.set(keyId, now - (now % LAST_USED_INTERVAL_MS));
    },
    callDeprecated(keyId, operation, lastAt) {
      addCalls(counts, { keyId, operation, calls: 1, lastAt });
    },
    flush,
    close: repeating.close,
  };
}

function emptyCounts(): Counts {
  return { uses: new Map(), calls: new Map() };
}

function merge(older: Counts, newer: Counts): Counts {
  const merged: Counts = { uses: new Map([...older.uses, ...newer.uses]), calls: new Map(older.calls) };
  for (const calls of newer.calls.values()) addCalls(merged, calls);
  return merged;
}

function addCalls({ calls }: Counts, more: DeprecatedCalls): void {
  const name = `${more.keyId} ${more.operation}`;
  const known = calls.get(name);
  if (known === undefined) {
    calls.set(name, more);
    return;
  }
  known.calls += more.calls;
  known.lastAt = more.lastAt;
}
