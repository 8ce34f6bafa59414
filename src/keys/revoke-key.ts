import type { Context } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { onlyRow } from "../storage/row.ts";
import { type ApiKey, markKeyRevoked, selectKey } from "./store.ts";

/**
 * Ends a key for good; revoking it again changes nothing.
 *
 * @throws ServiceError `not_found`
 */
export async function revokeKey(ctx: Context, { keyId }: { readonly keyId: string }): Promise<ApiKey> {
  await ctx.query(markKeyRevoked, [keyId, ctx.now]);
  const keys = await ctx.query(selectKey, [keyId]);
  if (keys.length === 0) throw new ServiceError("not_found", `There is no key ${keyId}.`);
  return onlyRow(keys);
}
