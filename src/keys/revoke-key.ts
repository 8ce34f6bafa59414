import type { Context } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { singleRow } from "../storage/row.ts";
import { type ApiKey, markKeyRevoked, selectKey } from "./store.ts";

type Owner = Pick<ApiKey, "accountId" | "environment">;

interface KeyToRevoke {
  readonly keyId: string;
  /** The account and environment that the key has to belong to; left out, any key may be revoked. */
  readonly owner?: Owner;
}

/**
 * Ends a key for good; revoking it again changes nothing.
 *
 * @throws ServiceError `not_found`, also for a key of another account
 */
export async function revokeKey(ctx: Context, { keyId, owner }: KeyToRevoke): Promise<ApiKey> {
  const [key] = await ctx.query(selectKey, [keyId]);
  const isTheirs = owner === undefined || isOwnedBy(key, owner);
  if (key === undefined || !isTheirs) throw new ServiceError("not_found", `There is no key ${keyId}.`);
  await ctx.query(markKeyRevoked, [keyId, ctx.now]);
  return singleRow(await ctx.query(selectKey, [keyId]));
}

function isOwnedBy(key: ApiKey | undefined, { accountId, environment }: Owner): boolean {
  return key?.accountId === accountId && key.environment === environment;
}
