import { KEY_LOG_KEPT } from "../limits.ts";
import type { Clock } from "../platform/clock.ts";
import type { Database, Query } from "../storage/database.ts";
import { createKeyLog, type KeyLog } from "./key-log.ts";
import { insertRequests, type KeyRequest, pruneRequestsOfKey, selectRequests } from "./request-store.ts";

/** A request as the access log has it: one object for both. */
interface CompletedRequest extends Omit<KeyRequest, "at"> {
  /** Milliseconds since 1970: when the request arrived. */
  readonly now: number;
}

export type KeyRequests = KeyLog<CompletedRequest>;

/** The last requests with each key. They are many, so what a process gathers of a key is one row. */
export function createKeyRequests(
  database: Database,
  clock: Clock,
  onError: (error: unknown) => void,
): KeyRequests {
  return createKeyLog<CompletedRequest>(
    database,
    clock,
    async (query, keyId, completed) => {
      const requests = completed.map(
        ({ now: at, requestId, method, route, status }): KeyRequest => ({
          at,
          requestId,
          method,
          route,
          status,
        }),
      );
      const newest = requests.at(-1);
      if (newest === undefined) return;
      await query(insertRequests, [keyId, newest.at, newest.requestId, JSON.stringify(requests)]);
      await query(pruneRequestsOfKey, [keyId, KEY_LOG_KEPT - 1]);
    },
    onError,
  );
}

/** The last requests with a key, of all processes, newest first. */
export async function listKeyRequests(query: Query, keyId: string): Promise<readonly KeyRequest[]> {
  const rows = await query(selectRequests, [keyId, KEY_LOG_KEPT]);
  return rows
    .flatMap((requests) => requests.toReversed())
    .toSorted((one, other) => other.at - one.at)
    .slice(0, KEY_LOG_KEPT);
}
