import { change } from "../accounts/audit/audited.ts";
import type { Context } from "../context.ts";
import { singleRow } from "../storage/row.ts";
import { type KeyFilter, requireKey } from "./list-keys.ts";
import { type ApiKey, markKeyRevoked, selectKey } from "./store.ts";

interface KeyToRevoke {
  readonly keyId: string;
  /** The environment and, unless it is an owner who revokes, the account that it has to belong to; left out, any may be revoked. */
  readonly within?: KeyFilter;
}

/**
 * Ends a key for good; revoking it again changes nothing.
 *
 * @throws ServiceError `not_found`, also for a key of another account
 */
export async function revokeKey(ctx: Context, { keyId, within = {} }: KeyToRevoke): Promise<ApiKey> {
  const key = await requireKey(ctx, keyId, within);
  await change(ctx, markKeyRevoked, [keyId, ctx.now], () => ({
    subject: keyId,
    detail: `${key.email}, ${key.name}`,
  }));
  return singleRow(await ctx.query(selectKey, [keyId]));
}
