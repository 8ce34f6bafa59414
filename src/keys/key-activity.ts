import type { Database, Query } from "../storage/database.ts";
import {
  ACTIVITY_KINDS,
  type ActivityKind,
  addDeprecatedCalls,
  insertActivity,
  type KeyRequest,
  markKeyUsed,
  pruneActivityOfKey,
  type Refusal,
  selectEntries,
} from "./activity-store.ts";
import { withoutTokens } from "./token.ts";

const LAST_USED_PRECISION_MS = 60_000; // precision of a key's time of last use
export const KEY_LOG_KEPT = 20; // number of requests, and number of refusals, that are kept for each key
export const KEY_LOG_KEYS_MAX = 100; // maximum number of keys whose requests are waiting to be stored; if there are more, the requests of the first key are lost
const REFUSED_PATH_LENGTH_MAX = 200; // maximum length, in characters, of a refused request's path; the rest is cut off
export const KEY_LOG_INTERVAL_MS = 5_000; // interval at which the keys' times of last use, requests and refusals are written to the database

/** A completed request. The same object is also written to the access log. */
interface CompletedRequest extends Omit<KeyRequest, "at"> {
  /** Time at which the request arrived, in milliseconds since 1970. */
  readonly now: number;
}

type Entry = CompletedRequest | Refusal;

interface DeprecatedCalls {
  readonly keyId: string;
  readonly operation: string;
  calls: number;
  lastAt: number;
}

/**
 * Collects in memory when each key was last used, its last requests, and its calls of deprecated operations. `flush` writes all
 * of this to the database.
 */
export function createKeyActivity(database: Database) {
  let gathered = createGathered();
  let underWay: Promise<void> | undefined;

  async function flush() {
    // Another call may be writing just now, and its entries are stored only when it has finished.
    while (underWay !== undefined) await underWay.catch(() => {});
    if (gathered.isEmpty()) return;
    underWay = write().finally(() => {
      underWay = undefined;
    });
    return underWay;
  }

  async function write() {
    const writing = gathered;
    gathered = createGathered();
    try {
      await database.write((query) => writeGathered(query, writing));
    } catch (error) {
      const newer = gathered;
      gathered = writing;
      for (const [keyId, usedAt] of newer.uses) gathered.uses.set(keyId, usedAt);
      for (const calls of newer.calls.values()) gathered.addCalls(calls);
      for (const kind of ACTIVITY_KINDS)
        for (const [keyId, entries] of newer.entries[kind])
          for (const entry of entries) gathered.addEntry(kind, keyId, entry);
      throw error;
    }
  }

  return {
    touch: (keyId: string, now: number) =>
      void gathered.uses.set(keyId, now - (now % LAST_USED_PRECISION_MS)),
    callDeprecated: (keyId: string, operation: string, lastAt: number) =>
      gathered.addCalls({ keyId, operation, calls: 1, lastAt }),
    addRequest: (keyId: string, request: CompletedRequest) => gathered.addEntry("request", keyId, request),
    addRefusal(keyId: string, refusal: Refusal) {
      // Somebody may have pasted an API key into the path, so keys are redacted. U+0000 is replaced, because no database can
      // store it.
      const path = withoutTokens(refusal.path).slice(0, REFUSED_PATH_LENGTH_MAX).toWellFormed();
      gathered.addEntry("refusal", keyId, { ...refusal, path: path.replaceAll("\0", "%00") });
    },
    /**
     * Writes the collected activity of all keys to the database. Resolves when everything that was collected before this call is
     * stored. If the write fails, the next flush repeats it.
     */
    flush,
  };
}

export type KeyActivity = ReturnType<typeof createKeyActivity>;

function createGathered() {
  const uses = new Map<string, number>();
  const calls = new Map<string, DeprecatedCalls>();
  /**
   * Requests and refusals that have not been written to the database yet, keyed by API key and with the oldest first. For each
   * key, only the last `KEY_LOG_KEPT` of each kind are kept.
   */
  const entries: Readonly<Record<ActivityKind, Map<string, Entry[]>>> = {
    request: new Map(),
    refusal: new Map(),
  };
  return {
    uses,
    calls,
    entries,
    isEmpty: () => uses.size + entries.request.size + entries.refusal.size === 0,
    addCalls(more: DeprecatedCalls) {
      const name = `${more.keyId} ${more.operation}`;
      const known = calls.get(name);
      if (known === undefined) {
        calls.set(name, more);
        return;
      }
      known.calls += more.calls;
      known.lastAt = more.lastAt;
    },
    addEntry(kind: ActivityKind, keyId: string, entry: Entry) {
      const byKey = entries[kind];
      const known = byKey.get(keyId);
      if (known !== undefined) {
        known.push(entry);
        if (known.length > KEY_LOG_KEPT) known.shift();
        return;
      }
      const [oldest] = byKey.size < KEY_LOG_KEYS_MAX ? [] : byKey.keys();
      if (oldest !== undefined) byKey.delete(oldest);
      byKey.set(keyId, [entry]);
    },
  };
}

async function writeGathered(query: Query, { uses, calls, entries }: ReturnType<typeof createGathered>) {
  for (const [keyId, usedAt] of uses) await query(markKeyUsed, [keyId, usedAt]);
  for (const { keyId, operation, calls: count, lastAt } of calls.values())
    await query(addDeprecatedCalls, { keyId, operation, calls: String(count), lastCalledAt: lastAt });
  for (const kind of ACTIVITY_KINDS) {
    for (const [keyId, ofKey] of entries[kind]) {
      const stored = ofKey.map((entry) => ("now" in entry ? requestOf(entry) : entry));
      const newest = stored.at(-1);
      if (newest === undefined) continue;
      await query(insertActivity, {
        keyId,
        kind,
        newestAt: newest.at,
        newestId: newest.requestId,
        entries: JSON.stringify(stored),
      });
      await query(pruneActivityOfKey, [keyId, kind, KEY_LOG_KEPT - 1]);
    }
  }
}

function requestOf({ now: at, requestId, method, route, status }: CompletedRequest): KeyRequest {
  return { at, requestId, method, route, status };
}

/** Returns a key's last requests, from all processes, newest first. */
export async function listKeyRequests(query: Query, keyId: string): Promise<readonly KeyRequest[]> {
  return newestOf(await query(selectEntries.request, [keyId, "request", KEY_LOG_KEPT]));
}

export async function listKeyRefusals(query: Query, keyId: string): Promise<readonly Refusal[]> {
  return newestOf(await query(selectEntries.refusal, [keyId, "refusal", KEY_LOG_KEPT]));
}

function newestOf<Entry extends { readonly at: number }>(rows: readonly (readonly Entry[])[]) {
  return rows
    .flatMap((entries) => entries.toReversed())
    .toSorted((one, other) => other.at - one.at)
    .slice(0, KEY_LOG_KEPT);
}
