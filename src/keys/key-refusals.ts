import { KEY_LOG_KEPT, REFUSED_PATH_LENGTH_MAX } from "../limits.ts";
import type { Clock } from "../platform/clock.ts";
import type { Database } from "../storage/database.ts";
import { createKeyLog, type KeyLog } from "./key-log.ts";
import { insertRefusal, pruneRefusalsOfKey, type Refusal } from "./refusal-store.ts";
import { withoutTokens } from "./token.ts";

export type KeyRefusals = KeyLog<Refusal>;

/** The last requests with each key that were refused: what its program does wrong. */
export function createKeyRefusals(
  database: Database,
  clock: Clock,
  onError: (error: unknown) => void,
): KeyRefusals {
  const log = createKeyLog<Refusal>(
    database,
    clock,
    async (query, keyId, refusals) => {
      for (const { at, requestId, method, path, status, code } of refusals)
        await query(insertRefusal, [keyId, at, requestId, method, path, status, code]);
      await query(pruneRefusalsOfKey, [keyId, KEY_LOG_KEPT - 1]);
    },
    onError,
  );
  return {
    ...log,
    add(keyId, refusal) {
      // A key that was pasted into a path is not shown, and no database holds U+0000.
      const path = withoutTokens(refusal.path).slice(0, REFUSED_PATH_LENGTH_MAX).toWellFormed();
      log.add(keyId, { ...refusal, path: path.replaceAll("\0", "%00") });
    },
  };
}
