import { createKeyActivity, type KeyActivity } from "../keys/key-activity.ts";
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
  { clock, log, metrics, resources }: DatabaseDeps,
): Promise<KeyDeps> {
  const keyActivity = createKeyActivity(accounts, clock, (err) =>
    log.error({ err }, "uses and requests of keys were not written; that is tried again"),
  );
  resources.defer(keyActivity.close);
  const keys = await createKeyVerifier(accounts, clock, metrics.countKeyCheck);
  resources.defer(keys.close);
  return { keys, keyActivity };
}
