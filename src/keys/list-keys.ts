import type { Context, Environment } from "../context.ts";
import { type ApiKey, selectKeys, selectKeysOfAccount } from "./store.ts";

interface KeyFilter {
  readonly accountId?: number | undefined;
  readonly environment?: Environment | undefined;
}

/** Every key that matches, newest first, revoked and expired ones too. */
export async function listKeys(
  ctx: Context,
  { accountId, environment }: KeyFilter,
): Promise<readonly ApiKey[]> {
  const keys = await (accountId === undefined
    ? ctx.query(selectKeys, [])
    : ctx.query(selectKeysOfAccount, [accountId]));
  return environment === undefined ? keys : keys.filter((key) => key.environment === environment);
}
