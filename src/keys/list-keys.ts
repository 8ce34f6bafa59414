import type { Context, Environment } from "../context.ts";
import { type ApiKey, selectKeys, selectKeysOfAccount } from "./store.ts";

export interface KeyFilter {
  readonly accountId?: number | undefined;
  readonly environment?: Environment | undefined;
}

/** Every key that matches, newest first, revoked and expired ones too. */
export async function listKeys(ctx: Context, filter: KeyFilter): Promise<readonly ApiKey[]> {
  const { accountId } = filter;
  const keys = await (accountId === undefined
    ? ctx.query(selectKeys, [])
    : ctx.query(selectKeysOfAccount, [accountId]));
  return keys.filter((key) => isWithin(key, filter));
}

export function isWithin(key: ApiKey, { accountId, environment }: KeyFilter): boolean {
  return [undefined, key.accountId].includes(accountId) && [undefined, key.environment].includes(environment);
}
