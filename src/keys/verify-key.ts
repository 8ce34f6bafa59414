import type { KeyActor } from "../context.ts";
import { KEY_CACHE_MAX } from "../limits.ts";
import type { Database } from "../storage/database.ts";
import { type KeyGrant, selectGrantByHash } from "./store.ts";
import { hashToken, isWellFormedToken } from "./token.ts";

export interface KeyVerifier {
  /** Who a key stands for; undefined when it is not a key, is not known, or is revoked or expired at `now`. */
  verifyKey(token: string, now: number): Promise<KeyActor | undefined>;
  close(): Promise<void>;
}

/**
 * Looks keys up by their hash. What was looked up is remembered, and believed only as long as every change of a key
 * is heard of: a revocation counts within a second in every process, whatever happens to the connection.
 */
export async function createKeyVerifier(accounts: Database): Promise<KeyVerifier> {
  const remembered = new Map<string, KeyGrant>();
  let changes = 0;
  const watch = await accounts.watch("keys", (keyId) => {
    changes++;
    if (keyId === undefined) remembered.clear();
    for (const [hash, grant] of remembered) if (grant.keyId === keyId) remembered.delete(hash);
  });

  async function findGrant(token: string): Promise<KeyGrant | undefined> {
    const hash = hashToken(token);
    const name = hash.toString("base64");
    const known = watch.isLive() ? remembered.get(name) : undefined;
    if (known !== undefined) return known;
    const before = changes;
    const [grant] = await accounts.read(selectGrantByHash, [hash]);
    // Told of a change meanwhile: what was read may be from before it.
    if (grant !== undefined && before === changes) remember(name, grant);
    return grant;
  }

  function remember(name: string, grant: KeyGrant): void {
    const [oldest] = remembered.keys();
    if (remembered.size >= KEY_CACHE_MAX && oldest !== undefined) remembered.delete(oldest);
    remembered.set(name, grant);
  }

  return {
    async verifyKey(token, now) {
      if (!isWellFormedToken(token)) return undefined;
      const grant = await findGrant(token);
      return grant !== undefined && isValid(grant, now) ? actorOf(grant) : undefined;
    },
    close: watch.close,
  };
}

function isValid({ revokedAt, expiresAt }: KeyGrant, now: number): boolean {
  return revokedAt === undefined && (expiresAt === undefined || expiresAt > now);
}

function actorOf({ keyId, accountId, environment, access }: KeyGrant): KeyActor {
  return { kind: "key", keyId, accountId, environment, access };
}
