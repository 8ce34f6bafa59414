import { createKeyActivity, KEY_LOG_INTERVAL_MS, type KeyActivity } from "../keys/key-activity.ts";
import { createKeyVerifier, type KeyVerifier } from "../keys/verify-key.ts";
import type { Database } from "../storage/database.ts";
import type { DatabaseDeps } from "./open-database.ts";

/** What one process knows of API keys. */
export interface KeyDeps {
  readonly keys: KeyVerifier;
  readonly keyActivity: KeyActivity;
}

export async function openKeys(
  accounts: Database,
  { clock, metrics, maintenance, resources }: DatabaseDeps,
): Promise<KeyDeps> {
  const keyActivity = createKeyActivity(accounts);
  maintenance.add({
    name: "uses and requests of keys",
    everyMs: KEY_LOG_INTERVAL_MS,
    run: keyActivity.flush,
    isLast: true,
  });
  const keys = await createKeyVerifier(accounts, clock, metrics.countKeyCheck);
  resources.defer(keys.close);
  return { keys, keyActivity };
}
