import type { KeyActor } from "../context.ts";
import type { Query } from "../storage/database.ts";
import { selectGrantByHash } from "./store.ts";
import { hashToken, isWellFormedToken } from "./token.ts";

/** Who a key stands for, or undefined when it is not a key, is not known, or is revoked or expired at `now`. */
export async function verifyKey(query: Query, token: string, now: number): Promise<KeyActor | undefined> {
  if (!isWellFormedToken(token)) return undefined;
  const [grant] = await query(selectGrantByHash, [hashToken(token)]);
  if (grant === undefined || grant.revokedAt !== undefined) return undefined;
  if (grant.expiresAt !== undefined && grant.expiresAt <= now) return undefined;
  const { keyId, accountId, environment, access } = grant;
  return { kind: "key", keyId, accountId, environment, access };
}
