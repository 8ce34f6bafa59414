import type { KeyActor } from "../context.ts";
import { type Clock, monotonicFloor } from "../platform/clock.ts";
import { andThen, type Maybe } from "../platform/maybe.ts";
import type { Database } from "../storage/database.ts";
import { type StoredKey, selectStoredKeyByHash } from "./store.ts";
import { hashToken, isWellFormedToken } from "./token.ts";

const KEY_CACHE_MAX = 10_000; // maximum number of keys that one process caches; when it is exceeded, the oldest entry is dropped

/**
 * The outcome of a key check: found in the cache (hit), looked up in the database (miss), or refused for a wrong format or checksum
 * (malformed).
 */
type KeyOutcome = "hit" | "miss" | "malformed";

/**
 * Creates a function that verifies keys, with a cache. Processes tell each other about every change to a key. The cache is used
 * only while these messages arrive, so that a revocation takes effect within a second.
 */
export async function createKeyVerifier(
  accounts: Database,
  clock: Clock,
  count: (outcome: KeyOutcome) => void = () => {},
) {
  // An expired key must not become valid again when somebody sets the clock back.
  const atLeast = monotonicFloor(clock);
  const cache = new Map<string, Cached>();
  let changes = 0;
  function invalidate(keyId?: string) {
    changes++;
    if (keyId === undefined) cache.clear();
    for (const [hash, { stored }] of cache) if (stored.keyId === keyId) cache.delete(hash);
  }
  // An empty payload means that an account's role has changed. This may affect any number of keys, so the whole cache is emptied.
  const feed = await accounts.subscribe("keys", (keyId) => invalidate(keyId || undefined));

  function add(hash: string, stored: StoredKey) {
    const [oldest] = cache.keys();
    if (cache.size >= KEY_CACHE_MAX && oldest !== undefined) cache.delete(oldest);
    cache.set(hash, { stored, actor: actorOf(stored) });
  }

  function getCached(token: string, now: number): KeyActor | undefined {
    const known = cache.get(cacheHash(token));
    if (known === undefined || !feed.isHealthy() || !isValid(known.stored, atLeast(now))) return undefined;
    count("hit");
    return known.actor;
  }

  function lookUp(token: string): Maybe<StoredKey | undefined> {
    const before = changes;
    return andThen(accounts.read(selectStoredKeyByHash, [hashToken(token)]), ([stored]) => {
      // If a change was announced while the key was being read, the result may be out of date, so it is not cached.
      if (stored !== undefined && before === changes) add(cacheHash(token), stored);
      return stored;
    });
  }

  return {
    /**
     * Returns the actor of a valid key from the cache, synchronously. Returns undefined if the key is not cached, or the cache may
     * be out of date.
     */
    getCached,
    /**
     * Returns the actor of a key that is not in the cache. Returns undefined if the key is malformed, unknown, revoked, or expired
     * at `now`.
     */
    verifyKey(token: string, now: number) {
      const isWellFormed = isWellFormedToken(token);
      count(isWellFormed ? "miss" : "malformed");
      if (!isWellFormed) return undefined;
      return andThen(lookUp(token), (stored) =>
        stored !== undefined && isValid(stored, atLeast(now)) ? actorOf(stored) : undefined,
      );
    },
    /**
     * Empties the cache. Called after this process has changed keys, so that it does not have to wait for the announcement of its
     * own change.
     */
    invalidate: () => invalidate(),
    close: feed.close,
  };
}

export type KeyVerifier = Awaited<ReturnType<typeof createKeyVerifier>>;

/** A stored key, and the actor that all requests with this key share. */
interface Cached {
  readonly stored: StoredKey;
  readonly actor: KeyActor;
}

/**
 * Returns the hash that an API key is cached under. A hash is used, so that the duration of a lookup reveals nothing about the API
 * key.
 */
function cacheHash(token: string): string {
  return Bun.SHA256.hash(token, "base64");
}

function isValid({ revokedAt, expiresAt }: StoredKey, now: number): boolean {
  return revokedAt === undefined && (expiresAt === undefined || expiresAt > now);
}

function actorOf({ revokedAt: _, ...actor }: StoredKey): KeyActor {
  return { kind: "key", ...actor };
}
