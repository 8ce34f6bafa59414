import type { KeyActor } from "../context.ts";
import { KEY_CACHE_MAX } from "../limits.ts";
import { type Clock, monotonicFloor } from "../platform/clock.ts";
import type { Database } from "../storage/database.ts";
import { type StoredKey, selectStoredKeyByHash } from "./store.ts";
import { hashToken, isWellFormedToken } from "./token.ts";

export interface KeyVerifier {
  /** The same as `verifyKey`, at once, for a key that is remembered and believed; undefined for any other. */
  getCached(token: string, now: number): KeyActor | undefined;
  /** Who a key stands for; undefined when it is not a key, is not known, or is revoked or expired at `now`. */
  verifyKey(token: string, now: number): Promise<KeyActor | undefined>;
  /** For whoever has changed keys in this process, and does not wait until the news of it come round. */
  invalidate(): void;
  close(): Promise<void>;
}

/** A key was remembered (hit), looked up in the database (miss), or not one at all (malformed: its checksum is wrong). */
export const KEY_OUTCOMES = ["hit", "miss", "malformed"] as const;
export type KeyOutcome = (typeof KEY_OUTCOMES)[number];

/**
 * Looks keys up by their hash. What was looked up is remembered, and believed only as long as every change of a key
 * is heard of: a revocation counts within a second in every process, whatever happens to the connection.
 */
export async function createKeyVerifier(
  accounts: Database,
  clock: Clock,
  count: (outcome: KeyOutcome) => void = () => {},
): Promise<KeyVerifier> {
  // A time of day that is set back brings no expired key to life.
  const atLeast = monotonicFloor(clock);
  const remembered = new Map<string, Remembered>();
  let changes = 0;
  function forget(keyId?: string): void {
    changes++;
    if (keyId === undefined) remembered.clear();
    for (const [hash, { grant }] of remembered) if (grant.keyId === keyId) remembered.delete(hash);
  }
  const watch = await accounts.subscribe("keys", forget);

  function remember(name: string, grant: StoredKey): void {
    const [oldest] = remembered.keys();
    if (remembered.size >= KEY_CACHE_MAX && oldest !== undefined) remembered.delete(oldest);
    remembered.set(name, { grant, actor: actorOf(grant) });
  }

  function getCached(token: string, now: number): KeyActor | undefined {
    const known = remembered.get(nameOf(token));
    if (known === undefined || !watch.isHealthy() || !isValid(known.grant, atLeast(now))) return undefined;
    count("hit");
    return known.actor;
  }

  async function lookUp(token: string): Promise<StoredKey | undefined> {
    const before = changes;
    const [grant] = await accounts.read(selectStoredKeyByHash, [hashToken(token)]);
    // Told of a change meanwhile: what was read may be from before it.
    if (grant !== undefined && before === changes) remember(nameOf(token), grant);
    return grant;
  }

  return {
    getCached,
    async verifyKey(token, now) {
      const recalled = getCached(token, now);
      if (recalled !== undefined) return recalled;
      const isWellFormed = isWellFormedToken(token);
      count(isWellFormed ? "miss" : "malformed");
      if (!isWellFormed) return undefined;
      const grant = await lookUp(token);
      return grant !== undefined && isValid(grant, atLeast(now)) ? actorOf(grant) : undefined;
    },
    invalidate: () => forget(),
    close: watch.close,
  };
}

/** What was looked up, and the actor that every request with that key is. */
interface Remembered {
  readonly grant: StoredKey;
  readonly actor: KeyActor;
}

/** Keys are compared by their hash alone, so that how long it takes tells nothing of them. */
function nameOf(token: string): string {
  return Bun.SHA256.hash(token, "base64");
}

function isValid({ revokedAt, expiresAt }: StoredKey, now: number): boolean {
  return revokedAt === undefined && (expiresAt === undefined || expiresAt > now);
}

function actorOf({ keyId, keyName, accountId, environment, access }: StoredKey): KeyActor {
  return { kind: "key", keyId, keyName, accountId, environment, access };
}
