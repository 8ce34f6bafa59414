import { createKeyRefusals, type KeyRefusals } from "../keys/key-refusals.ts";
import { createKeyRequests, type KeyRequests } from "../keys/key-requests.ts";
import { createKeyUsage, type KeyUsage } from "../keys/key-usage.ts";
import { createKeyVerifier, type KeyVerifier } from "../keys/verify-key.ts";
import type { Database } from "../storage/database.ts";
import type { DatabaseDeps } from "./open-database.ts";

/** What one process knows of API keys. */
export interface KeyDeps {
  readonly keys: KeyVerifier;
  readonly keyUsage: KeyUsage;
  readonly keyRefusals: KeyRefusals;
  readonly keyRequests: KeyRequests;
}

export async function openKeys(
  accounts: Database,
  { clock, log, metrics, resources }: DatabaseDeps,
): Promise<KeyDeps> {
  const unwritten = (what: string) => (err: unknown) => log.error({ err }, `${what} were not written`);
  const keyUsage = createKeyUsage(accounts, clock, unwritten("uses of keys"));
  resources.defer(keyUsage.close);
  const keyRefusals = createKeyRefusals(accounts, clock, unwritten("refused requests of keys"));
  resources.defer(keyRefusals.close);
  const keyRequests = createKeyRequests(accounts, clock, unwritten("requests of keys"));
  resources.defer(keyRequests.close);
  const keys = await createKeyVerifier(accounts, clock, metrics.countKeyCheck);
  resources.defer(keys.close);
  return { keys, keyUsage, keyRefusals, keyRequests };
}
