import { LAST_USED_INTERVAL_MS } from "../limits.ts";
import { type Clock, startInterval } from "../platform/clock.ts";
import type { Database } from "../storage/database.ts";
import { addDeprecatedCalls, markKeyUsed } from "./store.ts";

export interface KeyUsage {
  /** Notes a use in memory; nothing is written on the request path. */
  touch(keyId: string, now: number): void;
  /** Notes a call of an operation that is about to end. */
  callDeprecated(keyId: string, operation: string, now: number): void;
  /** Writes what is noted so far. */
  flush(): Promise<void>;
  /** Writes what is noted, then stops. */
  close(): Promise<void>;
}

interface DeprecatedCalls {
  readonly keyId: string;
  readonly operation: string;
  readonly calls: number;
  readonly lastAt: number;
}

interface Notes {
  readonly uses: Map<string, number>;
  readonly calls: Map<string, DeprecatedCalls>;
}

/**
 * Keeps when each key was last used, to the minute, and which of them call what is about to end.
 *
 * @param onError told when a write failed; what it held is written with the next.
 */
export function createKeyUsage(
  database: Database,
  clock: Clock,
  onError: (error: unknown) => void,
): KeyUsage {
  let noted = noNotes();

  async function flush(): Promise<void> {
    if (noted.uses.size === 0 && noted.calls.size === 0) return;
    const writing = noted;
    noted = noNotes();
    try {
      await database.write(async (query) => {
        for (const [keyId, usedAt] of writing.uses) await query(markKeyUsed, [keyId, usedAt]);
        for (const { keyId, operation, calls, lastAt } of writing.calls.values()) {
          await query(addDeprecatedCalls, [keyId, operation, calls, lastAt]);
        }
      });
    } catch (error) {
      noted = together(writing, noted);
      throw error;
    }
  }

  const repeating = startInterval(clock, LAST_USED_INTERVAL_MS, flush, onError);
  return {
    touch(keyId, now) {
      noted.uses.set(keyId, now - (now % LAST_USED_INTERVAL_MS));
    },
    callDeprecated(keyId, operation, lastAt) {
      addCalls(noted, { keyId, operation, calls: 1, lastAt });
    },
    flush,
    close: repeating.close,
  };
}

function noNotes(): Notes {
  return { uses: new Map(), calls: new Map() };
}

function together(older: Notes, newer: Notes): Notes {
  const notes: Notes = { uses: new Map([...older.uses, ...newer.uses]), calls: new Map(older.calls) };
  for (const calls of newer.calls.values()) addCalls(notes, calls);
  return notes;
}

function addCalls({ calls }: Notes, more: DeprecatedCalls): void {
  const name = `${more.keyId} ${more.operation}`;
  calls.set(name, { ...more, calls: (calls.get(name)?.calls ?? 0) + more.calls });
}
